package shortcircuit

import (
	"slices"

	"skald/middle/core"
)

// Note [Own points]
//
// A map of the grid may write its result to where it reads, if each point reads there only what it overwrites itself: all that a point
// returns is computed before any of it is stored, and no two points store to one place. So of each element that a point reads, or whose
// address it computes, the offset is compared with that of the point's own result, both as polynomials; any other array in the block
// must be apart from the result as a whole (Note [Regions]).
//
// Elements of less than a word share it with those of other points, which WGSL stores by atomic operations: such arrays are left alone.

// ownPoints reports whether statement s is a map of the grid that can write its result dst, at the layout in dst's type, over what it reads
// in that block.
func (c *circuit) ownPoints(s *core.Stm, dst core.Param) bool {
	e, ok := s.Exp.(*core.SegMap)
	l := dst.Type.Layout
	if !ok || e.Level != core.LevelGrid || dst.Type.Rank() != len(e.Space.Ids) || dst.Type.Elem.Size() < 4 {
		return false
	}
	if c.sharesResult(s, dst) {
		return false
	}
	at := l.Sliced(core.FullSlice(dst.Type, core.Vars(e.Space.Ids)...)).Offset
	own := &ownPoints{circuit: c, space: e.Space, region: dst.Type, at: c.facts.written(at)}
	return own.body(e.Body)
}

// ownPoints looks at the body of a map: see Note [Own points].
type ownPoints struct {
	*circuit
	space  core.Space
	region core.Type // where the result is
	at     core.Poly // where a point's element is
}

func (o *ownPoints) body(b *core.Body) bool {
	for _, s := range b.Stms {
		if !o.stm(s) {
			return false
		}
	}
	return o.apart(b.Res)
}

func (o *ownPoints) stm(s *core.Stm) bool {
	inside := true
	shallow := core.MapBodies(s.Exp, func(b *core.Body) *core.Body {
		inside = inside && o.body(b)
		return &core.Body{}
	})
	if !inside {
		return false
	}
	switch e := core.Match(s.Exp).(type) {
	case *core.Index:
		t := o.scope.TypeOf(e.Array)
		if t.Layout != nil && t.Layout.Mem == o.region.Layout.Mem {
			return s.Dst[0].Type.IsArray() || o.facts.written(t.Layout.Sliced(e.Slice).Offset).Equal(o.at) || !o.meets(o.read(t, e.Slice), o.region)
		}
	case *core.Rearrange, *core.Reshape, *core.Use: // a view touches nothing
		if len(s.Dst) > 0 && s.Dst[0].Type.IsArray() && o.layout(s.Dst[0].Var).Mem == o.region.Layout.Mem {
			return true
		}
	default:
	}
	return o.apart(core.Vars(core.FreeInStm(&core.Stm{Exp: shallow, Dst: s.Dst}).List()))
}

// read is the part of an array of type t of which the points read an element each: all that the dimensions have which the space has.
func (o *ownPoints) read(t core.Type, sl core.Slice) core.Type {
	sl = slices.Clone(sl)
	for d, dim := range sl {
		if k := slices.Index(o.space.Ids, dim.Off.Var); dim.Off.Var != 0 && k >= 0 {
			sl[d] = core.Range(core.Int(0), o.space.Sizes[k], core.Int(1))
		}
	}
	part := core.SliceType(t, sl)
	part.Kind, part.Layout = core.KindArray, t.Layout.Sliced(sl)
	return part
}

// apart reports whether none of some operands is an array that may share elements with the result, or a block that may have it.
func (o *ownPoints) apart(os []core.Operand) bool {
	for _, x := range os {
		if x.Var == 0 {
			continue
		}
		switch t := o.scope.TypeOf(x.Var); {
		case t.Kind == core.KindMem:
			if x.Var != o.region.Layout.Mem && o.blocks.mayBeOne(x.Var, o.region.Layout.Mem) {
				return false
			}
		case t.Kind == core.KindAcc: // of arrays that it does not name
			return false
		case t.IsArray():
			if o.meets(t, o.region) {
				return false
			}
		}
	}
	return true
}

// meets reports whether a part of an array may share elements with a region.
func (c *circuit) meets(t, region core.Type) bool {
	if t.Layout.Mem != region.Layout.Mem {
		return c.blocks.mayBeOne(t.Layout.Mem, region.Layout.Mem)
	}
	return !c.facts.apart(t, region)
}

// Note [Own rows]
//
// Where each point of a map copies its row of an array, changes the copy and returns it, the copy may be the row itself, if the point reads
// of the array nothing but its row, and that before it changes the copy: other points have other rows.

// ownRows reports whether statement s is a map of the grid that can make its result dst, at the layout in dst's type, of rows that lie
// there already: see Note [Own rows].
func (c *circuit) ownRows(s *core.Stm, dst core.Param) bool {
	e, ok := s.Exp.(*core.SegMap)
	if !ok || e.Level != core.LevelGrid || dst.Type.Rank() <= len(e.Space.Ids) || dst.Type.Elem.Size() < 4 || c.sharesResult(s, dst) {
		return false
	}
	row := core.FullSlice(dst.Type, core.Vars(e.Space.Ids)...)
	own := &ownRow{circuit: c, ids: e.Space.Ids, from: dst.Type.Layout.Sliced(row), to: c.layout(dst.Var).Sliced(row)}
	for _, in := range e.Body.Stms {
		if !own.stm(in) {
			return false
		}
	}
	return own.copied && !slices.ContainsFunc(e.Body.Res, func(r core.Operand) bool { return own.is(r.Var, own.from) })
}

// ownRow looks at the statements of a point, in order: see Note [Own rows].
type ownRow struct {
	*circuit
	ids             []core.Var
	from, to        *core.Layout // where the row is, and where its copy
	copied, changed bool
}

// is reports whether v is an array that may lie in the block of a layout.
func (o *ownRow) is(v core.Var, l *core.Layout) bool {
	t := o.scope.TypeOf(v)
	return t.IsArray() && (t.Layout.Mem == l.Mem || t.Layout.Mem != o.to.Mem && o.blocks.mayBeOne(t.Layout.Mem, l.Mem))
}

func (o *ownRow) stm(s *core.Stm) bool {
	if cp, ok := s.Exp.(*core.Copy); ok && !o.changed && o.layout(cp.Array).Equal(o.from) && o.layout(s.Dst[0].Var).Equal(o.to) {
		o.copied = true
		return true
	}
	changes := core.Any(&core.Body{Stms: []*core.Stm{s}}, func(e core.Exp) bool {
		return slices.ContainsFunc(core.Consumes(e), func(v core.Var) bool { return !o.scope.TypeOf(v).IsScalar() })
	})
	if changes && !o.copied {
		return false
	}
	o.changed = o.changed || changes
	for _, v := range append(core.FreeInStm(s).List(), core.ParamVars(s.Dst)...) {
		switch {
		case o.scope.TypeOf(v).Kind == core.KindAcc, !o.copied && o.is(v, o.to):
			return false
		case o.is(v, o.from) && (o.changed || !o.layout(v).Equal(o.from) && !o.reads(s, v)):
			return false
		}
	}
	return true
}

// reads reports whether a statement looks at the point's row, or a part of it, of array v and at nothing else of it.
func (o *ownRow) reads(s *core.Stm, v core.Var) bool {
	e, ok := s.Exp.(*core.Index)
	if !ok || e.Array != v || len(e.Slice) < len(o.ids) {
		return false
	}
	row := core.FullSlice(o.scope.TypeOf(v), core.Vars(o.ids)...)
	if !o.layout(v).Sliced(row).Equal(o.from) {
		return false
	}
	for d, id := range o.ids {
		if !e.Slice[d].Fix || !e.Slice[d].Off.IsVar(id) {
			return false
		}
	}
	return s.Dst[0].Type.IsScalar() || o.layout(s.Dst[0].Var).Equal(o.from)
}

// sharesResult reports whether another result of a statement may be in the block in which dst is to be.
func (c *circuit) sharesResult(s *core.Stm, dst core.Param) bool {
	return slices.ContainsFunc(s.Dst, func(q core.Param) bool {
		return q.Var != dst.Var && q.Type.IsArray() && c.blocks.mayBeOne(c.layout(q.Var).Mem, dst.Type.Layout.Mem)
	})
}
