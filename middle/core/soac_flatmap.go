package core

// FlatMap runs a function at each index below Size, for the elements of Arrays, and lays the segments that it returns, which may differ in
// length, one behind the other. Body returns the length of the segment, its arrays, of which there are Segments and which have that length,
// and then what it returns besides. Results: the number of all elements, the lengths, where the segments begin, the elements, and what is
// returned besides.
//
//	flatmap f  FlatMap{Body: f}
//
// It is for the passes that want the function once. Pass flatmap makes SOACs of it.
type FlatMap struct {
	Size     Operand
	Arrays   []Var
	Params   []Param
	Body     *Body
	Segments int
}

// flatMapHead counts the results of a FlatMap before the elements: their number, the lengths, and where segments begin.
const flatMapHead = 3

func (*FlatMap) isSOAC() {}

func (e *FlatMap) parts(m Mapper) Exp {
	size, arrays := m.operand(e.Size), m.uses(e.Arrays)
	params := m.Params(e.Params)
	return &FlatMap{Size: size, Arrays: arrays, Params: params, Body: m.body(e.Body), Segments: e.Segments}
}

func (e *FlatMap) binders() []Param          { return e.Params }
func (*FlatMap) types(*Scope) ([]Type, bool) { return nil, false }
func (e *FlatMap) reads() []Var              { return e.Arrays }
func (*FlatMap) consumes() []Var             { return nil }

func (e *FlatMap) aliases(_ []Param, may func(Param, Operand)) {
	mayEach(e.Params, Vars(e.Arrays), may)
}

func (*FlatMap) mayFail() bool         { return false }
func (*FlatMap) pure() bool            { return false }
func (*FlatMap) parallel() bool        { return true }
func (*FlatMap) allowed(at place) bool { return at.stage == StageSOACS }

// Total is the number of all elements, as statement s, which holds the node, binds it.
func (*FlatMap) Total(s *Stm) Param { return s.Dst[0] }

// Lengths are how long the segments are.
func (*FlatMap) Lengths(s *Stm) Param { return s.Dst[1] }

// Starts are where the segments begin.
func (*FlatMap) Starts(s *Stm) Param { return s.Dst[2] }

// Elements are the results that have the segments one behind the other.
func (e *FlatMap) Elements(s *Stm) []Param { return s.Dst[flatMapHead : flatMapHead+e.Segments] }

// Rests are what the function returns besides, at each index.
func (e *FlatMap) Rests(s *Stm) []Param { return s.Dst[flatMapHead+e.Segments:] }

func (e *FlatMap) print(p *printer) {
	p.writef("flatmap %s (%s) segments %d (", p.op(e.Size), p.vars(e.Arrays), e.Segments)
	for i, q := range e.Params {
		if i > 0 {
			p.out.WriteString(", ")
		}
		p.out.WriteString(p.param(q))
	}
	p.out.WriteString(") ")
	p.body(e.Body)
}

func (p *parser) flatMap() Exp {
	e := &FlatMap{Size: p.op(), Arrays: p.vars()}
	p.expect("segments")
	e.Segments = p.int()
	e.Params = p.paramsList()
	e.Body = p.body()
	return e
}

func (e *FlatMap) verify(v *verifier, s *Stm) {
	rows := v.rows(e.Arrays, e.Size)
	if len(rows) != len(e.Params) {
		v.fail("a function of %d parameters for %d arrays", len(e.Params), len(rows))
	}
	for i, p := range e.Params {
		if !rows[i].Same(p.Type) {
			v.fail("parameter %s should have type %s", v.name(p.Var), PrintType(v.fun, rows[i]))
		}
	}
	if e.Segments < 1 || len(s.Dst) < flatMapHead+e.Segments || len(e.Body.Res) != len(s.Dst)-flatMapHead+1 {
		v.fail("%d results of a function with %d arrays of segments for %d", len(e.Body.Res), e.Segments, len(s.Dst))
	}
	total := V(e.Total(s).Var)
	outer := func(p Param, n Operand) {
		if !p.Type.IsArray() || p.Type.Shape[0] != n {
			v.fail("%s has type %s", v.name(p.Var), PrintType(v.fun, p.Type))
		}
	}
	if !e.Total(s).Type.Same(I64) || !e.Lengths(s).Type.Same(ArrayOf(I64, e.Size)) || !e.Starts(s).Type.Same(ArrayOf(I64, e.Size)) {
		v.fail("a number of elements, lengths and starts are of other types")
	}
	ret := []Type{I64}
	for _, p := range e.Elements(s) {
		outer(p, total)
		ret = append(ret, p.Type)
	}
	for _, p := range e.Rests(s) {
		outer(p, e.Size)
		ret = append(ret, p.Type.Row(1))
	}
	mark := append([]bool(nil), v.visible...)
	v.bindAll(e.Params)
	held := v.stm
	v.body(e.Body, ret, s.Dst[:1]) // The length of a segment is what the number of all elements is in their types.
	v.stm, v.visible = held, mark
}
