package shortcircuit

import (
	"fmt"

	"skald/middle/core"
	devices "skald/middle/facts"
	"skald/middle/pass"
)

// Note [Layouts in regions]
//
// When an array moves to a region, so does all that lies in its block. What it is made of (the array before an update, the other side of a
// transposition or reshape, the rows that points of a kernel make) is found backwards from it, and views forwards; arrays of one layout
// and shape have one layout again. An array that is neither has no place in the region, and the copy stays.

// placing finds the new layouts of what lies in a block: see Note [Layouts in regions].
type placing struct {
	*order
	layouts map[core.Var]*core.Layout
	known   map[string]*core.Layout // by layout and shape
	made    map[core.Var]*core.Stm
}

// layouts are those of all that lies in a block when array v in it is in a region.
func (d *order) layouts(v core.Var, to *core.Layout) (map[core.Var]*core.Layout, bool) {
	block := d.layout(v).Mem
	p := &placing{order: d, layouts: map[core.Var]*core.Layout{}, known: map[string]*core.Layout{}, made: map[core.Var]*core.Stm{}}
	for _, a := range d.circuit.made[block] {
		p.made[a.array] = a.by
	}
	p.backwards(v, to)
	for _, a := range d.circuit.made[block] {
		l, ok := p.known[p.key(a.array)]
		if !ok {
			if l, ok = p.view(a.by); !ok {
				return nil, false
			}
			p.note(a.array, l)
		}
		p.layouts[a.array] = l
		p.rows(a, l)
	}
	return p.layouts, true
}

func (p *placing) key(v core.Var) string {
	t := p.scope.TypeOf(v)
	return keyOf(t.Layout, t.Shape)
}

func keyOf(l *core.Layout, shape []core.Operand) string {
	return fmt.Sprint(l.Offset, l.Strides, shape)
}

func (p *placing) note(v core.Var, l *core.Layout) { p.known[p.key(v)] = l }

// backwards notes the layouts of what an array is made of.
func (p *placing) backwards(v core.Var, l *core.Layout) {
	for l != nil {
		p.note(v, l)
		s := p.made[v]
		if s == nil {
			return
		}
		t := p.scope.TypeOf(v)
		switch e := core.Match(s.Exp).(type) {
		case *core.Use:
			v = e.X.Var
		case *core.Update:
			v = e.Array
		case *core.Rearrange:
			back := make([]int, len(e.Perm))
			for d, k := range e.Perm {
				back[k] = d
			}
			v, l = e.Array, l.Rearranged(back)
		case *core.Reshape:
			l, _ = l.Reshaped(t.Shape, p.scope.TypeOf(e.Array).Shape)
			v = e.Array
		default:
			return
		}
	}
}

// view is the new layout of what a statement makes of an array whose new layout is known.
func (p *placing) view(s *core.Stm) (*core.Layout, bool) {
	of := func(v core.Var) (*core.Layout, bool) { l, ok := p.layouts[v]; return l, ok }
	switch e := core.Match(s.Exp).(type) {
	case *core.Use:
		return of(e.X.Var)
	case *core.Update:
		return of(e.Array)
	case *core.Index:
		if l, ok := of(e.Array); ok {
			return l.Sliced(e.Slice), true
		}
	case *core.Rearrange:
		if l, ok := of(e.Array); ok {
			return l.Rearranged(e.Perm), true
		}
	case *core.Reshape:
		if l, ok := of(e.Array); ok {
			return l.Reshaped(p.scope.TypeOf(e.Array).Shape, e.Shape)
		}
	default:
	}
	return nil, false
}

// rows notes where the points of a kernel make rows of its result.
func (p *placing) rows(a made, l *core.Layout) {
	e, ok := a.by.Exp.(core.Seg)
	t := p.scope.TypeOf(a.array)
	if !ok || t.Rank() <= len(e.SpaceOf().Ids) {
		return
	}
	row := core.FullSlice(t, core.Vars(e.SpaceOf().Ids)...)
	p.known[keyOf(t.Layout.Sliced(row), t.Shape[len(e.SpaceOf().Ids):])] = l.Sliced(row)
}

// cheap reports whether work on what lies in a block is as cheap with its new layouts: what is written lies along its last dimension as
// before, or has one dimension and is read by nothing but the copy, statement m. Arrays of threads lie across anyway. Scans of the grid
// keep their vectors, which are stored from the start of a block (package choose).
func (d *order) cheap(m int, block core.Var, layouts map[core.Var]*core.Layout) bool {
	if d.scope.TypeOf(block).Space == core.SpacePrivate && !pass.Ask(d.ctx, devices.Facts.HasTasks) {
		return true
	}
	read := d.isRead(m, block)
	for _, a := range d.made[block] {
		switch e := core.Match(a.by.Exp).(type) {
		case *core.SegScan:
			if l := layouts[a.array]; e.Level == core.LevelGrid && (len(l.Offset.Terms) > 0 || !l.IsRowMajor(d.scope.TypeOf(a.array).Shape)) {
				return false
			}
		case core.Seg, *core.ArrayLit, *core.Copy, *core.Scratch:
		default:
			continue
		}
		l := layouts[a.array]
		if n := len(l.Strides); !l.Strides[n-1].Equal(core.PolyConst(1)) && (n > 1 || read) {
			return false
		}
	}
	return true
}

// isRead reports whether what lies in a block is looked at beside its copy, statement m.
func (d *order) isRead(m int, block core.Var) bool {
	for _, i := range d.uses()[block] {
		if i == m || i < len(d.body.Stms) && d.idle(i) {
			continue
		}
		if i == len(d.body.Stms) || i > m || d.reads(i, block) {
			return true
		}
	}
	return false
}

// reads reports whether statement i looks at what lies in a block, and does not only make or update it.
func (d *order) reads(i int, block core.Var) bool {
	s := d.body.Stms[i]
	if e, ok := s.Exp.(*core.Update); ok {
		return e.Value.Var != 0 && d.scope.TypeOf(e.Value.Var).IsArray() && d.layout(e.Value.Var).Mem == block
	}
	free := core.FreeInStm(s)
	for _, v := range free.List() {
		if t := d.scope.TypeOf(v); t.IsArray() && t.Layout.Mem == block {
			return true
		}
	}
	return false
}
