package memory

import (
	"slices"

	"skald/middle/core"
	"skald/runtime/prim"
)

// Note [Turns]
// ~~~~~~~~~~~~
// Arrays that change places in a loop of a kernel, as the two buffers of an FFT do in each stage, are not copied: they lie in slots of one
// block, and the loop carries the number of each one's slot.
//
//	loop (a: [n]f32 @m_1{0; 1}, b: [n]f32 @m_2{0; 1}) for … { …; in (b', a) }
//
//	loop (s: i64 = 0, t: i64 = 1, a: [n]f32 @m{n*s; 1}, b: [n]f32 @m{n*t; 1}) for … { …; in (t, s, b', a) }
//
// A turn is one cycle of parameters: the next value of each is in the memory of the next one. Arrays in a thread's private memory are
// copied, as registers have no numbers.

// turn is a cycle of a loop's parameters.
type turn struct {
	members []int // of the loop's parameters; the next value of each is in the memory of the one behind it
	block   *core.Layout
	init    []core.Operand // the arrays in their slots before the loop
	params  []core.Param   // the slots' numbers in the loop
	dst     []core.Param   // and behind it
}

// turnsOf finds the turns of a loop in a kernel: see Note [Turns].
func (p *placer) turnsOf(s *core.Stm, e *core.Loop) []*turn {
	if turns, ok := p.turns[s]; ok || p.kernel.operator {
		return turns
	}
	next := p.homes.becomes[s]
	seen := make([]bool, len(next))
	var turns []*turn
	for i := range next {
		t := &turn{}
		k := i
		for k >= 0 && !seen[k] {
			seen[k] = true
			t.members = append(t.members, k)
			k = next[k]
		}
		if k == i && len(t.members) > 1 && (p.kernel.group || !p.isPrivate(e.Params[i].Type)) {
			turns = append(turns, t)
		}
	}
	p.turns[s] = turns
	return turns
}

// allocTurn allocates the block of a turn.
func (p *placer) allocTurn(t *turn, e *core.Loop) {
	if t.block == nil {
		first := e.Params[t.members[0]]
		t.block = p.fresh(p.Fun.Base(first.Var), t.typeOf(e))
	}
}

// typeOf is the type of all arrays of a turn together.
func (t *turn) typeOf(e *core.Loop) core.Type {
	all := e.Params[t.members[0]].Type
	all.Shape = append([]core.Operand{core.Int(int64(len(t.members)))}, all.Shape...)
	return all
}

// aimTurns makes the slots of a loop's turns the targets of the arrays that they begin with, if the body makes these for this loop, number
// m of its statements.
func (p *placer) aimTurns(b *core.Body, m int, e *core.Loop) {
	if p.kernel == nil || p.kernel.operator {
		return
	}
	for _, t := range p.turnsOf(b.Stms[m], e) {
		if !p.kernel.sizing.Outside(t.typeOf(e).Shape) {
			continue
		}
		for k, i := range t.members {
			v := e.Init[i].Var
			if p.targets[v] == nil && p.onlyBefore(b, m, v) {
				p.allocTurn(t, e)
				p.targets[v] = t.slot(core.Int(int64(k)))
			}
		}
	}
}

// onlyBefore reports whether a body defines an array, and mentions its memory only before statement number m and in what that begins with.
func (p *placer) onlyBefore(b *core.Body, m int, v core.Var) bool {
	if !definesOnly(b.Stms[:m], v, &core.Update{}, nil) {
		return false
	}
	h := p.homes
	mentions := func(vs []core.Var) bool {
		return slices.ContainsFunc(vs, func(w core.Var) bool { return h.of[w] != 0 && h.sites[h.of[w]].root == h.sites[h.of[v]].root })
	}
	if mentions(core.FreeInBody(b.Stms[m].Exp.(*core.Loop).Body).List()) {
		return false
	}
	for _, s := range b.Stms[m+1:] {
		if mentions(core.FreeInStm(s).List()) {
			return false
		}
	}
	return !slices.ContainsFunc(b.Res, func(o core.Operand) bool { return mentions([]core.Var{o.Var}) })
}

// turnInit puts the arrays that a loop begins with into the slots of a turn.
func (p *placer) turnInit(t *turn, e *core.Loop, s *core.Stm) {
	p.allocTurn(t, e)
	for k, i := range t.members {
		t.init = append(t.init, core.V(p.move(e.Init[i].Var, t.slot(core.Int(int64(k))))))
		t.params = append(t.params, p.Param("slot", core.ScalarType(prim.I32)))
		t.dst = append(t.dst, p.Param("slot", core.ScalarType(prim.I32)))
		delete(p.targets, s.Dst[i].Var)
	}
}

// slot is the layout of an array in a slot.
func (t *turn) slot(number core.Operand) *core.Layout {
	l := &core.Layout{Mem: t.block.Mem, Strides: t.block.Strides[1:]}
	l.Offset = t.block.Offset.Add(core.PolyOf(number).Mul(t.block.Strides[0]))
	return l
}

// at is the layout of an array in the slot whose number is a variable.
func (t *turn) at(number core.Param) *core.Layout { return t.slot(core.V(number.Var)) }

// slots are the numbers of the slots before the loop.
func (t *turn) slots() []core.Operand {
	ns := make([]core.Operand, len(t.members))
	for k := range ns {
		ns[k] = core.C(prim.MakeI32(int32(k)))
	}
	return ns
}

// turned are the slots' numbers behind an iteration.
func (p *placer) turned(t *turn, e *core.Loop) []core.Operand {
	ns := make([]core.Operand, len(t.members))
	for k, i := range t.members {
		next := t.params[(k+1)%len(t.members)]
		p.expect(e.Body.Res[i].Var, t.at(next))
		ns[k] = core.V(next.Var)
	}
	return ns
}
