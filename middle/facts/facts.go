// Package facts says what the passes of a device's pipeline, and lowering, need to know of the device. Package targets fills it in from
// what a device tells of itself, or from a recorded profile; package pass hands it to the passes. It imports the primitive types alone.
package facts

import (
	"math"

	"skald/runtime/prim"
)

// SmallGroups are the threads of the workgroups that run a map's body where no operation inside has more points. Where one has, or where
// that is not known, there are GroupSize.
var SmallGroups = [...]int{32, 128}

// Facts are what passes need to know of a device. The zero value of a field
// is the least that WebGPU guarantees.
type Facts struct {
	// GroupSize is the number of threads of a workgroup; zero means 256. It is a
	// power of two.
	GroupSize int
	// Groups is how many workgroups saturate the device; zero means 64.
	Groups int
	// SharedBytes is the memory of a workgroup; zero means 16384.
	SharedBytes int
	// WideGroup and WideBytes are the most threads and memory that a workgroup may have where its threads work in one
	// table. Fewer workgroups then have fewer tables to clear and to join. Zero means GroupSize and SharedBytes.
	WideGroup, WideBytes int
	// Words says that memory is made of words: small integers take one each in shared memory, and share them in global memory.
	Words bool
	// Inlines says that compilers of kernels put functions in the places of their calls.
	Inlines bool
	// Vectors says that loads of 16 bytes pay.
	Vectors bool
	// Bindings is how many arrays a kernel may have in buffers of their own, with the word for failures; zero says that it has no limit.
	Bindings int
	// Atomic64 allows compare-and-swap on 64-bit elements of global memory.
	Atomic64 bool
	// LookBack says that workgroups that have begun go on whatever others do, so that others may wait for them, and that there are
	// atomic operations on 64-bit elements of global memory.
	LookBack bool
	// Replays says that launches of a loop are recorded once and replayed, which host code that decides between launches forgoes.
	Replays bool
	// Converges says that the threads of a subgroup are together again behind loops that they leave one by one, so that operations of
	// subgroups may follow.
	Converges bool
	// Rooms says that launches say how much workgroup memory they need, and that what they leave is a cache.
	Rooms bool
	// NoI64 and NoF64 say that arithmetic on 64-bit numbers is calls of functions.
	NoI64, NoF64 bool
	// Fma32 and Fma64 say that a · b + c with one rounding, of f32 and f64, is one instruction.
	Fma32, Fma64 bool
	// Software says that the device is a processor, whose compiler takes long for large kernels.
	Software bool
	// Tasks, if not zero, says that the device is a processor with compiled code, which so many tasks keep busy: see Note [Tasks] of
	// package lower.
	Tasks int
	// OneCore says that tasks run one after the other.
	OneCore bool
	// Permutes says that the compiler of tasks makes permutations of vectors of loads that are a constant distance apart: C, not WebAssembly.
	Permutes bool
	// Rows is how many rows a task does together (Note [Jammed rows] of package lower); zero means 4.
	Rows int
	// PrivateBytes is how many bytes of arrays of constant size a thread may have in memory of its own; zero means that only arrays of a few
	// elements lie there: see Note [Private arrays] of package expand.
	PrivateBytes int
	// SubgroupSize, if not zero, allows subgroup operations: so many neighbouring threads of a workgroup are a subgroup.
	SubgroupSize int
	// HalfFactor says that threads of workgroups take half the usual elements of rows too short for all of them: Note [Factors of
	// workgroups] of package choose.
	HalfFactor bool
	// Tile and RegTile, if not zero, are how many threads a tile of rows and columns has a side, and how many points a side a thread has:
	// see Note [Shapes] of package tile. SeqFactor, if not zero, is how many elements a thread of a workgroup takes of each operation
	// where something is reduced or scanned: Note [Factors of workgroups] of package choose. They are powers of two that choose.Refuses
	// has not refused.
	Tile, RegTile, SeqFactor int
	// Threshold is what thresholds of versions are unless somebody sets them: so many points that run side by side are enough, and what
	// is inside of them may run sequentially. Zero means that costs decide: see Note [Costs of versions] in package flatten.
	Threshold int
	// ArrayBytes is how large what one kernel leaves for the next, or its points have side by side, may be where there is a choice; zero
	// means 2^30.
	ArrayBytes int64
	// BufferBytes is how large a block of memory may be; zero means that nothing is known against any size.
	BufferBytes int64
	// Values answers core.Fact expressions by name.
	Values map[string]int64
}

// HasTasks reports whether the device is a processor with compiled code, whose kernels are tasks.
func (f Facts) HasTasks() bool { return f.Tasks > 0 }

// WithDefaults returns the facts with numbers for the zeros that stand for some.
func (f Facts) WithDefaults() Facts {
	if f.GroupSize == 0 {
		f.GroupSize = 256
	}
	if f.Groups == 0 {
		f.Groups = 64
	}
	if f.Rows == 0 {
		f.Rows = 4
	}
	if f.SharedBytes == 0 {
		f.SharedBytes = 16384
	}
	if f.WideGroup == 0 {
		f.WideGroup = f.GroupSize
	}
	if f.WideBytes == 0 {
		f.WideBytes = f.SharedBytes
	}
	if f.ArrayBytes == 0 {
		f.ArrayBytes = 1 << 30
	}
	return f
}

// SharedSize is the number of bytes that an element takes in shared memory.
func (f Facts) SharedSize(t prim.Type) int {
	if f.Words {
		return max(t.Size(), 4)
	}
	return t.Size()
}

// AtomicOp reports whether an operator on numbers of a type is an atomic operation of the device. On two words only those exist whose
// halves do not meet, but for a carry; WGSL's on f64 is a compare-and-swap loop, which is as good where few threads meet.
func (f Facts) AtomicOp(op prim.BinOp, t prim.Type) bool {
	switch op { //nolint:exhaustive // the others are none
	case prim.Add:
		return !t.IsFloat() || t.Bits() <= 32 || f.Atomic64 && (!f.Words || f.Software)
	case prim.Min, prim.Max:
		return !t.IsFloat() && t.Bits() < 64
	case prim.And, prim.Or, prim.Xor:
		return !t.IsFloat()
	default:
		return false
	}
}

// Updates reports whether elements of a type in device memory can be updated by any operator, in a compare-and-swap loop.
func (f Facts) Updates(t prim.Type) bool { return t.Bits() <= 32 || f.Atomic64 }

// Value answers a core.Fact.
func (f Facts) Value(name string) int64 {
	if v, ok := f.Values[name]; ok {
		return v
	}
	switch name {
	case "group_size":
		return int64(f.GroupSize)
	case "groups":
		return int64(f.Groups)
	case "threads":
		return int64(f.Groups) * int64(f.GroupSize)
	case "array_bytes":
		return f.ArrayBytes
	case "buffer_bytes":
		if f.BufferBytes == 0 {
			return math.MaxInt64
		}
		return f.BufferBytes
	case "workgroup_memory":
		return int64(f.SharedBytes)
	}
	return 0
}
