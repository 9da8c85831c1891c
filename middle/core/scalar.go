package core

import (
	"math"

	"skald/runtime/prim"
)

// Un applies a unary operator at Type.
type Un struct {
	Op   prim.UnOp
	Type prim.Type
	X    Operand
}

func (*Un) isScalar() {}

func (e *Un) parts(m Mapper) Exp {
	if x := m.operand(e.X); x != e.X {
		return &Un{e.Op, e.Type, x}
	}
	return e
}

func (*Un) binders() []Param                      { return nil }
func (e *Un) types(*Scope) ([]Type, bool)         { return oneType(ScalarType(e.Type)) }
func (*Un) reads() []Var                          { return nil }
func (*Un) consumes() []Var                       { return nil }
func (*Un) aliases([]Param, func(Param, Operand)) {}
func (*Un) mayFail() bool                         { return false }
func (*Un) pure() bool                            { return true }
func (*Un) parallel() bool                        { return false }
func (*Un) allowed(place) bool                    { return true }
func (e *Un) print(p *printer)                    { p.writef("%s.%s %s", e.Op, e.Type, p.op(e.X)) }
func (e *Un) verify(v *verifier, _ *Stm)          { v.want(e.X, ScalarType(e.Type), "operand") }

// Bin applies a binary operator; operands and result have Type.
type Bin struct {
	Op   prim.BinOp
	Type prim.Type
	X, Y Operand
}

func (*Bin) isScalar() {}

func (e *Bin) parts(m Mapper) Exp {
	if x, y := m.operand(e.X), m.operand(e.Y); x != e.X || y != e.Y {
		return &Bin{e.Op, e.Type, x, y}
	}
	return e
}

func (*Bin) binders() []Param                      { return nil }
func (e *Bin) types(*Scope) ([]Type, bool)         { return oneType(ScalarType(e.Type)) }
func (*Bin) reads() []Var                          { return nil }
func (*Bin) consumes() []Var                       { return nil }
func (*Bin) aliases([]Param, func(Param, Operand)) {}

// mayFail is false although a quotient by zero is none: an assertion that the divisor is not zero comes first.
func (*Bin) mayFail() bool                { return false }
func (*Bin) pure() bool                   { return true }
func (*Bin) parallel() bool               { return false }
func (*Bin) allowed(place) bool           { return true }
func (e *Bin) print(p *printer)           { p.writef("%s.%s %s %s", e.Op, e.Type, p.op(e.X), p.op(e.Y)) }
func (e *Bin) verify(v *verifier, _ *Stm) { v.wantBoth(e.X, e.Y, ScalarType(e.Type)) }

// Cmp compares operands of Type and returns a bool.
type Cmp struct {
	Op   prim.CmpOp
	Type prim.Type
	X, Y Operand
}

func (*Cmp) isScalar() {}

func (e *Cmp) parts(m Mapper) Exp {
	if x, y := m.operand(e.X), m.operand(e.Y); x != e.X || y != e.Y {
		return &Cmp{e.Op, e.Type, x, y}
	}
	return e
}

func (*Cmp) binders() []Param                      { return nil }
func (*Cmp) types(*Scope) ([]Type, bool)           { return oneType(BoolType) }
func (*Cmp) reads() []Var                          { return nil }
func (*Cmp) consumes() []Var                       { return nil }
func (*Cmp) aliases([]Param, func(Param, Operand)) {}
func (*Cmp) mayFail() bool                         { return false }
func (*Cmp) pure() bool                            { return true }
func (*Cmp) parallel() bool                        { return false }
func (*Cmp) allowed(place) bool                    { return true }
func (e *Cmp) print(p *printer)                    { p.writef("%s.%s %s %s", e.Op, e.Type, p.op(e.X), p.op(e.Y)) }
func (e *Cmp) verify(v *verifier, _ *Stm)          { v.wantBoth(e.X, e.Y, ScalarType(e.Type)) }

// Conv converts between primitive types.
type Conv struct {
	From, To prim.Type
	X        Operand
}

func (*Conv) isScalar() {}

func (e *Conv) parts(m Mapper) Exp {
	if x := m.operand(e.X); x != e.X {
		return &Conv{e.From, e.To, x}
	}
	return e
}

func (*Conv) binders() []Param                      { return nil }
func (e *Conv) types(*Scope) ([]Type, bool)         { return oneType(ScalarType(e.To)) }
func (*Conv) reads() []Var                          { return nil }
func (*Conv) consumes() []Var                       { return nil }
func (*Conv) aliases([]Param, func(Param, Operand)) {}
func (*Conv) mayFail() bool                         { return false }
func (*Conv) pure() bool                            { return true }
func (*Conv) parallel() bool                        { return false }
func (*Conv) allowed(place) bool                    { return true }
func (e *Conv) print(p *printer)                    { p.writef("conv.%s.%s %s", e.From, e.To, p.op(e.X)) }
func (e *Conv) verify(v *verifier, _ *Stm)          { v.want(e.X, ScalarType(e.From), "operand") }

// CallFunc calls a built-in function at Type (of its first argument).
type CallFunc struct {
	Func prim.Func
	Type prim.Type
	Args []Operand
}

func (*CallFunc) isScalar() {}
func (e *CallFunc) parts(m Mapper) Exp {
	args := m.operands(e.Args)
	if sameSlice(args, e.Args) {
		return e
	}
	return &CallFunc{e.Func, e.Type, args}
}

func (*CallFunc) binders() []Param                      { return nil }
func (e *CallFunc) types(*Scope) ([]Type, bool)         { return oneType(ScalarType(e.Func.Result(e.Type))) }
func (*CallFunc) reads() []Var                          { return nil }
func (*CallFunc) consumes() []Var                       { return nil }
func (*CallFunc) aliases([]Param, func(Param, Operand)) {}
func (*CallFunc) mayFail() bool                         { return false }
func (*CallFunc) pure() bool                            { return true }
func (*CallFunc) parallel() bool                        { return false }
func (*CallFunc) allowed(place) bool                    { return true }
func (e *CallFunc) print(p *printer)                    { p.writef("%s.%s (%s)", e.Func, e.Type, p.ops(e.Args)) }

func (e *CallFunc) verify(v *verifier, _ *Stm) {
	var ts []Type
	for _, t := range e.Func.Params(e.Type) {
		ts = append(ts, ScalarType(t))
	}
	v.wantAll(e.Args, ts, nil, "argument")
}

// Tune is a number, an i64, that autotuning may set: the threshold called Name. Class
// says what it bounds, and so what it is unless somebody sets it.
type Tune struct{ Name, Class string }

// Classes of tuning parameters. Those that a program has itself, #[param(NAME)] X, are TuneUnset, and then X is taken, unless somebody sets
// them. Thresholds are numbers of points that run side by side: enough to keep the device busy, or to saturate it. On devices where costs
// decide between versions (facts.Facts.Threshold) they are TuneUnset, too.
const (
	ClassParam     = "param"
	ClassThreshold = "threshold"
	ClassSaturated = "saturated"
	// ClassIntra is the class of the least parallelism inside of a map for which a workgroup has each of its points.
	ClassIntra = "intra"
	// ClassRow is the class of the fewest elements of the longest of rows of different lengths that several threads share; LeastRow unless
	// somebody sets it.
	ClassRow  = "row"
	LeastRow  = 128
	TuneUnset = math.MinInt64
)

func (*Tune) isScalar()                             {}
func (e *Tune) parts(Mapper) Exp                    { return e }
func (*Tune) binders() []Param                      { return nil }
func (*Tune) types(*Scope) ([]Type, bool)           { return oneType(I64) }
func (*Tune) reads() []Var                          { return nil }
func (*Tune) consumes() []Var                       { return nil }
func (*Tune) aliases([]Param, func(Param, Operand)) {}
func (*Tune) mayFail() bool                         { return false }
func (*Tune) pure() bool                            { return true }
func (*Tune) parallel() bool                        { return false }
func (e *Tune) allowed(at place) bool               { return at.stage != StageSOACS || e.Class == ClassParam }
func (e *Tune) print(p *printer)                    { p.writef("tune %q %q", e.Name, e.Class) }
func (*Tune) verify(*verifier, *Stm)                {}

// Fact is an i64 known when the device is: what Name says, such as
// "workgroup_memory".
type Fact struct{ Name string }

func (*Fact) isScalar()                             {}
func (e *Fact) parts(Mapper) Exp                    { return e }
func (*Fact) binders() []Param                      { return nil }
func (*Fact) types(*Scope) ([]Type, bool)           { return oneType(I64) }
func (*Fact) reads() []Var                          { return nil }
func (*Fact) consumes() []Var                       { return nil }
func (*Fact) aliases([]Param, func(Param, Operand)) {}
func (*Fact) mayFail() bool                         { return false }
func (*Fact) pure() bool                            { return true }
func (*Fact) parallel() bool                        { return false }
func (*Fact) allowed(at place) bool                 { return at.stage != StageSOACS }
func (e *Fact) print(p *printer)                    { p.writef("fact %q", e.Name) }
func (*Fact) verify(*verifier, *Stm)                {}
