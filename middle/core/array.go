package core

import "skald/runtime/prim"

// ArrayLit is an array of the given rows, each of type Row, at least one.
type ArrayLit struct {
	Row   Type
	Elems []Operand
}

func (*ArrayLit) isMemory() {}
func (e *ArrayLit) parts(m Mapper) Exp {
	row, elems := m.Type(e.Row), m.operands(e.Elems)
	if sameType(row, e.Row) && sameSlice(elems, e.Elems) {
		return e
	}
	return &ArrayLit{row, elems}
}

func (*ArrayLit) binders() []Param { return nil }
func (e *ArrayLit) types(*Scope) ([]Type, bool) {
	return oneType(ArrayOf(e.Row, Int(int64(len(e.Elems)))))
}

func (e *ArrayLit) reads() []Var {
	if e.Row.IsScalar() {
		return nil
	}
	return varsOf(e.Elems)
}

func (*ArrayLit) consumes() []Var                       { return nil }
func (*ArrayLit) aliases([]Param, func(Param, Operand)) {}
func (*ArrayLit) mayFail() bool                         { return false }
func (*ArrayLit) pure() bool                            { return false }
func (*ArrayLit) parallel() bool                        { return false }
func (*ArrayLit) allowed(place) bool                    { return true }
func (e *ArrayLit) print(p *printer)                    { p.writef("array %s (%s)", p.typ(e.Row), p.ops(e.Elems)) }

func (e *ArrayLit) verify(v *verifier, _ *Stm) {
	for _, x := range e.Elems {
		v.want(x, stripLayout(e.Row), "element")
	}
}

// Update overwrites a part of an array in place. It consumes Array; the
// result is the array after the change.
type Update struct {
	Array Var
	Slice Slice
	Value Operand
}

func (*Update) isMemory() {}
func (e *Update) parts(m Mapper) Exp {
	array, slice, value := m.use(e.Array), m.slice(e.Slice), m.operand(e.Value)
	if array == e.Array && sameSlice(slice, e.Slice) && value == e.Value {
		return e
	}
	return &Update{array, slice, value}
}
func (*Update) binders() []Param                { return nil }
func (e *Update) types(s *Scope) ([]Type, bool) { return oneType(s.TypeOf(e.Array)) }

// reads has the value, which is an array where the slice has ranges.
func (e *Update) reads() []Var {
	for _, d := range e.Slice {
		if !d.Fix {
			return varsOf([]Operand{e.Value})
		}
	}
	return nil
}

func (e *Update) consumes() []Var                               { return []Var{e.Array} }
func (e *Update) aliases(dst []Param, may func(Param, Operand)) { may(dst[0], V(e.Array)) }
func (*Update) mayFail() bool                                   { return false }
func (*Update) pure() bool                                      { return false }
func (*Update) parallel() bool                                  { return false }
func (*Update) allowed(place) bool                              { return true }

func (e *Update) print(p *printer) {
	p.writef("update %s [%s] %s", p.v(e.Array), p.slice(e.Slice), p.op(e.Value))
}

func (e *Update) verify(v *verifier, _ *Stm) {
	t := v.array(e.Array)
	v.slice(t, e.Slice)
	v.want(e.Value, SliceType(t, e.Slice), "value")
}

// Concat joins arrays along their outer dimension, whose size is then Size.
type Concat struct {
	Size   Operand
	Arrays []Var
}

func (*Concat) isMemory() {}
func (e *Concat) parts(m Mapper) Exp {
	size, arrays := m.operand(e.Size), m.uses(e.Arrays)
	if size == e.Size && sameSlice(arrays, e.Arrays) {
		return e
	}
	return &Concat{size, arrays}
}

func (*Concat) binders() []Param { return nil }

func (e *Concat) types(s *Scope) ([]Type, bool) {
	return oneType(ArrayOf(s.TypeOf(e.Arrays[0]).Row(1), e.Size))
}

func (e *Concat) reads() []Var                        { return e.Arrays }
func (*Concat) consumes() []Var                       { return nil }
func (*Concat) aliases([]Param, func(Param, Operand)) {}
func (*Concat) mayFail() bool                         { return false }
func (*Concat) pure() bool                            { return false }
func (*Concat) parallel() bool                        { return false }
func (*Concat) allowed(at place) bool                 { return at.stage == StageSOACS }
func (e *Concat) print(p *printer)                    { p.writef("concat %s (%s)", p.op(e.Size), p.vars(e.Arrays)) }

func (e *Concat) verify(v *verifier, _ *Stm) {
	v.want(e.Size, I64, "size")
	for _, a := range e.Arrays {
		v.array(a)
	}
}

// Iota is Start, Start+Step, ... : N numbers of Type.
type Iota struct {
	Type           prim.Type
	N, Start, Step Operand
}

// CountsFromZero reports whether the elements are 0, 1, 2 and so on, as indices are.
func (e *Iota) CountsFromZero() bool {
	return e.Type == prim.I64 && e.Start == Int(0) && e.Step == Int(1)
}

func (*Iota) isMemory() {}
func (e *Iota) parts(m Mapper) Exp {
	out := Iota{e.Type, m.operand(e.N), m.operand(e.Start), m.operand(e.Step)}
	if out == *e {
		return e
	}
	return &out
}
func (*Iota) binders() []Param                      { return nil }
func (e *Iota) types(*Scope) ([]Type, bool)         { return oneType(ArrayOf(ScalarType(e.Type), e.N)) }
func (*Iota) reads() []Var                          { return nil }
func (*Iota) consumes() []Var                       { return nil }
func (*Iota) aliases([]Param, func(Param, Operand)) {}
func (*Iota) mayFail() bool                         { return false }
func (*Iota) pure() bool                            { return false }
func (*Iota) parallel() bool                        { return false }
func (*Iota) allowed(at place) bool                 { return at.stage == StageSOACS }

func (e *Iota) print(p *printer) {
	p.writef("iota.%s %s %s %s", e.Type, p.op(e.N), p.op(e.Start), p.op(e.Step))
}

func (e *Iota) verify(v *verifier, _ *Stm) {
	v.want(e.N, I64, "length")
	v.want(e.Start, ScalarType(e.Type), "start")
	v.want(e.Step, ScalarType(e.Type), "step")
}

// Replicate makes an array of Shape with X, a scalar or an array, everywhere.
type Replicate struct {
	Shape []Operand
	X     Operand
}

func (*Replicate) isMemory() {}
func (e *Replicate) parts(m Mapper) Exp {
	shape, x := m.operands(e.Shape), m.operand(e.X)
	if sameSlice(shape, e.Shape) && x == e.X {
		return e
	}
	return &Replicate{shape, x}
}
func (*Replicate) binders() []Param { return nil }

func (e *Replicate) types(s *Scope) ([]Type, bool) {
	return oneType(ArrayOf(s.OperandType(e.X), e.Shape...))
}

// reads has what is replicated, whether it is an array or not.
func (e *Replicate) reads() []Var                        { return varsOf([]Operand{e.X}) }
func (*Replicate) consumes() []Var                       { return nil }
func (*Replicate) aliases([]Param, func(Param, Operand)) {}
func (*Replicate) mayFail() bool                         { return false }
func (*Replicate) pure() bool                            { return false }
func (*Replicate) parallel() bool                        { return false }
func (*Replicate) allowed(at place) bool                 { return at.stage == StageSOACS }
func (e *Replicate) print(p *printer)                    { p.writef("replicate [%s] %s", p.ops(e.Shape), p.op(e.X)) }

func (e *Replicate) verify(v *verifier, _ *Stm) {
	v.sizes(e.Shape)
	v.operand(e.X)
}

// Scratch is an array of undefined contents.
type Scratch struct {
	Elem  prim.Type
	Shape []Operand
}

func (*Scratch) isMemory() {}
func (e *Scratch) parts(m Mapper) Exp {
	shape := m.operands(e.Shape)
	if sameSlice(shape, e.Shape) {
		return e
	}
	return &Scratch{e.Elem, shape}
}

func (*Scratch) binders() []Param { return nil }
func (e *Scratch) types(*Scope) ([]Type, bool) {
	return oneType(ArrayOf(ScalarType(e.Elem), e.Shape...))
}
func (*Scratch) reads() []Var                          { return nil }
func (*Scratch) consumes() []Var                       { return nil }
func (*Scratch) aliases([]Param, func(Param, Operand)) {}
func (*Scratch) mayFail() bool                         { return false }
func (*Scratch) pure() bool                            { return false }
func (*Scratch) parallel() bool                        { return false }
func (*Scratch) allowed(place) bool                    { return true }
func (e *Scratch) print(p *printer)                    { p.writef("scratch %s [%s]", e.Elem, p.ops(e.Shape)) }
func (e *Scratch) verify(v *verifier, _ *Stm)          { v.sizes(e.Shape) }

// Copy is a copy of an array that nothing else refers to.
type Copy struct{ Array Var }

func (*Copy) isMemory() {}
func (e *Copy) parts(m Mapper) Exp {
	if a := m.use(e.Array); a != e.Array {
		return &Copy{a}
	}
	return e
}

func (*Copy) binders() []Param                      { return nil }
func (e *Copy) types(s *Scope) ([]Type, bool)       { return oneType(s.TypeOf(e.Array)) }
func (e *Copy) reads() []Var                        { return []Var{e.Array} }
func (*Copy) consumes() []Var                       { return nil }
func (*Copy) aliases([]Param, func(Param, Operand)) {}
func (*Copy) mayFail() bool                         { return false }
func (*Copy) pure() bool                            { return false }
func (*Copy) parallel() bool                        { return false }
func (*Copy) allowed(place) bool                    { return true }
func (e *Copy) print(p *printer)                    { p.writef("copy %s", p.v(e.Array)) }
func (e *Copy) verify(v *verifier, _ *Stm)          { v.array(e.Array) }

// Transposition is the permutation of so many dimensions that swaps the first two.
func Transposition(rank int) []int {
	perm := make([]int, rank)
	for d := range perm {
		perm[d] = d
	}
	if rank > 1 {
		perm[0], perm[1] = 1, 0
	}
	return perm
}
