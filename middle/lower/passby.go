package lower

import (
	"slices"

	"skald/middle/core"
	"skald/runtime/prim"
)

// Note [Updates behind reads]
//
// A scatter waits until all threads have computed what it writes, where that has read the same array. It need not where no point writes
// what another point has read, as along the diagonals of a dynamic program:
//
//	let vs = segmap (i < n) {… xs[m - i, i] … xs[m - i + 1, i] …}       reads in the diagonals m and m + 1
//	let ys = withacc xs (… segmap (i < n) {xs[m - i + 1, i + 1] := vs[i]})     writes in the diagonal m + 2
//
// Both operations give point i to the same thread, which reads before it writes. Indices are linear in the point, and so are sums and
// differences of an element's indices: the elements are never the same where one of those does not depend on the point and differs, or
// where one is the same of both elements for equal points alone. All is computed modulo 2^32, so that conversions between integers of 32
// and 64 bits do not matter. An index that a branch chooses may be either; one below zero writes nothing.

// line is an integer modulo 2^32 that is linear in the number of the point.
type line struct {
	point, add uint32
	rest       map[core.Var]uint32 // what is the same for all points
	outside    bool                // below zero, as a constant
}

// plus is a + by*b.
func (a line) plus(by uint32, b line) line {
	out := line{point: a.point + by*b.point, add: a.add + by*b.add, rest: map[core.Var]uint32{}}
	for v, n := range a.rest {
		out.rest[v] = n
	}
	for v, n := range b.rest {
		if out.rest[v] += by * n; out.rest[v] == 0 {
			delete(out.rest, v)
		}
	}
	return out
}

// apart reports whether a and b differ whenever they are those of different points.
func (a line) apart(b line) bool {
	d := a.plus(^uint32(0), b)
	if len(d.rest) > 0 || d.point != 0 {
		return false
	}
	return a.point == 0 && d.add != 0 || a.point%2 == 1 && d.add == 0
}

// passing is the question whether an operation may write a block while points of the one before it read it.
type passing struct {
	c             *kernelBuilder
	first, second *core.SegMap
	results       []core.Param // of the first
	block         core.Var
	layout        *core.Layout
	defs          map[core.Var]definition
	reads, writes [][]core.Operand
}

// definition is the statement that defines a variable, as which of its results.
type definition struct {
	stm *core.Stm
	at  int
}

// mayPass reports whether the operation s may write a block without a barrier behind r, which read it: Note [Updates behind reads].
func (c *kernelBuilder) mayPass(r, s *core.Stm, block core.Var) bool {
	if r == nil || s == nil || c.group.ways[r] != c.group.ways[s] {
		return false
	}
	first, ok1 := r.Exp.(*core.SegMap)
	second, ok2 := s.Exp.(*core.SegMap)
	if !ok1 || !ok2 || len(first.Space.Sizes) != 1 || !slices.Equal(first.Space.Sizes, second.Space.Sizes) ||
		first.Choice.Forms[0].Sequential || second.Choice.Forms[0].Sequential {
		return false
	}
	p := &passing{c: c, first: first, second: second, results: r.Dst, block: block, defs: map[core.Var]definition{}}
	for _, d := range r.Dst {
		if p.touches(d.Var) {
			return false
		}
	}
	for _, d := range s.Dst {
		if p.touches(d.Var) && (len(d.Type.Shape) != 1 || !p.access(&p.writes, d.Var, []core.Operand{core.V(second.Space.Ids[0])})) {
			return false
		}
	}
	return p.body(first.Body) && p.body(second.Body) && p.apart()
}

// touches reports whether an array lies where the block does.
func (p *passing) touches(v core.Var) bool {
	t := p.c.l.typeOf(v)
	return t.IsArray() && p.c.group.place(layoutMem(t)) == p.c.group.place(p.block)
}

// access notes an access to an element of an array, if it is one of the block and all accesses are to arrays of one layout.
func (p *passing) access(to *[][]core.Operand, array core.Var, at []core.Operand) bool {
	l := p.c.l.typeOf(array).Layout
	if l.Mem != p.block || p.layout != nil && !l.Equal(p.layout) {
		return false
	}
	p.layout = l
	*to = append(*to, at)
	return true
}

// body looks for accesses to the block; false is that it has some that are not understood.
func (p *passing) body(b *core.Body) bool {
	ok := true
	mentions := core.Mapper{
		Operand: func(o core.Operand) core.Operand { ok = ok && (o.Var == 0 || !p.touches(o.Var)); return o },
		Body:    func(b *core.Body) *core.Body { ok = ok && p.body(b); return b },
	}
	for _, s := range b.Stms {
		for i, d := range s.Dst {
			p.defs[d.Var] = definition{s, i}
		}
		switch e := core.Match(s.Exp).(type) {
		case *core.Index:
			if s.Dst[0].Type.IsScalar() && p.touches(e.Array) {
				ok = ok && p.access(&p.reads, e.Array, offsets(e.Slice))
				continue
			}
			mentions.VisitStm(s)
		case *core.UpdateAcc:
			for _, t := range p.c.l.accumulator(p.c.l.typeOf(e.Acc), e.Acc).types {
				if layoutMem(t) == p.block {
					ok = ok && (p.layout == nil || t.Layout.Equal(p.layout))
					p.layout = t.Layout
					p.writes = append(p.writes, e.Index)
				} else if p.c.group.place(layoutMem(t)) == p.c.group.place(p.block) {
					ok = false
				}
			}
		case core.Scalar, core.View, *core.If:
			mentions.VisitStm(s)
		default:
			return false
		}
	}
	for _, r := range b.Res {
		ok = ok && (r.Var == 0 || !p.touches(r.Var))
	}
	return ok
}

// offsets are the indices of an element.
func offsets(s core.Slice) []core.Operand {
	out := make([]core.Operand, len(s))
	for i, d := range s {
		out[i] = d.Off
	}
	return out
}

// apart reports whether no point writes what another one reads.
func (p *passing) apart() bool {
	if len(p.writes) == 0 {
		return false
	}
	var writes [][]line
	for _, at := range p.writes {
		ls, ok := p.element(at)
		if !ok {
			return false
		}
		writes = append(writes, ls...)
	}
	for _, at := range p.reads {
		reads, ok := p.element(at)
		if !ok {
			return false
		}
		for _, r := range reads {
			for _, w := range writes {
				if !elementsDiffer(r, w) {
					return false
				}
			}
		}
	}
	return true
}

// elementsDiffer reports whether elements of different points are not the same.
func elementsDiffer(r, w []line) bool {
	if slices.ContainsFunc(w, func(l line) bool { return l.outside }) {
		return true
	}
	var try func(d int, x, y line) bool
	try = func(d int, x, y line) bool {
		if d == len(r) {
			return x.apart(y)
		}
		for _, by := range []uint32{0, 1, ^uint32(0)} {
			if try(d+1, x.plus(by, r[d]), y.plus(by, w[d])) {
				return true
			}
		}
		return false
	}
	return try(0, line{}, line{})
}

// mostAlternatives bounds how many values an element's indices may have.
const mostAlternatives = 16

// element lists what the indices of an element may be.
func (p *passing) element(at []core.Operand) (out [][]line, ok bool) {
	out = [][]line{nil}
	for _, o := range at {
		ls, ok := p.lines(o)
		if !ok || len(out)*len(ls) > mostAlternatives {
			return nil, false
		}
		var next [][]line
		for _, front := range out {
			for _, l := range ls {
				next = append(next, append(slices.Clip(front), l))
			}
		}
		out = next
	}
	return out, true
}

// lines lists what an operand may be.
func (p *passing) lines(o core.Operand) ([]line, bool) {
	if n, ok := o.ConstInt(); ok {
		return []line{{add: uint32(n), outside: n < 0}}, true
	}
	if o.Var == 0 {
		return nil, false
	}
	if o.Var == p.first.Space.Ids[0] || o.Var == p.second.Space.Ids[0] {
		return []line{{point: 1}}, true
	}
	d, inside := p.defs[o.Var]
	if !inside {
		return []line{{rest: map[core.Var]uint32{o.Var: 1}}}, true
	}
	switch e := core.Match(d.stm.Exp).(type) {
	case *core.Use:
		return p.lines(e.X)
	case *core.Conv:
		if e.From.IsInt() && e.To.IsInt() && e.From.Size() >= 4 && e.To.Size() >= 4 {
			return p.lines(e.X)
		}
	case *core.Bin:
		return p.sum(e)
	case *core.If:
		x, okX := p.lines(e.Then.Res[d.at])
		y, okY := p.lines(e.Else.Res[d.at])
		return append(x, y...), okX && okY
	case *core.Index:
		if i := slices.IndexFunc(p.results, func(r core.Param) bool { return r.Var == e.Array }); i >= 0 &&
			len(e.Slice) == 1 && e.Slice[0].Fix && e.Slice[0].Off.IsVar(p.second.Space.Ids[0]) {
			return p.lines(p.first.Body.Res[i])
		}
	default:
	}
	return nil, false
}

// sum lists what a sum or difference may be, or a product with a constant.
func (p *passing) sum(e *core.Bin) (out []line, ok bool) {
	x, okX := p.lines(e.X)
	y, okY := p.lines(e.Y)
	if !okX || !okY || e.Type.Size() < 4 || !e.Type.IsInt() || len(x)*len(y) > mostAlternatives {
		return nil, false
	}
	for _, a := range x {
		for _, b := range y {
			switch n, isConst := e.Y.ConstInt(); {
			case e.Op == prim.Add:
				out = append(out, a.plus(1, b))
			case e.Op == prim.Sub:
				out = append(out, a.plus(^uint32(0), b))
			case e.Op == prim.Mul && isConst:
				out = append(out, line{}.plus(uint32(n), a))
			default:
				return nil, false
			}
		}
	}
	return out, true
}
