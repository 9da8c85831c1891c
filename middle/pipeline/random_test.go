package pipeline_test

import (
	"math/rand/v2"
	"slices"

	"skald/middle/core"
	"skald/runtime/prim"
)

// generator makes random well-typed programs of the SOACs stage: nests of
// every SOAC, with loops, branches, views and updates in place. Sizes are
// the parameters n and m, at least 2, and the constant 3.
type generator struct {
	*rand.Rand
	sizes []core.Operand
	// smooth says that code is part of a function that is differentiated: only operators are used whose derivatives are the same however
	// the code is written.
	smooth bool
}

// scope is what code at some place may use; arrays that were consumed are
// taken out.
type scope struct {
	scalars []core.Operand // i32
	arrays  []core.Operand // of i32
}

func (s scope) with(b *core.Builder, os ...core.Operand) scope {
	out := scope{append([]core.Operand(nil), s.scalars...), append([]core.Operand(nil), s.arrays...)}
	for _, o := range os {
		if b.TypeOf(o).IsScalar() {
			out.scalars = append(out.scalars, o)
		} else {
			out.arrays = append(out.arrays, o)
		}
	}
	return out
}

var i32 = core.ScalarType(prim.I32)

// program makes `main (n, m, x: i32, xs: [n]i32, yss: [m][n]i32)`.
func program(seed uint64) *core.Prog {
	f := &core.Fun{Name: "main"}
	b := core.NewBuilder(f, nil)
	n, m, x := b.Param("n", core.I64), b.Param("m", core.I64), b.Param("x", i32)
	xs := b.Param("xs", core.ArrayOf(i32, core.V(n.Var)))
	yss := b.Param("yss", core.ArrayOf(i32, core.V(m.Var), core.V(n.Var)))
	f.Params = []core.Param{n, m, x, xs, yss}
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 1)), sizes: []core.Operand{core.V(n.Var), core.V(m.Var), core.Int(3)}}
	sc := scope{}.with(b, core.V(x.Var), core.V(xs.Var), core.V(yss.Var))
	sc = g.body(b, sc, 3, 6)
	// The last few values are the results.
	known := g.escaping(b, sc.arrays)
	res := append(sc.scalars[len(sc.scalars)-1:], known[max(0, len(known)-3):]...)
	for _, r := range res {
		f.Ret = append(f.Ret, b.Param("r", b.TypeOf(r)))
	}
	f.Body = b.Body(res...)
	return &core.Prog{Funs: []*core.Fun{f}, Entries: []core.Entry{{Name: "main", Fun: "main"}}}
}

func pick(g *generator, os []core.Operand) core.Operand { return os[g.IntN(len(os))] }

// body adds some statements.
func (g *generator) body(b *core.Builder, sc scope, depth, count int) scope {
	steps := []func(*core.Builder, scope, int) scope{
		g.arithmetic, g.view, g.fresh, g.update, g.element, g.checked, g.irregular,
		g.mapping, g.mapping, g.folding, g.histogram, g.loop, g.branch, g.scatter, g.derivative,
	}
	simple := 7
	for range 1 + g.IntN(count) {
		k := len(steps)
		if depth == 0 {
			k = simple
		}
		sc = steps[g.IntN(k)](b, sc, depth)
	}
	return sc
}

func (g *generator) arithmetic(b *core.Builder, sc scope, _ int) scope {
	ops := []prim.BinOp{prim.Add, prim.Sub, prim.Mul, prim.Min, prim.Max, prim.Xor}
	if g.smooth {
		ops = ops[:3]
	}
	x := b.Let("t", &core.Bin{Op: ops[g.IntN(len(ops))], Type: prim.I32, X: pick(g, sc.scalars), Y: g.scalar(sc)})
	return sc.with(b, x)
}

func (g *generator) scalar(sc scope) core.Operand {
	if g.IntN(4) == 0 {
		return core.C(prim.MakeI32(int32(g.IntN(5))))
	}
	return pick(g, sc.scalars)
}

func (g *generator) array(sc scope) core.Operand { return pick(g, sc.arrays) }

func (g *generator) view(b *core.Builder, sc scope, _ int) scope {
	a := g.array(sc)
	t := b.TypeOf(a)
	sl := core.FullSlice(t)
	switch {
	case t.Rank() == 2 && g.IntN(2) == 0:
		return sc.with(b, b.Let("tr", &core.Rearrange{Perm: []int{1, 0}, Array: a.Var}))
	case t.Rank() == 2:
		return sc.with(b, b.Index("row", a.Var, core.Int(int64(g.IntN(2)))))
	case g.IntN(2) == 0:
		sl[0] = core.Range(b.Sub64(t.Shape[0], core.Int(1)), t.Shape[0], core.Int(-1))
		return sc.with(b, b.Let("rev", &core.Index{Array: a.Var, Slice: sl}))
	}
	shape := []core.Operand{core.Int(1), t.Shape[0]}
	r := b.LetVar("two", &core.Reshape{Shape: shape, Array: a.Var})
	return sc.with(b, b.Index("one", r, core.Int(0)))
}

func (g *generator) fresh(b *core.Builder, sc scope, _ int) scope {
	n := pick(g, g.sizes)
	switch g.IntN(3) {
	case 0:
		return sc.with(b, b.Let("is", &core.Iota{Type: prim.I32, N: n, Start: g.scalar(sc), Step: core.C(prim.MakeI32(1))}))
	case 1:
		return sc.with(b, b.Let("rep", &core.Replicate{Shape: []core.Operand{n}, X: g.scalar(sc)}))
	}
	elems := []core.Operand{g.scalar(sc), g.scalar(sc), g.scalar(sc)}
	return sc.with(b, b.Let("lit", &core.ArrayLit{Row: i32, Elems: elems}))
}

// update writes to a copy.
func (g *generator) update(b *core.Builder, sc scope, _ int) scope {
	a := g.array(sc)
	c := b.LetVar("copied", &core.Copy{Array: a.Var})
	row := b.Scope.TypeOf(c).Row(1)
	v := g.scalar(sc)
	if row.IsArray() {
		v = b.Let("rep", &core.Replicate{Shape: row.Shape, X: v})
	}
	return sc.with(b, core.V(b.Update(c, v, core.Int(int64(g.IntN(2))))))
}

func (g *generator) element(b *core.Builder, sc scope, _ int) scope {
	a := g.array(sc)
	is := make([]core.Operand, b.TypeOf(a).Rank())
	for d := range is {
		is[d] = core.Int(int64(g.IntN(2)))
	}
	return sc.with(b, b.Index("x", a.Var, is...))
}

// checked reads an element at a computed index, after a check that holds.
func (g *generator) checked(b *core.Builder, sc scope, _ int) scope {
	a := g.array(sc)
	n := b.TypeOf(a).Shape[0]
	i := b.Let("i", &core.Bin{Op: prim.Mod, Type: prim.I64, X: b.Conv(pick(g, sc.scalars), prim.I64), Y: n})
	lower, upper := b.Cmp(prim.Ge, i, core.Int(0)), b.Cmp(prim.Lt, i, n)
	inside := b.Let("inside", &core.Bin{Op: prim.LogAnd, Type: prim.Bool, X: lower, Y: upper})
	ok := b.Assert(inside, core.Text("index "), core.Value(i))
	var x core.Operand
	b.WithCerts([]core.Var{ok}, func() { x = b.Index("x", a.Var, i) })
	return sc.with(b, x)
}

// irregular makes an array whose size depends on a scalar.
func (g *generator) irregular(b *core.Builder, sc scope, _ int) scope {
	x := b.Conv(pick(g, sc.scalars), prim.I64)
	few := b.Let("few", &core.Bin{Op: prim.And, Type: prim.I64, X: x, Y: core.Int(3)})
	n := b.Add64(few, core.Int(2))
	return sc.with(b, b.Let("is", &core.Iota{Type: prim.I32, N: n, Start: g.scalar(sc), Step: core.C(prim.MakeI32(1))}))
}

// escaping are the arrays whose sizes are known everywhere.
func (g *generator) escaping(b *core.Builder, arrays []core.Operand) []core.Operand {
	return slices.DeleteFunc(slices.Clone(arrays), func(a core.Operand) bool {
		return slices.ContainsFunc(b.TypeOf(a).Shape, func(n core.Operand) bool { return !slices.Contains(g.sizes, n) })
	})
}

// inputs picks arrays of one outer size.
func (g *generator) inputs(b *core.Builder, sc scope) (size core.Operand, arrays []core.Var, rows []core.Type) {
	size = b.TypeOf(g.array(sc)).Shape[0]
	for _, a := range sc.arrays {
		if t := b.TypeOf(a); t.Shape[0] == size && (len(arrays) == 0 || g.IntN(3) == 0) && len(arrays) < 3 {
			arrays, rows = append(arrays, a.Var), append(rows, t.Row(1))
		}
	}
	return size, arrays, rows
}

// lambda makes a random body and returns its last scalar, and sometimes its
// last array if that has rank 1 (so that results have rank 2 at most).
func (g *generator) lambda(b *core.Builder, sc scope, depth int, params []core.Type, array bool) *core.Lambda {
	l := b.Lambda("p", params, nil, func(b *core.Builder, ps []core.Operand) []core.Operand {
		sc = g.body(b, sc.with(b, ps...), depth-1, 3)
		res := []core.Operand{sc.scalars[len(sc.scalars)-1]}
		known := g.escaping(b, sc.arrays)
		if a := known[len(known)-1]; array && b.TypeOf(a).Rank() == 1 {
			res = append(res, a)
		}
		return res
	})
	for _, r := range l.Body.Res {
		l.Ret = append(l.Ret, b.TypeOf(r))
	}
	return l
}

func (g *generator) mapping(b *core.Builder, sc scope, depth int) scope {
	size, arrays, rows := g.inputs(b, sc)
	l := g.lambda(b, sc, depth, rows, true)
	return sc.with(b, b.LetN("ys", &core.Screma{Size: size, Arrays: arrays, Map: l})...)
}

func (g *generator) operator(b *core.Builder) core.Operator {
	ops := []prim.BinOp{prim.Add, prim.Max, prim.Min, prim.Xor}
	if g.smooth {
		ops = ops[:1]
	}
	op := ops[g.IntN(len(ops))]
	ne, _ := op.Neutral(prim.I32)
	l := b.Lambda("p", []core.Type{i32, i32}, []core.Type{i32}, func(b *core.Builder, ps []core.Operand) []core.Operand {
		return []core.Operand{b.Bin(op, ps[0], ps[1])}
	})
	return core.Operator{Lambda: l, Neutral: []core.Operand{core.C(ne)}, Commutative: true}
}

// vectorised is an operator on rows: a map of one on scalars.
func (g *generator) vectorised(b *core.Builder, row core.Type) core.Operator {
	op := g.operator(b)
	ts := []core.Type{row, row}
	l := b.Lambda("r", ts, ts[:1], func(b *core.Builder, ps []core.Operand) []core.Operand {
		return b.LetN("rs", &core.Screma{Size: row.Shape[0], Arrays: []core.Var{ps[0].Var, ps[1].Var}, Map: op.Lambda})
	})
	ne := b.Let("ne", &core.Replicate{Shape: row.Shape, X: op.Neutral[0]})
	return core.Operator{Lambda: l, Neutral: []core.Operand{ne}, Commutative: true}
}

func (g *generator) folding(b *core.Builder, sc scope, depth int) scope {
	size, arrays, rows := g.inputs(b, sc)
	e := &core.Screma{Size: size, Arrays: arrays, Map: g.lambda(b, sc, depth, rows, false)}
	ops := []core.Operator{g.operator(b)}
	if rows[0].IsArray() && g.IntN(2) == 0 {
		ops = []core.Operator{g.vectorised(b, rows[0])}
		e.Arrays, e.Map = arrays[:1], b.Identity(rows[:1])
	}
	if g.IntN(2) == 0 {
		e.Scans = ops
	} else {
		e.Reds = ops
	}
	return sc.with(b, b.LetN("fold", e)...)
}

// index makes an index that may be outside: scalar mod 5, minus 1.
func index(b *core.Builder, x core.Operand) core.Operand {
	i := b.Let("i", &core.Bin{Op: prim.Mod, Type: prim.I32, X: x, Y: core.C(prim.MakeI32(5))})
	return b.Sub64(b.Conv(i, prim.I64), core.Int(1))
}

func (g *generator) histogram(b *core.Builder, sc scope, depth int) scope {
	size, arrays, rows := g.inputs(b, sc)
	bins := pick(g, g.sizes)
	op := g.operator(b)
	dest := b.LetVar("bins", &core.Replicate{Shape: []core.Operand{bins}, X: op.Neutral[0]})
	l := g.lambda(b, sc, depth, rows, false)
	bucket := b.LambdaOf(l.Params, []core.Type{core.I64, i32}, func(b *core.Builder, _ []core.Operand) []core.Operand {
		b.Add(l.Body.Stms...)
		return []core.Operand{index(b, l.Body.Res[0]), l.Body.Res[0]}
	})
	h := core.HistOp{Shape: []core.Operand{bins}, Dests: []core.Var{dest}, Neutral: op.Neutral, Lambda: op.Lambda}
	return sc.with(b, b.LetN("hist", &core.Hist{Size: size, Arrays: arrays, Ops: []core.HistOp{h}, Bucket: bucket})...)
}

func (g *generator) loop(b *core.Builder, sc scope, depth int) scope {
	a, x := g.array(sc), pick(g, sc.scalars)
	ps := []core.Param{b.Param("c", b.TypeOf(a)), b.Param("s", i32)}
	res := b.ForLoop(ps, []core.Operand{a, x}, core.Int(int64(g.IntN(4))),
		func(b *core.Builder, i core.Operand, cs []core.Operand) []core.Operand {
			in := g.body(b, sc.with(b, append(cs, b.Conv(i, prim.I32))...), depth-1, 3)
			next := cs[0]
			for _, o := range in.arrays {
				if b.TypeOf(o).Same(b.TypeOf(a)) {
					next = o
				}
			}
			return []core.Operand{next, in.scalars[len(in.scalars)-1]}
		})
	return sc.with(b, res...)
}

func (g *generator) branch(b *core.Builder, sc scope, depth int) scope {
	a := g.array(sc)
	cond := b.Cmp(prim.Lt, pick(g, sc.scalars), pick(g, sc.scalars))
	side := func(b *core.Builder) []core.Operand {
		in := g.body(b, sc, depth-1, 3)
		res := a
		for _, o := range in.arrays {
			if b.TypeOf(o).Same(b.TypeOf(a)) {
				res = o
			}
		}
		return []core.Operand{in.scalars[len(in.scalars)-1], res}
	}
	return sc.with(b, b.If("br", cond, []core.Type{i32, b.TypeOf(a)}, side, side)...)
}

// scatter adds to the elements of a copy.
func (g *generator) scatter(b *core.Builder, sc scope, depth int) scope {
	size, arrays, rows := g.inputs(b, sc)
	n := pick(g, g.sizes)
	dest := b.LetVar("dest", &core.Replicate{Shape: []core.Operand{n}, X: g.scalar(sc)})
	op := g.operator(b)
	acc := b.Param("acc", core.Type{})
	acc.Type = core.AccType(acc.Var)
	in := core.AccInput{Shape: []core.Operand{n}, Arrays: []core.Var{dest}, Op: op.Lambda, Neutral: op.Neutral}
	ret := []core.Type{acc.Type}
	body := b.LambdaOf([]core.Param{acc}, ret, func(b *core.Builder, _ []core.Operand) []core.Operand {
		l := g.lambda(b, sc, depth, rows, false)
		up := b.LambdaOf(l.Params, ret, func(b *core.Builder, _ []core.Operand) []core.Operand {
			b.Add(l.Body.Stms...)
			is := []core.Operand{index(b, l.Body.Res[0])}
			return []core.Operand{b.Let("acc", &core.UpdateAcc{Acc: acc.Var, Index: is, Values: l.Body.Res[:1]})}
		})
		return b.LetTypes("acc", ret, &core.Screma{Size: size, Arrays: arrays, Map: up})
	})
	return sc.with(b, b.LetN("scat", &core.WithAcc{Inputs: []core.AccInput{in}, Lambda: body})...)
}

// derivative takes a derivative of random code by a scalar and an array, along random ones.
func (g *generator) derivative(b *core.Builder, sc scope, depth int) scope {
	if g.smooth {
		return sc
	}
	g.smooth = true
	defer func() { g.smooth = false }()
	x, a := pick(g, sc.scalars), pick(g, g.escaping(b, sc.arrays))
	e := &core.Derivative{
		Reverse: g.IntN(2) == 0, Params: []core.Param{b.Param("x", i32), b.Param("a", b.TypeOf(a))}, Args: []core.Operand{x, a},
	}
	var results []core.Param
	e.Body = b.Build(func(b *core.Builder) []core.Operand {
		in := g.body(b, sc.with(b, core.Vars(core.ParamVars(e.Params))...), depth-1, 3)
		known := g.escaping(b, in.arrays)
		res := []core.Operand{in.scalars[len(in.scalars)-1], known[len(known)-1]}
		for _, r := range res {
			results = append(results, b.Param("r", b.TypeOf(r)))
		}
		return res
	})
	by, of := e.Params, results
	if e.Reverse {
		by, of = of, by
	}
	// Arrays have rank 2 at most.
	if g.IntN(3) == 0 && !slices.ContainsFunc(of, func(p core.Param) bool { return p.Type.Rank() > 1 }) {
		e.Many = core.Int(3)
	}
	typ := func(t core.Type) core.Type {
		if e.IsMany() {
			return core.ArrayOf(t, e.Many)
		}
		return t
	}
	for _, p := range by {
		seed := core.C(prim.MakeI32(int32(g.IntN(5))))
		if t := typ(p.Type); t.IsArray() {
			seed = b.Let("seed", &core.Replicate{Shape: t.Shape, X: seed})
		}
		e.Seeds = append(e.Seeds, seed)
	}
	for _, p := range of {
		results = append(results, b.Param("d", typ(p.Type)))
	}
	b.Bind(results, e)
	return sc.with(b, core.Vars(core.ParamVars(results))...)
}
