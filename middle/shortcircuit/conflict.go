package shortcircuit

import (
	"slices"

	"skald/middle/core"
)

// Note [Conflicts]
//
// An array is made in a region that it used to be copied to, by statement m. Between its making and m nothing else may touch the region:
// what was there before is gone, and what is written would destroy it. Behind m both names stand for the same elements, so neither may be
// overwritten while the other is still looked at. What a statement with bodies touches are arrays from outside and its results, as
// wholes.

// info is what a statement touches.
type info struct {
	arrays   []core.Var // those that it or its bodies mention from outside, and its results
	blocks   []core.Var // blocks that are handed on as such, in its bodies, too
	consumed []core.Var // what is overwritten, in its bodies, too
	fails    bool
	traces   bool
}

func (d *order) info(i int) *info {
	if d.infos[i] == nil {
		d.infos[i] = d.infoOf(d.body.Stms[i])
	}
	return d.infos[i]
}

func (d *order) infoOf(s *core.Stm) *info {
	in := &info{}
	for _, v := range core.FreeInStm(s).List() {
		if d.scope.TypeOf(v).IsArray() {
			in.arrays = append(in.arrays, v)
		}
	}
	for _, q := range s.Dst {
		if q.Type.IsArray() {
			in.arrays = append(in.arrays, q.Var)
		}
	}
	hand := func(os []core.Operand) {
		for _, o := range os {
			if o.Var != 0 && d.scope.TypeOf(o.Var).Kind == core.KindMem {
				in.blocks = append(in.blocks, o.Var)
			}
		}
	}
	core.Walk(&core.Body{Stms: []*core.Stm{s}}, func(s *core.Stm) bool {
		in.consumed = append(in.consumed, core.Consumes(s.Exp)...)
		in.fails = in.fails || core.MayFail(s.Exp)
		switch e := core.Match(s.Exp).(type) {
		case *core.Trace:
			in.traces = true
		case *core.Call:
			hand(e.Args)
		case *core.Loop:
			hand(e.Init)
		case *core.Use:
			hand([]core.Operand{e.X})
		default:
		}
		core.MapBodies(s.Exp, func(b *core.Body) *core.Body { hand(b.Res); return b })
		return true
	})
	return in
}

// conflicts reports whether what lies in a block, and is copied to a region by statement m, cannot be in the region all the time, with
// the layouts that it would have there: see Note [Conflicts].
func (d *order) conflicts(m int, block core.Var, region core.Type, layouts map[core.Var]*core.Layout) bool {
	uses := d.uses()[block]
	last := uses[len(uses)-1]
	for _, r := range d.body.Res {
		if r.Var == block {
			return true
		}
	}
	for _, i := range uses {
		if i < len(d.body.Stms) && (d.info(i).traces || slices.Contains(d.info(i).blocks, block) || i > m && d.writes(i, block)) {
			return true
		}
	}
	for i := uses[0]; i <= last && i < len(d.body.Stms); i++ {
		if i == m || d.before(i, uses[0]) || d.idle(i) || i == uses[0] && (d.branch(block) || d.overOwnPoints(i, block, layouts)) {
			continue
		}
		if i < m && d.touches(i, block, region) || i > m && d.clobbers(i, region) {
			return true
		}
	}
	return false
}

// overOwnPoints reports whether statement i makes what lies in a block, and can make it over what it reads: see Note [Own points].
func (d *order) overOwnPoints(i int, block core.Var, layouts map[core.Var]*core.Layout) bool {
	s := d.body.Stms[i]
	for _, q := range s.Dst {
		if q.Type.IsArray() && d.layout(q.Var).Mem == block {
			q.Type.Layout = layouts[q.Var]
			return d.ownPoints(s, q)
		}
	}
	return false
}

// idle reports whether a statement accesses no memory: one on scalars, a view, an allocation, a copy from a place to itself.
func (d *order) idle(i int) bool {
	s := d.body.Stms[i]
	switch e := core.Match(s.Exp).(type) {
	case core.Scalar, *core.Alloc, *core.Scratch, *core.Assert:
		return true
	case core.View:
		return s.Dst[0].Type.IsArray() || d.info(i).arrays == nil
	case *core.Update:
		t := d.scope.TypeOf(e.Value.Var)
		return e.Value.Var != 0 && t.IsArray() && t.Layout.Equal(d.layout(e.Array).Sliced(e.Slice))
	case *core.Copy:
		return d.layout(e.Array).Equal(d.layout(s.Dst[0].Var))
	default:
		return false
	}
}

// touches reports whether statement i may access a region, but as what lies in a block.
func (d *order) touches(i int, block core.Var, region core.Type) bool {
	if slices.ContainsFunc(d.info(i).blocks, func(b core.Var) bool { return d.blocks.mayBeOne(b, region.Layout.Mem) }) {
		return true
	}
	return slices.ContainsFunc(d.accessed(i), func(t core.Type) bool { return t.Layout.Mem != block && d.meets(t, region) })
}

// accessed are the parts of arrays that statement i accesses.
func (d *order) accessed(i int) []core.Type {
	var ts []core.Type
	if e, ok := d.body.Stms[i].Exp.(*core.Update); ok {
		t := d.scope.TypeOf(e.Array)
		part := core.SliceType(t, e.Slice)
		part.Kind, part.Layout = core.KindArray, t.Layout.Sliced(e.Slice)
		ts = append(ts, part)
		if v := d.scope.TypeOf(e.Value.Var); e.Value.Var != 0 && v.IsArray() {
			ts = append(ts, v)
		}
		return ts
	}
	for _, v := range d.info(i).arrays {
		ts = append(ts, d.scope.TypeOf(v))
	}
	return ts
}

// clobbers reports whether statement i may write to a region.
func (d *order) clobbers(i int, region core.Type) bool {
	in := d.info(i)
	if slices.ContainsFunc(in.blocks, func(b core.Var) bool { return d.blocks.mayBeOne(b, region.Layout.Mem) }) {
		return true
	}
	if _, ok := d.body.Stms[i].Exp.(*core.Update); ok {
		return d.meets(d.accessed(i)[0], region)
	}
	written := slices.Clone(in.consumed)
	for _, q := range d.body.Stms[i].Dst {
		written = append(written, q.Var)
	}
	return slices.ContainsFunc(written, func(v core.Var) bool {
		t := d.scope.TypeOf(v)
		return t.IsArray() && d.meets(t, region)
	})
}

// writes reports whether statement i may write to what lies in a block.
func (d *order) writes(i int, block core.Var) bool {
	in := func(v core.Var) bool { t := d.scope.TypeOf(v); return t.IsArray() && t.Layout.Mem == block }
	if slices.ContainsFunc(d.info(i).consumed, in) {
		return true
	}
	return !d.idle(i) && slices.ContainsFunc(d.body.Stms[i].Dst, func(q core.Param) bool { return in(q.Var) })
}

// blocks are classes of variables that may stand for one block.
type blocks map[core.Var]core.Var

func (b blocks) find(v core.Var) core.Var {
	for b[v] != 0 {
		if above := b[b[v]]; above != 0 {
			b[v] = above
		}
		v = b[v]
	}
	return v
}

func (b blocks) mayBeOne(v, w core.Var) bool { return b.find(v) == b.find(w) }

func (b blocks) union(v, w core.Var) {
	if v, w = b.find(v), b.find(w); v != w {
		b[v] = w
	}
}

// join notes which blocks a statement makes of which: a call's may be any of its arguments.
func (b blocks) join(s *core.Stm) {
	if e, ok := s.Exp.(*core.Call); ok {
		for _, q := range s.Dst {
			for _, x := range e.Args {
				if q.Type.Kind == core.KindMem && x.Var != 0 {
					b.union(q.Var, x.Var)
				}
			}
		}
		return
	}
	core.MayShare(s, func(q core.Param, x core.Operand) {
		if q.Type.Kind == core.KindMem {
			b.union(q.Var, x.Var)
		}
	})
}
