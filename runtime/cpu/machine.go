package cpu

import (
	"runtime"
	"slices"

	"golang.org/x/sys/cpu"
)

// machine is a class of processors that code is compiled for when a program is built.
type machine struct {
	name string // what `skald build --bundle cpu:NAME` calls it
	arch string // its processor, as Go calls it
	flag string // what C compilers are told
	runs func() bool
}

// machines are the classes, of each processor the least first: who runs one runs those before it. The features of x86-64 are those of the
// ABI's levels; of ARM those that compilers make use of without being told.
var machines = []machine{
	{"x86-64", "amd64", "-march=x86-64", func() bool { return true }},
	{"x86-64-v2", "amd64", "-march=x86-64-v2", func() bool {
		x := cpu.X86
		return hasFlags(x.HasSSE42 && x.HasPOPCNT && x.HasCX16, "cx16 lahf_lm popcnt pni sse4_1 sse4_2 ssse3")
	}},
	{"x86-64-v3", "amd64", "-march=x86-64-v3", func() bool {
		x := cpu.X86
		return hasFlags(x.HasAVX2 && x.HasBMI2 && x.HasFMA, "cx16 lahf_lm avx avx2 bmi1 bmi2 f16c fma abm movbe")
	}},
	{"x86-64-v4", "amd64", "-march=x86-64-v4", func() bool {
		x := cpu.X86
		return hasFlags(x.HasAVX512BW && x.HasAVX512DQ && x.HasAVX512VL && x.HasAVX512CD,
			"abm movbe f16c fma bmi2 avx512f avx512bw avx512cd avx512dq avx512vl")
	}},
	{"armv8", "arm64", "-march=armv8-a", func() bool { return true }},
	{"armv8.1", "arm64", "-march=armv8.1-a", func() bool {
		return hasFlags(cpu.ARM64.HasATOMICS && cpu.ARM64.HasASIMDRDM, "atomics asimdrdm crc32")
	}},
	{"armv8.2", "arm64", "-march=armv8.2-a", func() bool {
		return hasFlags(cpu.ARM64.HasATOMICS && cpu.ARM64.HasDCPOP, "atomics asimdrdm crc32 dcpop")
	}},
}

// Machines are the names of the classes of processors that code can be compiled for.
func Machines() []string {
	var names []string
	for _, m := range machines {
		names = append(names, m.name)
	}
	return names
}

// findMachine finds a class by name, and says how good it is for its processor; nil if there is none.
func findMachine(name string) (m *machine, rank int) {
	i := slices.IndexFunc(machines, func(m machine) bool { return m.name == name })
	if i < 0 {
		return nil, 0
	}
	return &machines[i], i
}

// here reports whether this processor is one of the class.
func (m *machine) here() bool { return m.arch == runtime.GOARCH && m.runs() }
