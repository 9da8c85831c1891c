package core

import (
	"slices"

	"skald/runtime/prim"
)

// SegMap runs Body at each point of Space. Body's results have types Ret; a
// result of array type is an accumulator-free value that the point writes. The
// results of SegMap have Space's sizes in front of Ret, so those of a space without
// dimensions, which has one point, may be scalars; accumulators, which
// Body may return, are themselves the result.
type SegMap struct {
	Level Level
	Space Space
	Body  *Body
	Ret   []Type
	// Tiling is nil for points that do not work together.
	Tiling *Tiling
	// Choice is nil before the stage of choices.
	Choice *Choice
}

// SpaceOf implements Seg.
func (e *SegMap) SpaceOf() Space { return e.Space }

func (e *SegMap) choice() *Choice { return e.Choice }

func (e *SegMap) parts(m Mapper) Exp {
	ret, space := m.types(e.Ret), m.space(e.Space)
	body := m.body(e.Body)
	if body == e.Body && sameSlice(ret, e.Ret) && sameSpace(space, e.Space) {
		return e
	}
	return &SegMap{e.Level, space, body, ret, e.Tiling, e.Choice}
}

func (e *SegMap) binders() []Param { return e.Space.params() }

func (e *SegMap) types(*Scope) ([]Type, bool) { return shaped(e.Ret, e.Space.Sizes), true }

func (*SegMap) reads() []Var    { return nil }
func (*SegMap) consumes() []Var { return nil }

func (e *SegMap) aliases(dst []Param, may func(Param, Operand)) { mayAccs(dst, e.Body, may) }

func (*SegMap) mayFail() bool  { return false }
func (*SegMap) pure() bool     { return false }
func (*SegMap) parallel() bool { return true }

func (e *SegMap) allowed(at place) bool {
	return at.segmented(e.Level) && (e.Space.Slot == 0 || at.stage.HasMemory() && e.Level == LevelGrid)
}

func (e *SegMap) print(p *printer) {
	p.segHead("segmap", e.Level, e.Space, e.Ret, e.Choice)
	p.tiling(e.Tiling)
	p.body(e.Body)
}

func (e *SegMap) verify(v *verifier, _ *Stm) {
	v.tiling(e.Tiling, e.Space)
	v.choice(e.Choice, chosenOf(nodeMap, e.Level, e.Space, 0))
	v.seg(e.Level, e.Space, e.Body, e.Ret)
}

// SegRed reduces along the innermost dimension of Space, for each point of
// the other dimensions (a segment). Body's first results are the inputs of Ops;
// the rest are kept. Results: for each segment what Ops give, then for each
// point what is kept.
type SegRed struct {
	Level Level
	Space Space
	Ops   []Operator
	Body  *Body
	Ret   []Type
	// Choice is nil before the stage of choices.
	Choice *Choice
}

// SpaceOf implements Seg.
func (e *SegRed) SpaceOf() Space { return e.Space }

func (e *SegRed) choice() *Choice { return e.Choice }

func (e *SegRed) parts(m Mapper) Exp {
	ret, ops, space := m.types(e.Ret), m.operators(e.Ops), m.space(e.Space)
	body := m.body(e.Body)
	if body == e.Body && sameSlice(ret, e.Ret) && sameSlice(ops, e.Ops) && sameSpace(space, e.Space) {
		return e
	}
	return &SegRed{e.Level, space, ops, body, ret, e.Choice}
}

func (e *SegRed) binders() []Param { return e.Space.params() }

func (e *SegRed) types(*Scope) ([]Type, bool) {
	w := Width(e.Ops)
	segs := e.Space.Sizes[:len(e.Space.Sizes)-1]
	return append(shaped(e.Ret[:w], segs), shaped(e.Ret[w:], e.Space.Sizes)...), true
}

func (*SegRed) reads() []Var    { return nil }
func (*SegRed) consumes() []Var { return nil }

func (e *SegRed) aliases(dst []Param, may func(Param, Operand)) {
	mayOperators(e.Ops, may)
	mayAccs(dst, e.Body, may)
}

func (*SegRed) mayFail() bool  { return false }
func (*SegRed) pure() bool     { return false }
func (*SegRed) parallel() bool { return true }

func (e *SegRed) allowed(at place) bool {
	return at.segmented(e.Level) && e.Level != LevelGroup && e.Space.Slot == 0
}

func (e *SegRed) print(p *printer) {
	p.segOps("segred", e.Level, e.Space, e.Ret, e.Choice, e.Ops, e.Body)
}

func (e *SegRed) verify(v *verifier, _ *Stm) {
	v.operators(e.Ops)
	v.choice(e.Choice, chosenOf(nodeRed, e.Level, e.Space, 1))
	v.seg(e.Level, e.Space, e.Body, e.Ret)
}

// SegScan is the inclusive scan along the innermost dimension of Space for
// each segment. Body's first results are the inputs of Ops; the rest are kept.
// Results, all with Space's sizes in front: the scanned values, what is kept.
//
// Post, if there is one, is a map of those results: at each point it gets the scanned values and what is kept there, and sees the ids of
// Space. Its results take their place. It works on scalars, and may update accumulators, which are results then.
type SegScan struct {
	Level Level
	Space Space
	Ops   []Operator
	Body  *Body
	Ret   []Type
	// Post is nil for results as they are.
	Post *Lambda
	// Choice is nil before the stage of choices.
	Choice *Choice
}

// SpaceOf implements Seg.
func (e *SegScan) SpaceOf() Space { return e.Space }

func (e *SegScan) choice() *Choice { return e.Choice }

func (e *SegScan) parts(m Mapper) Exp {
	ret, ops, space := m.types(e.Ret), m.operators(e.Ops), m.space(e.Space)
	body, post := m.body(e.Body), m.lambda(e.Post)
	if body == e.Body && post == e.Post && sameSlice(ret, e.Ret) && sameSlice(ops, e.Ops) && sameSpace(space, e.Space) {
		return e
	}
	return &SegScan{e.Level, space, ops, body, ret, post, e.Choice}
}

func (e *SegScan) binders() []Param { return e.Space.params() }

// Results are what the points return: what Post makes, or what Ret says.
func (e *SegScan) Results() []Type {
	if e.Post != nil {
		return e.Post.Ret
	}
	return e.Ret
}

func (e *SegScan) types(*Scope) ([]Type, bool) { return shaped(e.Results(), e.Space.Sizes), true }

func (*SegScan) reads() []Var    { return nil }
func (*SegScan) consumes() []Var { return nil }

func (e *SegScan) aliases(dst []Param, may func(Param, Operand)) {
	mayOperators(e.Ops, may)
	if e.Post != nil {
		mayAccs(dst, e.Post.Body, may)
		return
	}
	mayAccs(dst, e.Body, may)
}

func (*SegScan) mayFail() bool  { return false }
func (*SegScan) pure() bool     { return false }
func (*SegScan) parallel() bool { return true }

func (e *SegScan) allowed(at place) bool {
	return at.segmented(e.Level) && e.Level != LevelGroup && e.Space.Slot == 0
}

func (e *SegScan) print(p *printer) {
	p.segOps("segscan", e.Level, e.Space, e.Ret, e.Choice, e.Ops, e.Body)
	if e.Post != nil {
		p.out.WriteString(" post ")
		p.lambda(e.Post)
	}
}

func (e *SegScan) verify(v *verifier, _ *Stm) {
	v.operators(e.Ops)
	v.choice(e.Choice, chosenOf(nodeScan, e.Level, e.Space, 0))
	v.seg(e.Level, e.Space, e.Body, e.Ret)
	if e.Post != nil {
		v.segPost(e.Level, e.Space, e.Post, e.Ret)
	}
}

// Narrows reports whether a map of what scans of some operators return makes elements that share a word of memory with others, of elements
// that do not.
func Narrows(ops []Operator, ret []Type) bool {
	shares := func(t Type) bool { return t.Kind == KindScalar && t.Elem.Size() < prim.U32.Size() }
	scanned := func(op Operator) bool { return slices.ContainsFunc(op.Lambda.Ret, shares) }
	return slices.ContainsFunc(ret, shares) && !slices.ContainsFunc(ops, scanned)
}

// SegHist updates, for each segment (all dimensions of Space but the
// innermost), histograms of its own: Dests have the segments' sizes in front of
// Shape. Body's results are as those of Hist.Bucket.
type SegHist struct {
	Level Level
	Space Space
	Ops   []HistOp
	Body  *Body
	Ret   []Type
	// Choice is nil before the stage of choices.
	Choice *Choice
}

// SpaceOf implements Seg.
func (e *SegHist) SpaceOf() Space { return e.Space }

func (e *SegHist) choice() *Choice { return e.Choice }

func (e *SegHist) parts(m Mapper) Exp {
	ret, ops, space := m.types(e.Ret), m.histOps(e.Ops), m.space(e.Space)
	body := m.body(e.Body)
	if body == e.Body && sameSlice(ret, e.Ret) && sameSlice(ops, e.Ops) && sameSpace(space, e.Space) {
		return e
	}
	return &SegHist{e.Level, space, ops, body, ret, e.Choice}
}

func (e *SegHist) binders() []Param { return e.Space.params() }

func (e *SegHist) types(s *Scope) ([]Type, bool) { return s.destTypes(e.Ops), true }

func (e *SegHist) reads() []Var    { return destsOf(e.Ops) }
func (e *SegHist) consumes() []Var { return destsOf(e.Ops) }

func (e *SegHist) aliases(dst []Param, may func(Param, Operand)) { mayHistOps(dst, e.Ops, may) }

func (*SegHist) mayFail() bool  { return false }
func (*SegHist) pure() bool     { return false }
func (*SegHist) parallel() bool { return true }

func (e *SegHist) allowed(at place) bool {
	return at.segmented(e.Level) && e.Level != LevelGroup && e.Space.Slot == 0
}

func (e *SegHist) print(p *printer) {
	p.segHead("seghist", e.Level, e.Space, e.Ret, e.Choice)
	p.out.WriteString("ops")
	p.histOps(e.Ops)
	p.body(e.Body)
}

func (e *SegHist) verify(v *verifier, _ *Stm) {
	v.histOps(e.Ops, e.Space.Sizes[:len(e.Space.Sizes)-1])
	v.choice(e.Choice, chosenOf(nodeHist, e.Level, e.Space, len(e.Ops)))
	v.seg(e.Level, e.Space, e.Body, e.Ret)
}
