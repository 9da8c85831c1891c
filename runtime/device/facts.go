package device

import "fmt"

// Kind is what sort of hardware a device is.
type Kind uint8

// The kinds of hardware.
const (
	Unknown    Kind = iota // The driver does not say.
	Discrete               // A GPU with its own memory.
	Integrated             // A GPU that shares the host's memory.
	CPU                    // The processor, as a software driver or by ourselves.
	Null                   // Nothing: launches have no effect.
)

// String names the kind as listings print it.
func (k Kind) String() string {
	return [...]string{"unknown", "discrete GPU", "integrated GPU", "CPU", "null"}[k]
}

// IsGPU reports whether it is one of the kinds of GPUs.
func (k Kind) IsGPU() bool { return k == Discrete || k == Integrated }

// MarshalText returns the kind's name in place of its number.
func (k Kind) MarshalText() ([]byte, error) { return fmt.Append(nil, k), nil }

// UnmarshalText reads the kind's name; one that no kind has is an error.
func (k *Kind) UnmarshalText(text []byte) error {
	for i := Unknown; i <= Null; i++ {
		if i.String() == string(text) {
			*k = i
			return nil
		}
	}
	return fmt.Errorf("no kind of device is called %q", text)
}

// Facts is what is known of a device once it is open: everything that lowering
// and printing of kernels depend on. Sizes are bytes.
type Facts struct {
	Name    string // The adapter's own name, e.g. "NVIDIA H200".
	API     string // The path to it: a library, and what that uses.
	Driver  string // The driver and its version, as far as it says.
	Library string // The file of the library in use; empty if none.
	Kind    Kind

	// Kernels says what kernels are written in, for people and for programs that write kernels by hand; empty if they are the low-level
	// program itself. The compiler goes by the target.
	Kernels string
	// Architecture is what machine code for the device is made for, as "sm_90"; empty where kernels are handed over as text.
	Architecture string
	// Enables lists the extensions of that language that the device has on and wants named in kernels.
	Enables []string

	// Types that kernels can use as they are; i64 implies u64.
	I64, F64, F16 bool
	Atomics       Atomics

	// Subgroups says that subgroup operations may be used at all. SubgroupSize is
	// the one size that every kernel runs with, or 0 if it is not known to be one.
	Subgroups                bool
	SubgroupSize             int
	SubgroupMin, SubgroupMax int
	// SubgroupLinear: in a one-dimensional workgroup, thread t was seen to be lane
	// t % SubgroupSize of subgroup t / SubgroupSize. Not every API promises it.
	SubgroupLinear bool
	// SubgroupID: the builtins subgroup_id and num_subgroups may be used.
	SubgroupID bool

	WorkgroupMemory int       // Workgroup memory of a workgroup.
	MaxThreads      int       // Threads of a workgroup.
	MaxWorkgroup    [3]uint32 // Threads of a workgroup in each dimension.
	MaxGroups       [3]uint32 // Workgroups of a launch in each dimension.
	MaxBindings     int       // Storage buffers of a kernel.
	MaxParams       int       // Bytes of a params block.
	MaxImmediates   int       // Bytes of a params block that may be part of the command that launches; 0 if none may.
	MaxBindingSize  int64     // Bytes of one binding.
	MaxBufferSize   int64     // Bytes of one buffer.
	OffsetAlign     int64     // Alignment of a binding's offset.
	Units           int       // Compute units, as measured or guessed; at least 1.
	// Compiled: a processor that runs compiled code, the threads of a workgroup one after the other.
	Compiled bool
	// SizesAtLaunch: arrays of workgroups may have sizes that each launch says; elsewhere the text of kernels has them.
	SizesAtLaunch bool
	// VectorRegisters is how many registers for vectors of 128 bits that code has; 0 where its compiler makes do with those that there are.
	VectorRegisters int

	// ForwardProgress: a waiting workgroup does not keep others from running. False
	// wherever this is not known by name.
	ForwardProgress bool
	// Coherent: kernels may ask that what other workgroups store is seen at once.
	Coherent bool
	// Unchecked: the driver path adds no bounds checks to kernels.
	Unchecked  bool
	Timestamps bool // Kernel times can be measured.

	BadFma  bool    // fma of f32 was seen to round twice, or wrongly, by a probe when the device was opened.
	Floats  Floats  // How floating point behaves; zero until probed.
	Sharing Sharing // How threads of a workgroup share what they store; zero until probed.
}

// FusesFma reports whether a device computes a · b + c with one rounding in one instruction: GPUs do, unless a probe saw otherwise. A
// profile without a probe stands for GPUs that do.
func (f *Facts) FusesFma() bool { return f.Kind.IsGPU() && !f.BadFma }

// Atomics says which atomic operations kernels have beyond those on 32-bit
// integers in storage and workgroup memory, which every device has.
type Atomics struct {
	I64      bool // All operations on i64 and u64 in storage memory.
	I64Min   bool // At least min and max on them (Metal has no more).
	F32Add   bool // Add and exchange on f32 in storage memory; no min, max, compare-exchange.
	F64Add   bool // The same for f64.
	F16Add   bool // The same for f16 pairs.
	Shared64 bool // 64-bit atomics in workgroup memory too.
}

// Floats is how a device's floating point was seen to behave by a probe. Probed
// is false when nothing is known; tests then excuse nothing.
type Floats struct {
	Probed bool

	// Rounds to nearest even, bit for bit, on every probed operand (normal range).
	AddExact, MulExact, DivExact, SqrtExact, FmaExact bool

	FlushesInputs  bool // A subnormal operand was taken as zero.
	FlushesResults bool // A subnormal result became zero.
	FmaFused       bool // fma(a, b, c) rounds once.
	Contracts      bool // a * b + c written out was rounded once.
	KeepsNaN       bool // NaN loads, stores, and propagates through arithmetic as NaN.
	ComparesNaN    bool // x != x is true for NaN loaded from a buffer.
	KeepsInf       bool // Overflow is infinity and arithmetic on infinities is IEEE's.
	KeepsZeroSign  bool // -0 stays -0 in negation, multiplication and addition.
	RoundHalfEven  bool // round(x) takes halves to even.
	ConvertExact   bool // i32 and u32 to f32 round to nearest even.

	F64Exact bool // Native f64 add, mul, div, sqrt round to nearest even; false without F64.
	F16Exact bool // Native f16 add, mul, div round to nearest even; false without F16.

	// Excuses lists what was seen to deviate from IEEE, for people.
	Excuses []Excuse
}

// IEEEFloats is how floating point behaves where all that APIs leave open is
// promised, and fma rounds once.
var IEEEFloats = Floats{
	Probed: true, AddExact: true, MulExact: true, DivExact: true, SqrtExact: true, FmaExact: true, FmaFused: true,
	KeepsNaN: true, ComparesNaN: true, KeepsInf: true, KeepsZeroSign: true, RoundHalfEven: true, ConvertExact: true,
	F64Exact: true,
}

// Sharing is how the threads of a workgroup were seen to share what they store, by a probe. Kernels of ours rely on none of it: it is
// there to be told, and to be tested where a device is new.
type Sharing struct {
	Probed bool

	Bools bool // An array of bools in workgroup memory holds what was stored.

	// Excuses lists what was seen to deviate from what the language promises, for people.
	Excuses []Excuse
}

// Excuse is one way in which an operation deviates, with an example.
type Excuse struct {
	What string // "two roundings", "subnormal operand", …
	Op   string // "fma"
	Seen string // "fma(1.5, 0.33333334, -0.5) is 0, IEEE has 1.4901161e-08"
}
