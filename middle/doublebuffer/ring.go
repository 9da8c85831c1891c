package doublebuffer

import (
	"slices"

	"skald/middle/core"
	"skald/middle/facts"
	"skald/middle/pass"
)

// ring is a cycle of a loop's parameters: see Note [Double buffering].
type ring struct {
	members   []member
	block     core.Var
	size      core.Poly // how many elements a slot has
	allocated bool
}

// member is a parameter of a loop, whose next value is in the place of the member behind it.
type member struct {
	param  int         // -1 for an array that each round makes, where the next value of the other member is made
	block  core.Var    // its place
	value  core.Var    // the next value, where it is made
	copies []*core.Stm // which bring that to the place, with the memory on the way
}

// ringsOf finds the rings of a body's loops, and makes the slots of their places.
func (d *buffering) ringsOf(b *core.Body) map[*core.Stm][]*ring {
	rings := map[*core.Stm][]*ring{}
	allocated := map[core.Var]bool{}
	for _, s := range b.Stms {
		switch e := core.Match(s.Exp).(type) {
		case *core.Alloc:
			allocated[s.Dst[0].Var] = d.slots[s.Dst[0].Var] == nil
		case *core.Loop:
			if !carriesArrays(e) {
				continue
			}
			for _, r := range d.rings(e, allocated) {
				rings[s] = append(rings[s], r)
				for k, m := range r.members {
					delete(allocated, m.block)
					d.slots[m.block] = &slot{r, core.Int(int64(k))}
				}
			}
		default:
		}
	}
	return rings
}

// rings finds the rings of a loop among places that are allocated before it in the same body.
func (d *buffering) rings(e *core.Loop, allocated map[core.Var]bool) []*ring {
	members := make([]member, len(e.Params))
	next := make([]int, len(e.Params))
	last := lastCopies(e.Body)
	for i, q := range e.Params {
		next[i] = -1
		l := q.Type.Layout
		if l != nil && allocated[l.Mem] && l.Equal(core.RowMajor(l.Mem, q.Type.Shape)) && !d.mayBePrivate(q.Type) {
			members[i], next[i] = d.member(e, i, last)
		}
	}
	of := func(i int, members ...member) *ring {
		q := e.Params[i]
		return &ring{members: members, block: d.Fun.Fresh(d.Fun.Base(q.Type.Layout.Mem)), size: core.PolyProduct(q.Type.Shape)}
	}
	var rings []*ring
	seen, taken := make([]bool, len(next)), map[core.Var]bool{}
	for i := range next {
		var cycle []member
		k := i
		for k >= 0 && !seen[k] {
			seen[k] = true
			cycle = append(cycle, members[k])
			k = next[k]
		}
		if k == i && len(cycle) > 1 {
			rings = append(rings, of(i, cycle...))
		} else if fresh, ok := d.fresh(e, i, members[i]); ok && next[i] < 0 && !taken[fresh.block] {
			taken[fresh.block] = true // For other parameters whose next value it is, it is copied.
			rings = append(rings, of(i, members[i], fresh))
		}
	}
	return rings
}

// fresh is the place of the array that each round makes of a parameter and copies to the parameter's place; ok is false if it makes none.
// Memory is the same with a ring as without, as the array lives until the copy. Processors copy: their compilers make vectors of loops that
// read one array and write another, which slots of one block may not be.
func (d *buffering) fresh(e *core.Loop, i int, m member) (member, bool) {
	if len(m.copies) == 0 || !d.inWorkgroup && pass.Ask(d.ctx, facts.Facts.HasTasks) {
		return member{}, false
	}
	q, t := e.Params[i].Type, d.Scope.TypeOf(m.value)
	if t.Layout == nil || t.Elem != q.Elem || !slices.Equal(t.Shape, q.Shape) || !t.Layout.Equal(core.RowMajor(t.Layout.Mem, q.Shape)) {
		return member{}, false
	}
	for _, s := range e.Body.Stms {
		if a, ok := s.Exp.(*core.Alloc); ok && s.Dst[0].Var == t.Layout.Mem {
			return member{param: -1, block: t.Layout.Mem}, a.Elem == t.Elem && core.PolyOf(a.Count).Equal(core.PolyProduct(q.Shape))
		}
	}
	return member{}, false
}

// lastCopies are the copies, and the allocations for them, that a body ends with, behind which nothing is overwritten; by what they bind.
func lastCopies(b *core.Body) map[core.Var]*core.Stm {
	last := map[core.Var]*core.Stm{}
	for _, s := range slices.Backward(b.Stms) {
		switch core.Match(s.Exp).(type) {
		case *core.Copy, *core.Alloc:
			last[s.Dst[0].Var] = s
		case core.Scalar:
		default:
			return last
		}
	}
	return last
}

// member is parameter i of a loop, and which other parameter's place its next value is made in: -1 for none.
func (d *buffering) member(e *core.Loop, i int, last map[core.Var]*core.Stm) (m member, next int) {
	q := e.Params[i]
	m = member{param: i, block: q.Type.Layout.Mem, value: e.Body.Res[i].Var}
	for {
		s := last[m.value]
		if s == nil || d.used[m.value] != 1 {
			break
		}
		c, ok := s.Exp.(*core.Copy)
		if !ok {
			break
		}
		if mem := s.Dst[0].Type.Layout.Mem; mem != m.block {
			alloc := last[mem]
			if alloc == nil || d.made[mem] != 1 {
				break
			}
			m.copies = append(m.copies, alloc)
		}
		m.copies, m.value = append(m.copies, s), c.Array
	}
	t := d.Scope.TypeOf(m.value)
	return m, slices.IndexFunc(e.Params, func(o core.Param) bool {
		return o.Var != q.Var && o.Type.Layout != nil && o.Type.Layout.Equal(t.Layout) &&
			o.Type.Elem == q.Type.Elem && slices.Equal(o.Type.Shape, q.Type.Shape)
	})
}
