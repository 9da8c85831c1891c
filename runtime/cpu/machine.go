package cpu

import (
	"runtime"
	"slices"

	"github.com/klauspost/cpuid/v2"
	"golang.org/x/sys/cpu"
)

// machine is a class of processors that code is compiled for when a program is built.
type machine struct {
	name string // what `skald build --bundle cpu:NAME` calls it
	arch string // its processor, as Go calls it
	flag string // what C compilers are told
	runs func() bool
}

// machines are the classes, of each processor the least first: who runs one runs those before it.
var machines = []machine{
	{"x86-64", "amd64", "-march=x86-64", func() bool { return cpuid.CPU.X64Level() >= 1 }},
	{"x86-64-v2", "amd64", "-march=x86-64-v2", func() bool { return cpuid.CPU.X64Level() >= 2 }},
	{"x86-64-v3", "amd64", "-march=x86-64-v3", func() bool { return cpuid.CPU.X64Level() >= 3 }},
	{"x86-64-v4", "amd64", "-march=x86-64-v4", func() bool { return cpuid.CPU.X64Level() >= 4 }},
	{"armv8", "arm64", "-march=armv8-a", func() bool { return true }},
	{"armv8.1", "arm64", "-march=armv8.1-a", runsARM81},
	{"armv8.2", "arm64", "-march=armv8.2-a", func() bool { return runsARM81() && cpu.ARM64.HasDCPOP }},
}

// runsARM81 looks for what compilers make use of, and what they cannot be told to leave out.
func runsARM81() bool { return cpu.ARM64.HasATOMICS && cpu.ARM64.HasASIMDRDM && cpu.ARM64.HasCRC32 }

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
