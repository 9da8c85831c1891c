package imp

import "skald/runtime/prim"

// Exp is an expression: free of effects, though Load sees what was stored. Its
// methods are the questions that every expression answers.
//
//	exp ::= const | var | op(exp, ...) | mem[exp] | thread id
//
//sumtype:decl
type Exp interface {
	// children lists the expressions directly in it.
	children() []Exp
	// parts rebuilds the expression with its direct parts mapped.
	parts(m Mapper) Exp
}

// Pattern is an expression as rules see it.
type Pattern interface{ children() []Exp }

// Match passes an expression to a rule, which says what it does with some and leaves the others as they are.
func Match(e Exp) Pattern { return e }

// Const is a constant; one of type Idx holds an i64 value. See NoBlock.
type Const struct {
	Type  Type
	Value prim.Value
}

func (*Const) children() []Exp    { return nil }
func (e *Const) parts(Mapper) Exp { return e }

// NoBlock is what a block variable holds before it is set.
func NoBlock() *Const { return &Const{Block, prim.MakeI64(0)} }

// VarExp reads a variable.
type VarExp struct{ Var Var }

func (*VarExp) children() []Exp    { return nil }
func (e *VarExp) parts(Mapper) Exp { return e }

// Un applies a unary operator at Type.
type Un struct {
	Op   prim.UnOp
	Type Type
	X    Exp
}

func (e *Un) children() []Exp { return []Exp{e.X} }
func (e *Un) parts(m Mapper) Exp {
	if x := m.exp(e.X); x != e.X {
		return &Un{e.Op, e.Type, x}
	}
	return e
}

// Bin applies a binary operator; operands and result have Type.
type Bin struct {
	Op   prim.BinOp
	Type Type
	X, Y Exp
}

func (e *Bin) children() []Exp { return []Exp{e.X, e.Y} }
func (e *Bin) parts(m Mapper) Exp {
	if x, y := m.exp(e.X), m.exp(e.Y); x != e.X || y != e.Y {
		return &Bin{e.Op, e.Type, x, y}
	}
	return e
}

// Cmp compares operands of Type and returns a bool.
type Cmp struct {
	Op   prim.CmpOp
	Type Type
	X, Y Exp
}

func (e *Cmp) children() []Exp { return []Exp{e.X, e.Y} }
func (e *Cmp) parts(m Mapper) Exp {
	if x, y := m.exp(e.X), m.exp(e.Y); x != e.X || y != e.Y {
		return &Cmp{e.Op, e.Type, x, y}
	}
	return e
}

// Conv converts between types. From i64 to Idx it keeps the low bits.
type Conv struct {
	From, To Type
	X        Exp
}

func (e *Conv) children() []Exp { return []Exp{e.X} }
func (e *Conv) parts(m Mapper) Exp {
	if x := m.exp(e.X); x != e.X {
		return &Conv{e.From, e.To, x}
	}
	return e
}

// CallFunc calls a built-in function at Type (of its first argument).
type CallFunc struct {
	Func prim.Func
	Type prim.Type
	Args []Exp
}

func (e *CallFunc) children() []Exp    { return e.Args }
func (e *CallFunc) parts(m Mapper) Exp { return &CallFunc{e.Func, e.Type, m.exps(e.Args)} }

// Select is Then or Else, of type Type; both may be evaluated.
type Select struct {
	Type             Type
	Cond, Then, Else Exp
}

func (e *Select) children() []Exp { return []Exp{e.Cond, e.Then, e.Else} }
func (e *Select) parts(m Mapper) Exp {
	return &Select{e.Type, m.exp(e.Cond), m.exp(e.Then), m.exp(e.Else)}
}

// Load reads an element of a kernel's array. With Maybe set, index 0 may stand for no element: the array may be empty then, other threads
// may write there, and what is loaded is not used. Memory has that place: see Note [Maybe an element].
type Load struct {
	Mem   Mem
	Index Exp
	Maybe bool
}

func (e *Load) children() []Exp    { return []Exp{e.Index} }
func (e *Load) parts(m Mapper) Exp { return &Load{m.mem(e.Mem), m.index(e.Mem, e.Index), e.Maybe} }

// Id is a number that tells threads apart, of type Idx.
type Id struct{ Kind IdKind }

func (*Id) children() []Exp    { return nil }
func (e *Id) parts(Mapper) Exp { return e }

// IdKind says which number an Id is.
type IdKind uint8

// The numbers of a thread. Grids have one dimension here; how the device
// numbers many workgroups is the back end's affair.
const (
	ThreadID  IdKind = iota // GroupID * GroupSize + LocalID
	LocalID                 // within the workgroup
	GroupID                 // of the workgroup within the grid
	GroupSize               // threads a workgroup
	NumGroups               // workgroups in the grid
	Lane                    // within the subgroup
	SubgroupID
	SubgroupSize
)

var idNames = [...]string{
	"thread_id", "local_id", "group_id", "group_size", "num_groups",
	"lane", "subgroup_id", "subgroup_size",
}

func (k IdKind) String() string { return idNames[k] }

// Uniform reports whether all threads of a workgroup have the same number.
func (k IdKind) Uniform() bool {
	return k == GroupID || k == GroupSize || k == NumGroups || k == SubgroupSize
}
