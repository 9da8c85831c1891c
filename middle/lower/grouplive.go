package lower

import "skald/middle/core"

// Note [Lives of workgroup arrays]
//
// Behind the last statement that mentions a block of workgroup memory, of those of the body that allocates it, the block's place is free
// for another with the same number of elements: most arrays of a workgroup are of one size. What a barrier is needed for is known by
// place (group.place), so that the next array there waits for who works on the last.

// lives finds, for the statements that all threads of a workgroup run together, the blocks that are free behind them.
type lives struct {
	l      *lowerer
	arrays map[core.Var]core.Type
	after  map[*core.Stm][]core.Var
}

// livesIn finds them for a body and the bodies in it.
func (l *lowerer) livesIn(b *core.Body) map[*core.Stm][]core.Var {
	v := &lives{l: l, arrays: map[core.Var]core.Type{}, after: map[*core.Stm][]core.Var{}}
	core.Walk(b, func(s *core.Stm) bool {
		v.bind(s.Dst)
		if e, is := s.Exp.(*core.Loop); is {
			v.bind(e.Params)
		}
		return true
	})
	v.body(b)
	return v.after
}

func (v *lives) bind(ps []core.Param) {
	for _, p := range ps {
		if p.Type.IsArray() {
			v.arrays[p.Var] = p.Type
		}
	}
}

func (v *lives) body(b *core.Body) {
	last := map[core.Var]*core.Stm{}
	for _, s := range b.Stms {
		for _, m := range v.mentions(s) {
			if last[m] != nil {
				last[m] = s
			}
		}
		if a, is := s.Exp.(*core.Alloc); is && a.Space == core.SpaceGroup {
			last[s.Dst[0].Var] = s
		}
		if _, seg := s.Exp.(core.Seg); !seg {
			core.MapBodies(s.Exp, func(b *core.Body) *core.Body { v.body(b); return b })
		}
	}
	for _, r := range b.Res {
		delete(last, v.block(r.Var))
	}
	for _, s := range b.Stms {
		if a, is := s.Exp.(*core.Alloc); is && a.Space == core.SpaceGroup {
			if end := last[s.Dst[0].Var]; end != nil && end != s {
				v.after[end] = append(v.after[end], s.Dst[0].Var)
			}
		}
	}
}

// block is where an array lies.
func (v *lives) block(a core.Var) core.Var {
	t, ok := v.arrays[a]
	if !ok {
		t = v.l.typeOf(a)
	}
	return layoutMem(t)
}

// mentions lists the blocks of the arrays that a statement mentions, at any depth.
func (v *lives) mentions(s *core.Stm) []core.Var {
	var out []core.Var
	for _, a := range core.FreeInStm(s).List() {
		out = append(out, a, v.block(a))
	}
	core.Walk(&core.Body{Stms: []*core.Stm{s}}, func(s *core.Stm) bool {
		for _, p := range s.Dst {
			out = append(out, layoutMem(p.Type))
		}
		if e, is := s.Exp.(*core.Loop); is {
			for _, p := range e.Params {
				out = append(out, layoutMem(p.Type))
			}
		}
		return true
	})
	return out
}

// slot is a place in an arena for as many elements as count; block is the first that lay there.
type slot struct {
	block  core.Var
	count  core.Operand
	padded int
}

// release makes the places of blocks free.
func (g *group) release(blocks []core.Var) {
	for _, m := range blocks {
		if a := g.of[m]; a != nil {
			a.free = append(a.free, slot{g.place(m), g.count[m], g.padded[m]})
		}
	}
}

// place is the first block that lay where a block lies.
func (g *group) place(m core.Var) core.Var {
	if p, ok := g.places[m]; ok {
		return p
	}
	return m
}

// reuse puts a block into a free place of its size, if there is one.
func (g *group) reuse(v core.Var, a *arena, count core.Operand) bool {
	for i, s := range a.free {
		if s.count == count && s.padded == g.padded[v] {
			a.free = append(a.free[:i:i], a.free[i+1:]...)
			g.places[v] = s.block
			if at, ok := g.at[s.block]; ok {
				g.at[v] = at
			}
			return true
		}
	}
	return false
}
