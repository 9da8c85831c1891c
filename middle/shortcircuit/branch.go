package shortcircuit

import (
	"slices"

	"skald/middle/core"
)

// Note [Arrays of branches]
//
// What the alternatives of a branch make, or the versions of a nest, lies in a block that the branch returns. If it is then copied to a
// region, each alternative copies what it has made to the region, as the last thing that it does, and the branch returns no block:
//
//	let (y_mem_1: mem(i32, device), y_2: [n_3]i32 @y_mem_1{0; 1}) = if c_4 { … in (a_mem_5, a_6) } else { … in (b_mem_7, b_8) }
//	let (x_9: … @x_mem_10{…}) = update x_11 [i_12, 0i64:n_3:1i64] y_2
//
//	let (y_2: [n_3]i32 @x_mem_10{n_3*i_12; 1}) = if c_4 { … let (y_13: … @x_mem_10{n_3*i_12; 1}) = copy a_6 in (y_13) } else { … }
//	let (x_9: … @x_mem_10{…}) = update x_11 [i_12, 0i64:n_3:1i64] y_2
//
// That is no copy more than before, and those of the alternatives are looked at like any other, when it is the turn of their bodies.

// branch reports whether a branch of the body returns a block that some alternative allocates.
func (d *order) branch(block core.Var) bool {
	i, ok := d.def[block]
	if !ok || !isBranch(d.body.Stms[i].Exp) {
		return false
	}
	mem := slices.IndexFunc(d.body.Stms[i].Dst, func(q core.Param) bool { return q.Var == block })
	allocates := false
	core.MapBodies(d.body.Stms[i].Exp, func(b *core.Body) *core.Body {
		for _, s := range b.Stms {
			_, fresh := s.Exp.(*core.Alloc)
			if (fresh || isBranch(s.Exp)) && slices.ContainsFunc(s.Dst, func(q core.Param) bool { return b.Res[mem].IsVar(q.Var) }) {
				allocates = true
			}
		}
		return b
	})
	return allocates
}

func isBranch(e core.Exp) bool {
	switch core.Match(e).(type) {
	case *core.If, *core.Switch:
		return true
	default:
		return false
	}
}

// copyInside makes the branch that returns a block, with one array in it, return that array at a layout, as a copy that each alternative
// makes: see Note [Arrays of branches].
func (d *order) copyInside(block core.Var, layouts map[core.Var]*core.Layout) {
	i := d.def[block]
	s := d.body.Stms[i]
	mem := slices.IndexFunc(s.Dst, func(q core.Param) bool { return q.Var == block })
	array := slices.IndexFunc(s.Dst, func(q core.Param) bool { return q.Type.IsArray() && d.layout(q.Var).Mem == block })
	dst := s.Dst[array]
	dst.Type.Layout = layouts[dst.Var]
	n := *s
	n.Dst = slices.Clone(s.Dst)
	n.Dst[array] = dst
	n.Dst = slices.Delete(n.Dst, mem, mem+1)
	n.Exp = core.MapBodies(s.Exp, func(b *core.Body) *core.Body {
		from := b.Res[array].Var
		to := core.Param{Var: d.fun.Fresh(d.fun.Base(dst.Var)), Type: d.scope.TypeOf(from)}
		to.Type.Layout = dst.Type.Layout
		cp := &core.Stm{Dst: []core.Param{to}, Exp: &core.Copy{Array: from}, Aux: core.Aux{Where: s.Aux.Where}}
		d.scope.Bind(to)
		d.made[to.Type.Layout.Mem] = append(d.made[to.Type.Layout.Mem], made{to.Var, cp})
		out := &core.Body{Stms: append(slices.Clip(b.Stms), cp), Res: slices.Clone(b.Res)}
		out.Res[array] = core.V(to.Var)
		out.Res = slices.Delete(out.Res, mem, mem+1)
		return out
	})
	for k, a := range d.made[block] {
		if a.by == s {
			d.made[block][k].by = &n
		}
	}
	d.body.Stms[i], d.infos[i] = &n, nil
}

// returnsOne reports whether one array of a statement's results lies in a block.
func (d *order) returnsOne(s *core.Stm, block core.Var) bool {
	n := 0
	for _, q := range s.Dst {
		if q.Type.IsArray() && d.layout(q.Var).Mem == block {
			n++
		}
	}
	return n == 1
}
