package targets

import (
	"skald/middle/lower"
	"skald/runtime/device"
)

// sharedBudget is the workgroup memory for what threads combine or exchange in tables of an element each: 64 bytes for each of maxGroup
// threads. A multiprocessor of a T4 has as much for each thread that it can hold, an A100's has 80 and an H100's 112; with more, fewer
// workgroups run side by side. Elements of more bytes take workgroups of fewer threads. Bodies of workgroups, tiles and tables of
// histograms have all the memory that there is, in forms that ask for what they need.
const sharedBudget = 64 * maxGroup

// arrayBudget is how large what one kernel leaves for the next, or its points have side by side, may be at most where there is a choice.
const arrayBudget = 2 << 30

// privateBudget is how many bytes of arrays a thread of a GPU has in memory of its own: of an H200, on which 270,000 threads are resident,
// that takes 2 of 141 GB, of a T4 335 MB of 16 GB. WGSL guarantees as many bytes of variables in a function, of which small arrays, which
// are not counted, have the other half.
const (
	privateBudget     = 8192
	wgslPrivateBudget = privateBudget / 2
)

// commonFacts picks out of a device's facts what lowering depends on, on every target.
func commonFacts(f *device.Facts) lower.Facts {
	shared := f.WorkgroupMemory - failedBytes
	out := lower.Facts{
		GroupSize:   powerBelow(maxGroup, f.MaxThreads),
		Groups:      8 * max(f.Units, 1),
		SharedBytes: min(shared, sharedBudget),
		Atomic64:    f.Atomics.I64 && f.I64,
		Bindings:    f.MaxBindings,
		Software:    f.Kind == device.CPU,
		ArrayBytes:  min(f.MaxBufferSize/2, arrayBudget),
		BufferBytes: f.MaxBufferSize,
	}
	out.Fma32 = f.FusesFma()
	out.Fma64 = out.Fma32 && f.F64
	if f.Subgroups && f.SubgroupLinear {
		out.SubgroupSize = f.SubgroupSize
	}
	if f.Kind != device.CPU {
		out.WideGroup, out.WideBytes = powerBelow(maxWideGroup, f.MaxThreads), shared
	}
	return out
}

// failedBytes is the workgroup memory that printed kernels have beside what lowering declares: a word that says whether a thread has
// failed, aligned as devices align arrays.
const failedBytes = 16

// The most threads of a workgroup, in general and where its threads share a table.
const (
	maxGroup     = 256
	maxWideGroup = 1024
)

// powerBelow is the largest power of two up to n, itself one, that a device allows; zero says that it has no limit.
func powerBelow(n, allowed int) int {
	for allowed > 0 && n > allowed {
		n /= 2
	}
	return n
}
