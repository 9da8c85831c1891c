package layout

import (
	"skald/middle/core"
	"skald/middle/functions"
	"skald/middle/splitk"
	"skald/runtime/prim"
)

// Note [Columns]
//
// Workgroups that take a column of a matrix each read it far apart, where neighbouring threads could take neighbouring columns. Only wide
// matrices have as many columns as that takes (Note [Reductions of segments] in package choose), so columns are cut into chunks (package
// splitk): a point of a map reduces a chunk of a column, and neighbouring points have neighbouring columns. What the chunks leave is
// reduced. Nothing is transposed in memory. Where the program runs, sizes decide: as many chunks as saturate the device, of leastRows
// elements at least, where what they save (Note [Traffic]) is more than a launch.

// leastRows is how many elements a chunk of a column has at least: its result is written, read and combined once.
const leastRows = 16

// columns cuts reductions of columns.
func columns(f *core.Fun) *core.Fun {
	arrays := arraysOf(f)
	return functions.Kernels(f, func(b *core.Builder, s *core.Stm, e core.Seg) bool {
		red, ok := e.(*core.SegRed)
		if !ok {
			return false
		}
		w := &splitter{b, arrays}
		gain := w.gain(s, red)
		if gain != nil {
			w.versions(s, red, gain)
		}
		return gain != nil
	})
}

// splitter writes host code.
type splitter struct {
	*core.Builder
	*arrays
}

// gain is what a reduction saves, if it is one of columns; nil if it is not, or one of rows and columns (which package splitk has looked
// at).
func (w *splitter) gain(s *core.Stm, e *core.SegRed) []trips {
	n := len(e.Space.Ids)
	if !splitk.Splits(s, e) || splitk.Tiled(w.Builder, e) > 1 {
		return nil
	}
	if size, ok := e.Space.Sizes[n-1].ConstInt(); ok && size < shortSegment {
		return nil
	}
	var out []trips
	sum := 0.0
	add := func(lane core.Var, sign float64) {
		for _, r := range readsOf(e, e.Body, lane, w.view, w.typeOf).reads {
			c := r.cost(w.types[r.root], w.innermost(r.root))
			if _, ok := r.lane(); !ok && sign < 0 {
				c = costApart
			}
			if c != 0 {
				out = append(out, trips{sign * c * r.k, r.by})
				sum += sign * c * r.perElement(e.Space.Sizes)
			}
		}
	}
	add(e.Space.Ids[n-1], 1)
	add(e.Space.Ids[n-2], -1)
	if sum < leastGain {
		return nil
	}
	return out
}

// versions writes a reduction in chunks, and as it is.
func (w *splitter) versions(s *core.Stm, e *core.SegRed, gain []trips) {
	n := len(e.Space.Ids) - 1
	size := e.Space.Sizes[n]
	threads := w.Let("threads", &core.Fact{Name: "threads"})
	segments := w.Bin(prim.Max, core.Int(1), w.Product(e.Space.Sizes[:n]...))
	count := w.Bin(prim.Min, w.Bin(prim.Quot, threads, segments), w.Bin(prim.Quot, size, core.Int(leastRows)))
	count = w.Bin(prim.Max, core.Int(1), count)
	saved := real(0)
	for _, g := range gain {
		saved = w.Bin(prim.Add, saved, amount(w.Builder, g))
	}
	pays := w.Cmp(prim.Lt, real(costCopyLaunch), saved)
	pays = w.Bin(prim.LogAnd, pays, w.Cmp(prim.Lt, core.Int(1), count))
	// Threads take columns as they are where these are many, or short.
	many := w.Mul64(w.Let("group_size", &core.Fact{Name: "group_size"}), core.Int(shortSegment))
	pays = w.Bin(prim.LogAnd, pays, w.Cmp(prim.Le, segments, many))
	pays = w.Bin(prim.LogAnd, pays, w.Cmp(prim.Le, core.Int(shortSegment), size))
	splitk.Versions(w.Builder, s, e, pays, count)
}
