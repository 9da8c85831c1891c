package lower

import (
	"slices"

	"skald/middle/core"
	"skald/middle/imp"
)

// Note [Copies side by side]
//
// Copies of arrays of one shape that follow each other in the body of a workgroup are one loop, in which a thread loads elements of all of
// them before it stores the first: the workgroup waits for device memory once, and not for each array. So are results that are copied
// to their places.
//
//	let (row_1: [m]f32) = copy xs      for j { let x = xs[j]; let y = ys[j]; row_1[j] = x; row_2[j] = y }
//	let (row_2: [m]f32) = copy ys
//
// What one of them reads none may write. They are generated where the last of them is, with allocations between, so no block may be free
// before.

// loadsTogether is how many elements a thread loads before it stores the first, at most.
const loadsTogether = 16

// arrayCopy is an array that is copied, and where it goes: at a point of dst, or over all of it.
type arrayCopy struct {
	src, dst core.Type
	at       []imp.Exp
}

func (c arrayCopy) reads() core.Var  { return c.src.Layout.Mem }
func (c arrayCopy) writes() core.Var { return c.dst.Layout.Mem }

// mayGoWith reports whether a copy may be in one loop with others.
func (c *kernelBuilder) mayGoWith(others []arrayCopy, a arrayCopy) bool {
	if len(others) >= loadsTogether {
		return false
	}
	return !slices.ContainsFunc(others, func(b arrayCopy) bool {
		return !slices.Equal(a.src.Shape, b.src.Shape) || c.l.typeOf(a.reads()).Space != c.l.typeOf(b.reads()).Space ||
			a.reads() == b.writes() || a.writes() == b.reads()
	})
}

// ahead finds copies that are generated together, with the last of them.
func (c *kernelBuilder) ahead(stms []*core.Stm) {
	if !c.together {
		return
	}
	var run []arrayCopy
	var members []*core.Stm
	end := func() {
		if len(run) > 1 {
			for _, s := range members {
				c.group.copied[s] = nil
			}
			c.group.copied[members[len(members)-1]] = run
		}
		run, members = nil, nil
	}
	for _, s := range stms {
		switch e := core.Match(s.Exp).(type) {
		case *core.Copy:
			a := arrayCopy{src: c.l.typeOf(e.Array), dst: s.Dst[0].Type}
			if !c.mayGoWith(run, a) {
				end()
			}
			run, members = append(run, a), append(members, s)
		case *core.Alloc:
		default:
			end()
		}
		if len(c.group.after[s]) > 0 {
			end()
		}
	}
	end()
}

// groupCopy copies an array in the body of a workgroup, with those that go with it.
func (c *kernelBuilder) groupCopy(s *core.Stm, e *core.Copy) {
	run, joined := c.group.copied[s]
	if !joined {
		run = []arrayCopy{{src: c.l.typeOf(e.Array), dst: s.Dst[0].Type}}
	}
	c.groupCopies(run)
}

// groupCopies copies arrays of one shape, each thread some elements. Those of device memory are loaded some at a time.
func (c *kernelBuilder) groupCopies(copies []arrayCopy) {
	copies = slices.DeleteFunc(slices.Clone(copies), func(a arrayCopy) bool { return len(a.at) == 0 && a.dst.Layout.Equal(a.src.Layout) })
	if len(copies) == 0 {
		return
	}
	var reads, writes []core.Var
	for _, a := range copies {
		reads, writes = append(reads, a.reads()), append(writes, a.writes())
	}
	c.access(reads, writes)
	flight := 1
	if c.l.typeOf(reads[0]).Space == core.SpaceDevice {
		flight = max(1, min(c.group.flight, loadsTogether/len(copies)))
	}
	shape := copies[0].src.Shape
	c.turns(c.product(shape), c.mostElements(shape), flight, func(j imp.Exp) func() {
		is := c.unflatten(j, shape)
		xs := make([]imp.Exp, len(copies))
		for k, a := range copies {
			xs[k] = c.load("x", c.mem(a.reads()), c.place(a.src.Layout, is)).exp
		}
		return func() {
			for k, a := range copies {
				c.store(c.mem(a.writes()), c.place(a.dst.Layout, slices.Concat(a.at, is)), xs[k])
			}
		}
	})
}

// groupKeep writes the results of a workgroup, scalars and arrays, at its point of the arrays dst.
func (c *kernelBuilder) groupKeep(dst []core.Param, results []core.Operand, is []imp.Exp) {
	var run []arrayCopy
	for i, d := range dst {
		if !d.Type.IsArray() {
			continue
		}
		res := results[i]
		if res.IsConst() || c.l.typeOf(res.Var).IsScalar() {
			x := asPrim(c.operand(res)) // before: all threads take over what one has handed over
			c.access(nil, []core.Var{d.Type.Layout.Mem})
			c.byFirst(func() { c.store(c.mem(d.Type.Layout.Mem), c.place(d.Type.Layout, is), x) })
			continue
		}
		a := arrayCopy{src: c.l.typeOf(res.Var), dst: d.Type, at: is}
		if c.writtenInPlace(a.dst, a.src, is) {
			continue
		}
		if !c.mayGoWith(run, a) {
			c.groupCopies(run)
			run = nil
		}
		run = append(run, a)
	}
	c.groupCopies(run)
}
