package imp

import "slices"

// Store writes an element of a kernel's array. With Own set the 32-bit word in which the element lies belongs to the thread: no other
// thread of the launch writes in it, and this one reads its other elements only in the order of its statements. Devices that
// store whole words alone then need no atomic operation.
type Store struct {
	Mem   Mem
	Index Exp
	Value Exp
	Own   bool
}

func (*Store) isKernel()       {}
func (*Store) isAccess()       {}
func (s *Store) exps() []Exp   { return []Exp{s.Index, s.Value} }
func (*Store) bodies() [][]Stm { return nil }
func (*Store) binds() []Var    { return nil }
func (s *Store) parts(m Mapper) Stm {
	return &Store{m.mem(s.Mem), m.index(s.Mem, s.Index), m.exp(s.Value), s.Own}
}

// LoadVec reads len(Vars) consecutive elements at Index, a multiple of their
// number, which is a power of two; together they have at most 16 bytes. With
// Once set nobody reads them again, so that they need not stay in caches.
type LoadVec struct {
	Vars  []Var
	Mem   Mem
	Index Exp
	Once  bool
}

func (*LoadVec) isKernel()       {}
func (*LoadVec) isAccess()       {}
func (s *LoadVec) exps() []Exp   { return []Exp{s.Index} }
func (*LoadVec) bodies() [][]Stm { return nil }
func (s *LoadVec) binds() []Var  { return s.Vars }
func (s *LoadVec) parts(m Mapper) Stm {
	return &LoadVec{m.variables(s.Vars), m.mem(s.Mem), m.index(s.Mem, s.Index), s.Once}
}

// StoreVec writes consecutive elements, as many as LoadVec may read, at Index.
// In a kernel that has one for an array, each vector of the array belongs to one
// thread: no other stores to its elements, singly or together.
type StoreVec struct {
	Mem    Mem
	Index  Exp
	Values []Exp
}

func (*StoreVec) isKernel()       {}
func (*StoreVec) isAccess()       {}
func (s *StoreVec) exps() []Exp   { return append([]Exp{s.Index}, s.Values...) }
func (*StoreVec) bodies() [][]Stm { return nil }
func (*StoreVec) binds() []Var    { return nil }
func (s *StoreVec) parts(m Mapper) Stm {
	return &StoreVec{m.mem(s.Mem), m.index(s.Mem, s.Index), m.exps(s.Values)}
}

// Barrier waits for all threads of the workgroup and makes their stores to
// shared arrays, or with Global set to global ones too, visible to each other.
type Barrier struct{ Global bool }

func (*Barrier) isKernel()          {}
func (*Barrier) isCollective()      {}
func (*Barrier) exps() []Exp        { return nil }
func (*Barrier) bodies() [][]Stm    { return nil }
func (*Barrier) binds() []Var       { return nil }
func (s *Barrier) parts(Mapper) Stm { return s }

// UniformLoad reads an element of a shared array for all threads of the workgroup, which arrive together with one index, and binds
// Var to the same value in each: what follows from it is uniform. Threads see what others stored to shared arrays before, and none
// goes on before all have read. The array has no atomic operations.
type UniformLoad struct {
	Var   Var
	Mem   Mem
	Index Exp
}

func (*UniformLoad) isKernel()       {}
func (*UniformLoad) isCollective()   {}
func (s *UniformLoad) exps() []Exp   { return []Exp{s.Index} }
func (*UniformLoad) bodies() [][]Stm { return nil }
func (s *UniformLoad) binds() []Var  { return []Var{s.Var} }
func (s *UniformLoad) parts(m Mapper) Stm {
	return &UniformLoad{m.variable(s.Var), m.mem(s.Mem), m.index(s.Mem, s.Index)}
}

// Atomic combines Value into an element by Op in one step; Old, if not zero,
// is what was there before.
type Atomic struct {
	Op    AtomicOp
	Old   Var
	Mem   Mem
	Index Exp
	Value Exp
}

func (*Atomic) isKernel()       {}
func (*Atomic) isAccess()       {}
func (s *Atomic) exps() []Exp   { return []Exp{s.Index, s.Value} }
func (*Atomic) bodies() [][]Stm { return nil }
func (s *Atomic) binds() []Var  { return []Var{s.Old} }

func (s *Atomic) parts(m Mapper) Stm {
	return &Atomic{s.Op, m.variable(s.Old), m.mem(s.Mem), m.index(s.Mem, s.Index), m.exp(s.Value)}
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

func (*AtomicUpdate) isKernel()         {}
func (*AtomicUpdate) isAccess()         {}
func (s *AtomicUpdate) exps() []Exp     { return []Exp{s.Index, s.New} }
func (s *AtomicUpdate) bodies() [][]Stm { return [][]Stm{s.Body} }
func (s *AtomicUpdate) binds() []Var    { return []Var{s.Old} }

func (s *AtomicUpdate) parts(m Mapper) Stm {
	return &AtomicUpdate{m.variable(s.Old), m.mem(s.Mem), m.index(s.Mem, s.Index), m.body(s.Body), m.exp(s.New)}
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

func (*Subgroup) isKernel()     {}
func (*Subgroup) isCollective() {}

func (s *Subgroup) exps() []Exp {
	if s.Lane == nil {
		return []Exp{s.X}
	}
	return []Exp{s.X, s.Lane}
}

func (*Subgroup) bodies() [][]Stm { return nil }
func (s *Subgroup) binds() []Var  { return []Var{s.Dst} }

func (s *Subgroup) parts(m Mapper) Stm {
	out := &Subgroup{Dst: m.variable(s.Dst), Op: s.Op, X: m.exp(s.X)}
	if s.Lane != nil {
		out.Lane = m.exp(s.Lane)
	}
	return out
}

// SubgroupUpdate combines values of all threads of a subgroup, which arrive together, into elements of a shared array that has Copies
// copies of each of some bins, side by side: for each of Keys that is not negative, the number of a bin, one of Values is combined with one
// of the bin's copies, of number Copy of the thread or of another thread of the subgroup. Each is one step, as in an AtomicUpdate. Body
// computes New, what X and Y come to, and has no effects but on its own variables. The operator is associative and commutative, so that
// values of one bin may be combined before they meet the copy. With Selects set it returns one of its operands: once a good one is there,
// most of the others leave it as it is.
type SubgroupUpdate struct {
	Mem          Mem
	Keys, Values []Exp
	Copies, Copy Exp
	X, Y         Var
	Body         []Stm
	New          Exp
	Selects      bool
}

func (*SubgroupUpdate) isKernel()     {}
func (*SubgroupUpdate) isCollective() {}

func (s *SubgroupUpdate) exps() []Exp {
	return append(slices.Concat(s.Keys, s.Values), s.Copies, s.Copy, s.New)
}

func (s *SubgroupUpdate) bodies() [][]Stm { return [][]Stm{s.Body} }
func (s *SubgroupUpdate) binds() []Var    { return []Var{s.X, s.Y} }

func (s *SubgroupUpdate) parts(m Mapper) Stm {
	out := &SubgroupUpdate{Mem: m.mem(s.Mem), Values: m.exps(s.Values), X: m.variable(s.X), Y: m.variable(s.Y), Selects: s.Selects}
	for _, k := range s.Keys {
		out.Keys = append(out.Keys, m.index(s.Mem, k))
	}
	out.Copies, out.Copy = m.index(s.Mem, s.Copies), m.index(s.Mem, s.Copy)
	out.Body, out.New = m.body(s.Body), m.exp(s.New)
	return out
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

// Invoke calls a device function in a kernel, or in another device function.
type Invoke struct {
	Dst            []Var
	DeviceFunction *DeviceFunction
	Args           []Exp
}

func (*Invoke) isKernel()       {}
func (s *Invoke) exps() []Exp   { return s.Args }
func (*Invoke) bodies() [][]Stm { return nil }
func (s *Invoke) binds() []Var  { return s.Dst }
func (s *Invoke) parts(m Mapper) Stm {
	return &Invoke{m.variables(s.Dst), s.DeviceFunction, m.exps(s.Args)}
}
