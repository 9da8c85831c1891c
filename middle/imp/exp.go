package imp

import "skald/runtime/prim"

// Exp is an expression: free of effects, though Load sees what was stored.
//
//	exp ::= const | var | op(exp, ...) | mem[exp] | thread id
//
//sumtype:decl
type Exp interface{ isExp() }

// Const is a constant; one of type Idx holds an i64 value. See NoBlock.
type Const struct {
	Type  Type
	Value prim.Value
}

// NoBlock is what a block variable holds before it is set.
func NoBlock() *Const { return &Const{Block, prim.MakeI64(0)} }

// VarExp reads a variable.
type VarExp struct{ Var Var }

// Un applies a unary operator at Type.
type Un struct {
	Op   prim.UnOp
	Type Type
	X    Exp
}

// Bin applies a binary operator; operands and result have Type.
type Bin struct {
	Op   prim.BinOp
	Type Type
	X, Y Exp
}

// Cmp compares operands of Type and gives a bool.
type Cmp struct {
	Op   prim.CmpOp
	Type Type
	X, Y Exp
}

// Conv converts between types. From i64 to Idx it keeps the low bits.
type Conv struct {
	From, To Type
	X        Exp
}

// CallFunc calls a built-in function at Type (of its first argument).
type CallFunc struct {
	Func prim.Func
	Type prim.Type
	Args []Exp
}

// Select is Then or Else, of type Type; both may be evaluated.
type Select struct {
	Type             Type
	Cond, Then, Else Exp
}

// Load reads an element of a kernel's array.
type Load struct {
	Mem   Mem
	Index Exp
}

// Id is a number that tells threads apart, of type Idx.
type Id struct{ Kind IdKind }

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

func (*Const) isExp()    {}
func (*VarExp) isExp()   {}
func (*Un) isExp()       {}
func (*Bin) isExp()      {}
func (*Cmp) isExp()      {}
func (*Conv) isExp()     {}
func (*CallFunc) isExp() {}
func (*Select) isExp()   {}
func (*Load) isExp()     {}
func (*Id) isExp()       {}

// Match gives an expression to a rule, which says what it does with some and leaves the others as they are: Note [Three forms] in package
// core.
func Match(e Exp) any { return e }

// MatchStm is Match for statements.
func MatchStm(s Stm) any { return s }
