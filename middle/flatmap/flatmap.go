package flatmap

import (
	"skald/middle/core"
	"skald/middle/functions"
	"skald/middle/pass"
	"skald/runtime/prim"
)

// Note [Flat maps]
// ~~~~~~~~~~~~~~~~
// The arrays that a map makes have one shape, so a map of segments of different lengths becomes two: the first computes the lengths, whose
// sums say where segments begin, and the second writes the elements there, through an accumulator. Its function is one body until then, so
// it is inlined, simplified and fused once.
//
// It also runs once, as far as it can. What the lengths depend on is computed by the first map; what the elements need of it besides is
// returned by that map as an array over all points, and the second starts from there (a filter's flags and sums are computed once; only
// the scatter is left to the second). Two things are computed again instead: what costs nothing (scalars of scalars, views, iota), and
// what has a size of the point's own, as no array has room for it, or is overwritten before the function ends.

// Pass makes SOACs of flat maps.
var Pass = pass.Pass[*core.Prog, *core.Prog]{
	Name: "flatmap",
	Doc:  "make two maps of each map of segments, one that computes their lengths and one that fills them in",
	Run:  func(_ *pass.Context, p *core.Prog) *core.Prog { return functions.Map(p, function) },
}

// Wanted reports whether a program has flat maps.
func Wanted(p *core.Prog) bool { return p.Any(isFlat) }

func isFlat(e core.Exp) bool {
	_, ok := e.(*core.FlatMap)
	return ok
}

// function is f without flat maps. The innermost go first, so that those around them see what they have become.
func function(f *core.Fun) *core.Fun {
	for core.Any(f.Body, isFlat) {
		f = withoutInnermost(f)
	}
	return f
}

// withoutInnermost is f without the flat maps that have no others inside.
func withoutInnermost(f *core.Fun) *core.Fun {
	g := *f
	g.Names = append([]string(nil), f.Names...)
	b := core.NewBuilder(&g, core.ScopeOf(f))
	aliases := core.AliasesOf(f)
	var body func(old *core.Body) *core.Body
	body = func(old *core.Body) *core.Body {
		in := b.Nested()
		for _, s := range old.Stms {
			e, ok := s.Exp.(*core.FlatMap)
			if !ok || core.Any(e.Body, isFlat) {
				in.Add(&core.Stm{Dst: s.Dst, Exp: core.MapBodies(s.Exp, body), Aux: s.Aux})
				continue
			}
			x := &expansion{b: in, stm: s, flat: e, aliases: aliases}
			x.plan()
			in.Where, in.Attrs, in.Certs = s.Aux.Where, s.Aux.Attrs, s.Aux.Certs
			x.expand()
			in.Where, in.Attrs, in.Certs = b.Where, nil, nil
		}
		return in.Body(old.Res...)
	}
	g.Body = body(f.Body)
	return &g
}

// expansion is one flat map that becomes SOACs.
type expansion struct {
	b       *core.Builder
	stm     *core.Stm
	flat    *core.FlatMap
	aliases *core.Aliases
	// first has the statements of the first map, again the first results of those of the second, and kept what that gets from the first.
	first *core.Body
	again map[core.Var]bool
	kept  []core.Param
}

// expand adds the SOACs.
func (x *expansion) expand() {
	e, s := x.flat, x.stm
	n := e.Size
	total, lengths, starts := e.Total(s), e.Lengths(s), e.Starts(s)
	first := append([]core.Operand{e.Body.Res[0]}, e.Body.Res[1+e.Segments:]...)
	dst := append([]core.Param{lengths}, e.Rests(s)...)
	var keptArrays []core.Var
	for _, p := range x.kept {
		if e.Body.Res[0].IsVar(p.Var) {
			keptArrays = append(keptArrays, lengths.Var)
			continue
		}
		first = append(first, core.V(p.Var))
		q := x.b.Param(x.b.Fun.Base(p.Var), core.ArrayOf(p.Type, n))
		dst, keptArrays = append(dst, q), append(keptArrays, q.Var)
	}
	ret := make([]core.Type, len(dst))
	for i, p := range dst {
		ret[i] = p.Type.Row(1)
	}
	measure := &core.Lambda{Params: e.Params, Body: &core.Body{Stms: x.first.Stms, Res: first}, Ret: ret}
	x.b.Bind(dst, &core.Screma{Size: n, Arrays: e.Arrays, Map: measure})
	x.places(n, total, lengths, starts)

	var blank []core.Var
	var rows []core.Type
	for _, p := range e.Elements(s) {
		zero := &core.Replicate{Shape: p.Type.Shape, X: core.C(prim.Zero(p.Type.Elem))}
		blank, rows = append(blank, x.b.LetVar("blank", zero)), append(rows, p.Type.Row(1))
	}
	acc := x.b.Param("acc", core.Type{})
	acc.Type = core.AccType(acc.Var)
	x.b.Scope.Bind(acc)
	arrays := append(append([]core.Var{starts.Var}, keptArrays...), e.Arrays...)
	lam := x.b.LambdaOf([]core.Param{acc}, []core.Type{acc.Type}, func(b *core.Builder, _ []core.Operand) []core.Operand {
		return []core.Operand{b.Let("acc", &core.Screma{Size: n, Arrays: arrays, Map: x.fill(b, acc, rows)})}
	})
	input := core.AccInput{Shape: []core.Operand{core.V(total.Var)}, Arrays: blank}
	x.b.Bind(e.Elements(s), &core.WithAcc{Inputs: []core.AccInput{input}, Lambda: lam})
}

// places binds where segments begin, and the number of all elements.
func (x *expansion) places(n core.Operand, total, lengths, starts core.Param) {
	b := x.b
	ints := []core.Type{core.I64, core.I64}
	add := b.Lambda("x", ints, ints[:1], func(b *core.Builder, ps []core.Operand) []core.Operand {
		return []core.Operand{b.Bin(prim.Add, ps[0], ps[1])}
	})
	ends := b.LetVar("end", &core.Screma{
		Size: n, Arrays: []core.Var{lengths.Var}, Map: b.Identity(ints[:1]),
		Scans: []core.Operator{{Lambda: add, Neutral: []core.Operand{core.Int(0)}}},
	})
	before := b.Lambda("x", ints, ints[:1], func(b *core.Builder, ps []core.Operand) []core.Operand {
		return []core.Operand{b.Bin(prim.Sub, ps[0], ps[1])}
	})
	b.Bind([]core.Param{starts}, &core.Screma{Size: n, Arrays: []core.Var{ends, lengths.Var}, Map: before})
	b.IfParams([]core.Param{total}, b.Cmp(prim.Eq, n, core.Int(0)),
		func(*core.Builder) []core.Operand { return []core.Operand{core.Int(0)} },
		func(b *core.Builder) []core.Operand {
			return []core.Operand{b.Index("total", ends, b.Sub64(n, core.Int(1)))}
		})
}

// fill is the function of the second map, of where a segment begins, of what the first map kept, and of the elements of the arrays: it
// writes the segment.
func (x *expansion) fill(b *core.Builder, acc core.Param, rows []core.Type) *core.Lambda {
	e := x.flat
	rest := &core.Body{Res: e.Body.Res[:1+e.Segments]}
	for _, s := range e.Body.Stms {
		if len(s.Dst) > 0 && x.again[s.Dst[0].Var] {
			rest.Stms = append(rest.Stms, s)
		}
	}
	before := &core.Lambda{Params: append(append([]core.Param(nil), x.kept...), e.Params...), Body: rest}
	params := append([]core.Type{core.I64}, core.ParamTypes(before.Params)...)
	return b.Lambda("x", params, []core.Type{acc.Type}, func(b *core.Builder, ps []core.Operand) []core.Operand {
		const renamed = true
		segment := b.Apply(before, renamed, ps[1:]...)
		length, elements := segment[0], make([]core.Var, e.Segments)
		for i, y := range segment[1:] {
			elements[i] = y.Var
		}
		is := b.LetVar("i", &core.Iota{Type: prim.I64, N: length, Start: core.Int(0), Step: core.Int(1)})
		element := append([]core.Type{core.I64}, rows...)
		write := b.Lambda("x", element, []core.Type{acc.Type}, func(b *core.Builder, qs []core.Operand) []core.Operand {
			update := &core.UpdateAcc{Acc: acc.Var, Index: []core.Operand{b.Add64(ps[0], qs[0])}, Values: qs[1:]}
			return []core.Operand{b.Let("acc", update)}
		})
		return []core.Operand{b.Let("acc", &core.Screma{Size: length, Arrays: append([]core.Var{is}, elements...), Map: write})}
	})
}
