package imp

import "skald/runtime/prim"

// Stm is a statement. The first group is common to host code and kernels,
// the second stands in kernels only, the third in host code only.
//
//sumtype:decl
type Stm interface{ isStm() }

// Let declares a variable and gives it a value; Set may change it later.
type Let struct {
	Var Var
	Exp Exp
}

// Set changes a variable.
type Set struct {
	Var Var
	Exp Exp
}

// If runs one of two bodies.
type If struct {
	Cond       Exp
	Then, Else []Stm
}

// For counts Var from 0 below Bound, which is evaluated once.
type For struct {
	Var   Var
	Bound Exp
	Body  []Stm
}

// While runs Body as long as Cond, which may mention variables that Body sets.
type While struct {
	Cond Exp
	Body []Stm
}

// Assert fails the program with the message of a site when Cond is false.
// Values, of primitive types or Idx, fill the message's holes.
//
// In a kernel the first failure of a batch is kept and later kernels of the
// batch do nothing. The failing thread does nothing more; when barriers
// follow, its workgroup leaves at the next one.
type Assert struct {
	Cond   Exp
	Site   SiteID
	Values []Exp
}

// Comment is a remark for the reader of generated code.
type Comment struct{ Text string }

// Store writes an element of a kernel's array.
type Store struct {
	Mem   Mem
	Index Exp
	Value Exp
}

// LoadVec reads len(Vars) consecutive elements at Index, a multiple of their
// number, which is a power of two; together they have at most 16 bytes.
type LoadVec struct {
	Vars  []Var
	Mem   Mem
	Index Exp
}

// StoreVec writes consecutive elements, as many as LoadVec may read, at Index.
// In a kernel that has one for an array, each vector of the array belongs to one
// thread: no other stores to its elements, singly or together.
type StoreVec struct {
	Mem    Mem
	Index  Exp
	Values []Exp
}

// Barrier waits for all threads of the workgroup and makes their stores to
// shared arrays, or with Global set to global ones too, visible to each other.
type Barrier struct{ Global bool }

// Atomic combines Value into an element by Op in one step; Old, if not zero,
// is what was there before.
type Atomic struct {
	Op    AtomicOp
	Old   Var
	Mem   Mem
	Index Exp
	Value Exp
}

// AtomicOp is an operation of an Atomic.
type AtomicOp uint8

// Atomic operations. Min and max follow the signedness of the element.
const (
	AtomicAdd AtomicOp = iota
	AtomicMin
	AtomicMax
	AtomicAnd
	AtomicOr
	AtomicXor
	AtomicExchange
)

var atomicNames = [...]string{"add", "min", "max", "and", "or", "xor", "exchange"}

func (op AtomicOp) String() string { return atomicNames[op] }

// AtomicUpdate replaces an element by New in one step, where Old is bound to
// what is there and Body computes what New needs. It is a compare-and-swap
// loop: Body may run many times, and has no effects but on its own variables.
type AtomicUpdate struct {
	Old   Var
	Mem   Mem
	Index Exp
	Body  []Stm
	New   Exp
}

// Subgroup combines X over the threads of a subgroup, all of which arrive.
type Subgroup struct {
	Dst Var
	Op  SubgroupOp
	X   Exp
	// Lane is the lane to read from for Shuffle, or the distance for ShuffleUp
	// and ShuffleDown and ShuffleXor.
	Lane Exp
}

// SubgroupOp is an operation of a Subgroup.
type SubgroupOp uint8

// Subgroup operations.
const (
	SubgroupAdd SubgroupOp = iota
	SubgroupMul
	SubgroupMin
	SubgroupMax
	SubgroupAnd
	SubgroupOr
	SubgroupXor
	SubgroupScanAdd // inclusive
	Shuffle
	ShuffleUp
	ShuffleDown
	ShuffleXor
)

var subgroupNames = [...]string{
	"add", "mul", "min", "max", "and", "or", "xor", "scan_add",
	"shuffle", "shuffle_up", "shuffle_down", "shuffle_xor",
}

func (op SubgroupOp) String() string { return subgroupNames[op] }

// HasLane reports whether op has a lane operand.
func (op SubgroupOp) HasLane() bool { return op >= Shuffle }

// Alloc makes a block of Count elements with undefined contents.
type Alloc struct {
	Var   Var
	Elem  prim.Type
	Count Exp
}

// Free says that nothing uses a block any more through this variable.
type Free struct{ Var Var }

// Copy copies Count elements between blocks; the ranges do not overlap.
type Copy struct {
	Elem   prim.Type
	Dst    Var
	DstOff Exp
	Src    Var
	SrcOff Exp
	Count  Exp
}

// Fill sets Count elements of a block, from the Off-th on, to Value.
type Fill struct {
	Elem       prim.Type
	Block      Var
	Off, Count Exp
	Value      Exp
}

// Data makes a block that holds the given elements. The block is shared by all
// runs of the statement and never written.
type Data struct {
	Var  Var
	Elem prim.Type
	// Bytes holds the elements, little-endian, a bool or i8 in one byte.
	Bytes []byte
}

// ReadScalar waits for the device and reads one element of a block.
type ReadScalar struct {
	Var   Var
	Elem  prim.Type
	Block Var
	Index Exp
}

// WriteScalar writes one element of a block.
type WriteScalar struct {
	Elem  prim.Type
	Block Var
	Index Exp
	Value Exp
}

// Launch runs a kernel on Groups workgroups; none when Groups is not
// positive. Args are the values of its parameters and Blocks those of its
// global arrays. When one of Fits, each an i64, is 2^30 or more, 32-bit index
// arithmetic could overflow, and the wide form of the kernel runs: see Note [Wide kernels].
type Launch struct {
	Kernel string
	Groups Exp
	Args   []Exp
	Blocks []Var
	Fits   []Exp
}

// GetConst binds a constant of the program: result number Index of the function
// Prog.Init.
type GetConst struct {
	Var   Var
	Index int
}

// GetTune binds a tuning parameter, an i64: number Index of Prog.Tunes.
type GetTune struct {
	Var   Var
	Index int
}

// Call calls a host function. Where more calls are nested than there is room for, it fails at Site, whose one value, an i64, is their
// number.
type Call struct {
	Dst  []Var
	Fun  string
	Args []Exp
	Site SiteID
}

// Invoke calls a routine in a kernel, or in another routine.
type Invoke struct {
	Dst     []Var
	Routine *Routine
	Args    []Exp
}

func (*Let) isStm()          {}
func (*Set) isStm()          {}
func (*If) isStm()           {}
func (*For) isStm()          {}
func (*While) isStm()        {}
func (*Assert) isStm()       {}
func (*Comment) isStm()      {}
func (*Store) isStm()        {}
func (*LoadVec) isStm()      {}
func (*StoreVec) isStm()     {}
func (*Barrier) isStm()      {}
func (*Atomic) isStm()       {}
func (*AtomicUpdate) isStm() {}
func (*Subgroup) isStm()     {}
func (*Alloc) isStm()        {}
func (*Free) isStm()         {}
func (*Copy) isStm()         {}
func (*Fill) isStm()         {}
func (*Data) isStm()         {}
func (*ReadScalar) isStm()   {}
func (*WriteScalar) isStm()  {}
func (*Launch) isStm()       {}
func (*GetConst) isStm()     {}
func (*GetTune) isStm()      {}
func (*Call) isStm()         {}
func (*Invoke) isStm()       {}
