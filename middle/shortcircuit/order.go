package shortcircuit

import (
	"slices"

	"skald/middle/core"
)

// Note [Moves]
//
// What describes a region must be known before the array is made that is to lie there. Scalars, allocations and assertions are moved up to
// that place, with all that they need. Scalars cannot fail and read no memory, so it is all one when they are computed. Assertions must
// fail in the order of the program: with one move all before it, and where something else may fail on the way none moves.

// order is a body whose statements may be moved.
type order struct {
	*circuit
	body   *core.Body
	def    map[core.Var]int // which statement binds a variable
	allocs map[core.Var]int
	at     []int  // before which statement one has been moved; its own number if it has not
	moved  []bool // whether it has
	gone   map[core.Var]bool
	infos  []*info
	used   map[core.Var][]int // statements that mention arrays in a block, in order; the number behind the last means the results
}

func (c *circuit) newOrder(b *core.Body) *order {
	d := &order{circuit: c, def: map[core.Var]int{}, allocs: map[core.Var]int{}, gone: map[core.Var]bool{}}
	d.body = &core.Body{Stms: slices.Clone(b.Stms), Res: b.Res}
	d.at, d.moved, d.infos = make([]int, len(b.Stms)), make([]bool, len(b.Stms)), make([]*info, len(b.Stms))
	for i, s := range b.Stms {
		d.at[i] = i
		for _, q := range s.Dst {
			d.def[q.Var] = i
		}
		if _, ok := s.Exp.(*core.Alloc); ok {
			d.allocs[s.Dst[0].Var] = i
		}
	}
	return d
}

// uses says which statements mention arrays of each block.
func (d *order) uses() map[core.Var][]int {
	if d.used != nil {
		return d.used
	}
	d.used = map[core.Var][]int{}
	note := func(i int, v core.Var) {
		t := d.scope.TypeOf(v)
		if !t.IsArray() {
			return
		}
		mem := t.Layout.Mem
		if is := d.used[mem]; len(is) == 0 || is[len(is)-1] != i {
			d.used[mem] = append(is, i)
		}
	}
	for i := range d.body.Stms {
		for _, v := range d.info(i).arrays {
			note(i, v)
		}
	}
	for _, r := range d.body.Res {
		note(len(d.body.Stms), r.Var)
	}
	return d.used
}

// before reports whether statement i runs before place f.
func (d *order) before(i, f int) bool { return d.at[i] < f || d.at[i] == f && d.moved[i] }

// moves lists the statements to move up to place f, so that a region is known there, and that it exists: see Note [Moves].
func (d *order) moves(f int, to *core.Layout, certs []core.Var) (list []int, ok bool) {
	in := map[int]bool{}
	last := -1 // of the assertions that move
	var need func(i int) bool
	needs := func(vs []core.Var) bool {
		for _, v := range vs {
			if i, here := d.def[v]; here && !d.before(i, f) && !need(i) {
				return false
			}
		}
		return true
	}
	need = func(i int) bool {
		if in[i] {
			return true
		}
		s := d.body.Stms[i]
		switch core.Match(s.Exp).(type) {
		case core.Scalar, *core.Alloc:
		case *core.Assert:
			last = max(last, i)
		default:
			return false
		}
		in[i] = true
		return needs(core.FreeInStm(s).List())
	}
	vars := append([]core.Var{to.Mem}, to.Offset.Vars()...)
	for _, s := range to.Strides {
		vars = append(vars, s.Vars()...)
	}
	if !needs(vars) || !needs(certs) {
		return nil, false
	}
	for i := f; i < last; i++ {
		if d.before(i, f) || in[i] || !d.info(i).fails {
			continue
		}
		if _, is := d.body.Stms[i].Exp.(*core.Assert); !is || !need(i) {
			return nil, false
		}
	}
	for i := range in {
		list = append(list, i)
	}
	return list, true
}

// guards lists the assertions that hold where an array is whole: those of the views that it is, and of the copies that have been saved.
// ok is false when it is not made before place f, and it is not known where.
func (d *order) guards(v core.Var, f int) (certs []core.Var, ok bool) {
	for {
		certs = append(certs, d.guard[v]...)
		i, here := d.def[v]
		if !here || d.before(i, f) {
			return certs, true
		}
		s := d.body.Stms[i]
		certs = append(certs, s.Aux.Certs...)
		switch e := core.Match(s.Exp).(type) {
		case *core.Use:
			v = e.X.Var
		case *core.Update:
			v = e.Array
		case *core.Index:
			v = e.Array
		case *core.Rearrange:
			v = e.Array
		case *core.Reshape:
			v = e.Array
		case core.Seg, *core.Scratch, *core.Copy, *core.ArrayLit:
			return certs, true
		default:
			return nil, false
		}
	}
}

// move moves statements up to place f.
func (d *order) move(list []int, f int) {
	for _, i := range list {
		d.at[i], d.moved[i] = f, true
	}
}

// stms are the statements in their new order, without the allocations of blocks in which nothing lies any more.
func (d *order) stms() []*core.Stm {
	if len(d.gone) == 0 {
		return d.body.Stms
	}
	var is []int
	for i, s := range d.body.Stms {
		if _, ok := s.Exp.(*core.Alloc); !ok || !d.gone[s.Dst[0].Var] {
			is = append(is, i)
		}
	}
	slices.SortStableFunc(is, func(i, j int) int {
		if d.at[i] != d.at[j] {
			return d.at[i] - d.at[j]
		}
		if d.moved[i] != d.moved[j] {
			if d.moved[i] {
				return -1
			}
			return 1
		}
		return i - j
	})
	out := make([]*core.Stm, len(is))
	for k, i := range is {
		out[k] = d.body.Stms[i]
	}
	return out
}
