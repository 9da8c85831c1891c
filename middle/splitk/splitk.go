package splitk

import (
	"fmt"
	"slices"

	"skald/middle/core"
	"skald/middle/functions"
	"skald/middle/pass"
	"skald/middle/tile"
	"skald/runtime/prim"
)

// Pass splits reductions.
var Pass = pass.Pass[*core.Prog, *core.Prog]{
	Name: "splitk",
	Doc:  "cut the rows of matrix products with few results into chunks",
	Run:  func(ctx *pass.Context, p *core.Prog) *core.Prog { return functions.MapForGPU(ctx, p, function) },
}

// leastChunk is how many iterations each thread of the device must have: a reduction for each result reads a row and a column for each of
// them, which is then most of its time, and a chunk's result is written, read and combined once. leastSide is how many rows and columns
// there must be, so that tiles of 32 by 32 points are not mostly empty.
const (
	leastChunk = 256
	leastSide  = 16
)

// function splits the reductions of a function.
func function(f *core.Fun) *core.Fun {
	return functions.Kernels(f, func(b *core.Builder, s *core.Stm, e core.Seg) bool {
		red, ok := e.(*core.SegRed)
		return ok && len(red.Space.Ids) > 2 && Splits(s, red) && (&writer{b}).reduction(s, red)
	})
}

// writer writes host code.
type writer struct{ *core.Builder }

// Splits reports whether a reduction can be cut into chunks: it is of numbers, of several segments, and keeps nothing else.
func Splits(s *core.Stm, e *core.SegRed) bool {
	return core.OnlyScalars(e.Ret) && len(e.Space.Ids) > 1 && core.Width(e.Ops) == len(s.Dst)
}

// Tiled is in how many dimensions the chunks of a reduction would run in tiles.
func Tiled(b *core.Builder, e *core.SegRed) int {
	trial := b.Nested()
	trial.Certs = nil
	w := &writer{b}
	w.chunks(trial, e, b.Param("count", core.I64), b.Param("chunk", core.I64))
	m, ok := trial.Stms()[len(trial.Stms())-1].Exp.(*core.SegMap)
	if !ok {
		return 0
	}
	return tile.Dimensions(m, b.Scope.TypeOf)
}

// reduction writes both versions of a reduction. It returns false, and writes nothing, where chunks would not run in tiles.
func (w *writer) reduction(s *core.Stm, e *core.SegRed) bool {
	n := len(e.Space.Ids) - 1
	outer, size := e.Space.Sizes[:n], e.Space.Sizes[n]
	if Tiled(w.Builder, e) != 2 {
		return false
	}
	threads := w.Let("threads", &core.Fact{Name: "threads"})
	points := w.Bin(prim.Max, core.Int(1), w.Product(outer...))
	count := w.Bin(prim.Max, core.Int(1), w.Bin(prim.Quot, threads, points))
	pays := w.Cmp(prim.Lt, core.Int(1), count)
	pays = w.Bin(prim.LogAnd, pays, w.Cmp(prim.Le, w.Mul64(threads, core.Int(leastChunk)), w.Mul64(points, size)))
	for _, side := range outer[n-2:] {
		pays = w.Bin(prim.LogAnd, pays, w.Cmp(prim.Le, core.Int(leastSide), side))
	}
	Versions(w.Builder, s, e, pays, count)
	return true
}

// Versions writes a reduction in count chunks, where that pays, and as it is.
func Versions(b *core.Builder, s *core.Stm, e *core.SegRed, pays, count core.Operand) {
	w := &writer{b}
	b.IfParams(s.Dst, pays, func(b *core.Builder) []core.Operand {
		b.Certs = s.Aux.Certs
		return w.split(b, e, count)
	}, func(b *core.Builder) []core.Operand {
		again := core.NewRenamer(b.Fun, b.Fun, core.Subst{}).Stm(s)
		b.Add(again)
		return core.Vars(core.ParamVars(again.Dst))
	})
}

// split writes the version in chunks: the map over chunks, and the reduction of what they leave and of the elements behind the last chunk,
// which are fewer than chunks.
func (w *writer) split(b *core.Builder, e *core.SegRed, count core.Operand) []core.Operand {
	n := len(e.Space.Ids) - 1
	size := e.Space.Sizes[n]
	chunk := b.Let("chunk", &core.Bin{Op: prim.Quot, Type: prim.I64, X: size, Y: count})
	parts := w.chunks(b, e, w.param(b, "count", count), w.param(b, "chunk", chunk))
	done := b.Mul64(count, chunk)
	space := w.space(b, e.Space.Sizes[:n], b.Add64(count, b.Sub64(size, done)))
	body := b.Build(func(in *core.Builder) []core.Operand {
		ids := core.Vars(space.Ids)
		return in.If("part", in.Cmp(prim.Lt, ids[n], count), e.Ret, func(b *core.Builder) []core.Operand {
			at := append([]core.Operand{ids[n]}, ids[:n]...)
			return each(parts, func(p core.Operand) core.Operand { return b.Index("part", p.Var, at...) })
		}, func(b *core.Builder) []core.Operand {
			sub := core.Subst{}
			for d, id := range e.Space.Ids[:n] {
				sub[id] = ids[d]
			}
			sub[e.Space.Ids[n]] = b.Add64(done, b.Sub64(ids[n], count))
			return b.Splice(e.Body, sub)
		})
	})
	return b.LetN("all", &core.SegRed{Space: space, Ops: w.operators(e.Ops), Body: body, Ret: e.Ret})
}

// param is a number as a variable.
func (*writer) param(b *core.Builder, base string, x core.Operand) core.Param {
	return core.Param{Var: b.LetVar(base, &core.Use{X: x}), Type: core.I64}
}

// space is a space with fresh indices.
func (*writer) space(b *core.Builder, sizes []core.Operand, more ...core.Operand) core.Space {
	out := core.Space{Sizes: slices.Concat(sizes, more)}
	for range out.Sizes {
		out.Ids = append(out.Ids, b.Param("i", core.I64).Var)
	}
	return out
}

func (w *writer) operators(ops []core.Operator) []core.Operator {
	return each(ops, func(op core.Operator) core.Operator {
		op.Lambda = core.RenameLambda(w.Fun, op.Lambda)
		return op
	})
}

// chunks writes the map over chunks: each point reduces a chunk of a row in a loop.
func (w *writer) chunks(b *core.Builder, e *core.SegRed, count, chunk core.Param) []core.Operand {
	n := len(e.Space.Ids) - 1
	space := w.space(b, []core.Operand{core.V(count.Var)}, e.Space.Sizes[:n]...)
	body := b.Build(func(in *core.Builder) []core.Operand {
		first := in.Mul64(core.V(space.Ids[0]), core.V(chunk.Var))
		return w.fold(in, e, space.Ids[1:], core.Neutrals(e.Ops), first, core.V(chunk.Var))
	})
	return b.LetN("parts", &core.SegMap{Space: space, Body: body, Ret: e.Ret})
}

// fold writes a loop over count elements of a row from the first on. Arrays that are read at the element are read from views that begin at
// the first, so that tiles see how they lie.
func (w *writer) fold(b *core.Builder, e *core.SegRed, ids []core.Var, init []core.Operand, first, count core.Operand) []core.Operand {
	n := len(ids)
	k := e.Space.Ids[n]
	sub := core.Subst{}
	for d, id := range ids {
		sub[e.Space.Ids[d]] = core.V(id)
	}
	v := &viewer{Builder: b, k: k, at: b.Param("at", core.I64).Var, first: first, count: count, made: map[string]core.Var{}}
	element := v.body(e.Body)
	acc := each(e.Ret, func(t core.Type) core.Param { return b.Param("acc", t) })
	return b.ForLoop(acc, init, count, func(in *core.Builder, i core.Operand, accs []core.Operand) []core.Operand {
		sub[k], sub[v.at] = in.Add64(first, i), i
		x := in.Splice(element, sub)
		var out []core.Operand
		for _, op := range e.Ops {
			m := len(op.Neutral)
			at := len(out)
			out = append(out, in.Apply(op.Lambda, renamed, slices.Concat(accs[at:at+m], x[at:at+m])...)...)
		}
		return out
	})
}

// viewer makes views of the arrays that a body reads at index k.
type viewer struct {
	*core.Builder
	k, at        core.Var // at is the number of the element behind the first
	first, count core.Operand
	made         map[string]core.Var
}

func (v *viewer) body(b *core.Body) *core.Body {
	own := core.VarSet{}
	core.Walk(b, func(s *core.Stm) bool {
		for _, q := range s.Dst {
			own.Add(q.Var)
		}
		return true
	})
	return v.inside(b, &own)
}

func (v *viewer) inside(b *core.Body, own *core.VarSet) *core.Body {
	out := &core.Body{Res: b.Res}
	for _, s := range b.Stms {
		n := *s
		n.Exp = core.MapBodies(s.Exp, func(b *core.Body) *core.Body { return v.inside(b, own) })
		if x, ok := n.Exp.(*core.Index); ok && !own.Has(x.Array) {
			n.Exp = v.read(x)
		}
		out.Stms = append(out.Stms, &n)
	}
	return out
}

// read is what reads an array, by a view where that is at index k.
func (v *viewer) read(x *core.Index) core.Exp {
	at := slices.Clone(x.Slice)
	part := core.FullSlice(v.TypeOf(core.V(x.Array)))
	key := fmt.Sprint(x.Array)
	for d, dim := range x.Slice {
		if dim.Fix && dim.Off.IsVar(v.k) {
			at[d].Off = core.V(v.at)
			part[d] = core.Range(v.first, v.count, core.Int(1))
			key += fmt.Sprintf(" %d", d)
		}
	}
	if slices.Equal(at, x.Slice) {
		return x
	}
	if v.made[key] == 0 {
		v.made[key] = v.LetVar(v.Fun.Base(x.Array), &core.Index{Array: x.Array, Slice: part})
	}
	return &core.Index{Array: v.made[key], Slice: at}
}

// renamed is an argument of Apply: the code of an operator is in several places.
const renamed = true

// each applies f to the elements of a list in order.
func each[T, U any](in []T, f func(T) U) []U {
	out := make([]U, len(in))
	for i, x := range in {
		out[i] = f(x)
	}
	return out
}
