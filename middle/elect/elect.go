package elect

import (
	"math"
	"slices"

	"skald/middle/core"
	"skald/middle/functions"
	"skald/middle/pass"
	"skald/runtime/prim"
)

// Pass rewrites histograms.
var Pass = pass.Pass[*core.Prog, *core.Prog]{
	Name: "elect",
	Doc:  "keep the numbers of points in the bins of histograms whose operator returns one of its operands",
	Run:  func(ctx *pass.Context, p *core.Prog) *core.Prog { return functions.MapForGPU(ctx, p, function) },
}

// fewBytes is how many bytes the values of all bins have at most where each thread of a workgroup has room for them (Note [Private bins] of
// package lower): then nothing is computed again. Of 16 bins and values in memory, numbers took 340 µs on an H200 and values 140.
const fewBytes = 192

// mostStatements is how many statements a body has at most whose values are computed again for each update of a bin.
const mostStatements = 32

// function rewrites the histograms of a function.
func function(f *core.Fun) *core.Fun {
	return functions.Kernels(f, func(b *core.Builder, s *core.Stm, e core.Seg) bool {
		h, ok := e.(*core.SegHist)
		if !ok || !Elects(h) {
			return false
		}
		write(b, s, h)
		return true
	})
}

// Elects reports whether the bins of a histogram could be numbers of points: all its operators return one of their operands, at least one
// has several values, and the values of a point are cheap.
func Elects(e *core.SegHist) bool {
	return core.ChooseSeveral(e.Ops) && cheap(e.Body) &&
		!slices.ContainsFunc(e.Ops, func(op core.HistOp) bool { return !core.OnlyScalars(op.Lambda.Ret) })
}

// cheap reports whether a body is few operations on scalars and reads of them, which cannot fail.
func cheap(b *core.Body) bool {
	count := 0
	return !core.Any(b, func(e core.Exp) bool {
		count++
		return core.MayFail(e) || !core.IsScalarCode(e)
	}) && count <= mostStatements
}

// write writes both versions of a histogram: with numbers of points where these have 32 bits and bins are not few, and as it is.
func write(b *core.Builder, s *core.Stm, e *core.SegHist) {
	pays := b.Cmp(prim.Le, b.Product(e.Space.Sizes...), core.Int(math.MaxInt32))
	w := &writer{hist: e, outer: len(e.Space.Ids) - 1}
	for _, op := range e.Ops {
		bins := b.Product(w.sizes(op)...)
		pays = b.Bin(prim.LogAnd, pays, b.Cmp(prim.Lt, core.Int(int64(fewBytes/bytes(op))), bins))
	}
	fills := fillsOf(b, e)
	b.IfParams(s.Dst, pays, func(b *core.Builder) []core.Operand {
		b.Certs = s.Aux.Certs
		w.Builder, w.fills = b, fills
		return w.histogram()
	}, func(b *core.Builder) []core.Operand {
		sub := core.Subst{}
		for _, op := range e.Ops {
			for _, d := range op.Dests {
				if fill := fills[d]; fill != nil {
					again := core.NewRenamer(b.Fun, b.Fun, core.Subst{}).Stm(fill)
					b.Add(again)
					sub[d] = core.V(again.Dst[0].Var)
				}
			}
		}
		again := core.NewRenamer(b.Fun, b.Fun, sub).Stm(s)
		b.Add(again)
		return core.Vars(core.ParamVars(again.Dst))
	})
}

// bytes is how many bytes the values of a bin have.
func bytes(op core.HistOp) int {
	n := 0
	for _, t := range op.Lambda.Ret {
		n += t.Elem.Size()
	}
	return n
}

// fillsOf are the statements of the code so far that make destinations of a histogram whose elements are all one constant. What is combined
// with such a destination need not read it, and where it is read it is made again.
func fillsOf(b *core.Builder, e *core.SegHist) map[core.Var]*core.Stm {
	fills := map[core.Var]*core.Stm{}
	for _, s := range b.Stms() {
		fill, ok := s.Exp.(*core.SegMap)
		if !ok || len(s.Dst) != 1 || len(fill.Body.Stms) > 0 || !fill.Body.Res[0].IsConst() {
			continue
		}
		for _, op := range e.Ops {
			if slices.Contains(op.Dests, s.Dst[0].Var) {
				fills[s.Dst[0].Var] = s
			}
		}
	}
	return fills
}

// writer writes host code for a histogram.
type writer struct {
	*core.Builder
	hist  *core.SegHist
	outer int                    // how many dimensions segments have
	fills map[core.Var]*core.Stm // what makes destinations that are constant
}

// The number of a point, and that of none.
var (
	number = core.ScalarType(prim.I32)
	none   = core.C(prim.MakeI32(-1))
)

// histogram writes the histogram of numbers and the maps that look up what they stand for.
func (w *writer) histogram() []core.Operand {
	e := w.hist
	out := &core.SegHist{Level: e.Level, Space: w.space(e.Space.Sizes)}
	out.Ret = slices.Clone(e.Ret[:w.bins()])
	for i, op := range e.Ops {
		empty := w.space(w.sizes(op))
		dest := w.LetVar("none", &core.SegMap{Space: empty, Body: &core.Body{Res: []core.Operand{none}}, Ret: []core.Type{number}})
		out.Ops = append(out.Ops, core.HistOp{
			Shape: op.Shape, Dests: []core.Var{dest}, Neutral: []core.Operand{none}, Lambda: w.operator(i),
		})
		out.Ret = append(out.Ret, number)
	}
	out.Body = w.Build(func(b *core.Builder) []core.Operand {
		ids := core.Vars(out.Space.Ids)
		res := w.body(b, ids)[:w.bins()]
		at := b.Conv(w.flat(b, ids), prim.I32)
		return append(res[:len(res):len(res)], slices.Repeat([]core.Operand{at}, len(e.Ops))...)
	})
	won := w.LetN("won", out)
	var results []core.Operand
	for i, op := range e.Ops {
		results = append(results, w.winners(i, op, won[i].Var)...)
	}
	return results
}

// bins is how many results of the body are indices of bins.
func (w *writer) bins() int {
	n := 0
	for _, op := range w.hist.Ops {
		n += len(op.Shape)
	}
	return n
}

// sizes are those of the destinations of an operator.
func (w *writer) sizes(op core.HistOp) []core.Operand {
	return slices.Concat(w.hist.Space.Sizes[:w.outer], op.Shape)
}

// space is a space with fresh indices.
func (w *writer) space(sizes []core.Operand) core.Space {
	out := core.Space{Sizes: slices.Clone(sizes)}
	for range sizes {
		out.Ids = append(out.Ids, w.Param("i", core.I64).Var)
	}
	return out
}

// body adds the code of the histogram's body at a point.
func (w *writer) body(b *core.Builder, ids []core.Operand) []core.Operand {
	sub := core.Subst{}
	for d, id := range w.hist.Space.Ids {
		sub[id] = ids[d]
	}
	return b.Splice(w.hist.Body, sub)
}

// flat is the number of a point.
func (w *writer) flat(b *core.Builder, ids []core.Operand) core.Operand {
	at := ids[0]
	for d, id := range ids[1:] {
		at = b.Add64(b.Mul64(at, w.hist.Space.Sizes[d+1]), id)
	}
	return at
}

// values adds the values of operator i at the point with a number. Its indices are found in 32 bits, which divide fast.
func (w *writer) values(b *core.Builder, i int, at core.Operand) []core.Operand {
	sizes := w.hist.Space.Sizes
	ids := make([]core.Operand, len(sizes))
	for d := len(sizes) - 1; d > 0; d-- {
		size := b.Conv(sizes[d], prim.I32)
		ids[d] = b.Conv(b.Bin(prim.Rem, at, size), prim.I64)
		at = b.Bin(prim.Quot, at, size)
	}
	ids[0] = b.Conv(at, prim.I64)
	res := w.body(b, ids)[w.bins():]
	for _, op := range w.hist.Ops[:i] {
		res = res[len(op.Dests):]
	}
	return res[:len(w.hist.Ops[i].Dests)]
}

// operator is operator i on numbers of points.
func (w *writer) operator(i int) *core.Lambda {
	numbers := []core.Type{number}
	return w.Lambda("at", []core.Type{number, number}, numbers, func(b *core.Builder, at []core.Operand) []core.Operand {
		isNone := func(b *core.Builder, x core.Operand) core.Operand { return b.Cmp(prim.Lt, x, core.C(prim.MakeI32(0))) }
		return b.If("won", isNone(b, at[0]), numbers, same(at[1]), func(b *core.Builder) []core.Operand {
			return b.If("won", isNone(b, at[1]), numbers, same(at[0]), func(b *core.Builder) []core.Operand {
				f, sub := w.hist.Ops[i].Lambda, core.Subst{}
				for j, x := range slices.Concat(w.values(b, i, at[0]), w.values(b, i, at[1])) {
					sub[f.Params[j].Var] = x
				}
				c := &choice{f: f, at: at, copy: core.NewRenamer(b.Fun, b.Fun, sub)}
				return []core.Operand{c.winner(b, f.Body, f.Body.Res)}
			})
		})
	})
}

func same(x core.Operand) func(*core.Builder) []core.Operand {
	return func(*core.Builder) []core.Operand { return []core.Operand{x} }
}

// choice writes which of two points an operator chooses.
type choice struct {
	f    *core.Lambda
	at   []core.Operand // the points
	copy *core.Renamer  // of the operator's code
}

// winner adds a body up to the branch that has some of its results, which is the operator's, and returns the number of the point that
// these are of.
func (c *choice) winner(b *core.Builder, body *core.Body, res []core.Operand) core.Operand {
	switch first, second := core.Sides(c.f); {
	case slices.Equal(res, first):
		return c.at[0]
	case slices.Equal(res, second):
		return c.at[1]
	}
	decides, at := core.Decider(body, res)
	for _, s := range body.Stms {
		if s == decides {
			break
		}
		x := c.copy.Stm(s)
		b.Add(x)
	}
	branch := decides.Exp.(*core.If)
	side := func(body *core.Body) func(*core.Builder) []core.Operand {
		return func(b *core.Builder) []core.Operand {
			return []core.Operand{c.winner(b, body, core.PickAll(body.Res, at))}
		}
	}
	return b.If("won", c.copy.Operand(branch.Cond), []core.Type{number}, side(branch.Then), side(branch.Else))[0]
}

// renamed is an argument of Apply: the code of an operator is in several places.
const renamed = true

// winners writes the map over the bins of operator i that looks up the values of the points that have won.
func (w *writer) winners(i int, op core.HistOp, won core.Var) []core.Operand {
	space := w.space(w.sizes(op))
	body := w.Build(func(b *core.Builder) []core.Operand {
		ids := core.Vars(space.Ids)
		at := b.Index("at", won, ids...)
		olds := make([]core.Operand, len(op.Dests))
		for j, d := range op.Dests {
			if fill := w.fills[d]; fill != nil {
				olds[j] = fill.Exp.(*core.SegMap).Body.Res[0]
			} else {
				olds[j] = b.Index("old", d, ids...)
			}
		}
		return b.If("x", b.Cmp(prim.Lt, at, core.C(prim.MakeI32(0))), op.Lambda.Ret,
			func(*core.Builder) []core.Operand { return olds },
			func(b *core.Builder) []core.Operand {
				return b.Apply(op.Lambda, renamed, slices.Concat(olds, w.values(b, i, at))...)
			})
	})
	return w.LetN("x", &core.SegMap{Space: space, Body: body, Ret: op.Lambda.Ret})
}
