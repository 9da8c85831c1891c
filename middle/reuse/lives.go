package reuse

import (
	"cmp"
	"maps"
	"slices"

	"skald/middle/core"
)

// Note [Lives of arrays]
//
// Arrays of which one is last mentioned before the other is made may have the same memory. Behind this pass no read of an array is
// delayed (package simplify touches scalars alone at the memory stage), so what counts is the order of statements. An allocation is no
// mention. Two blocks are in each other's way where one statement mentions both, or one is mentioned between two mentions of the other,
// in the innermost body that mentions both. What an iteration of a loop leaves for the next is mentioned at the loop itself. Blocks that
// are handed on as such, as results of branches and loops, stay alone.

// lives finds which blocks of a kernel may be one.
type lives struct {
	blocks map[core.Var]int // by the variables of the blocks
	arrays map[core.Var]int // blocks by the arrays in them
	alone  []bool
	clash  []map[int]bool // by block, those in its way
}

// livesOf finds the lives of blocks in a kernel's body.
func livesOf(blocks []block, b *core.Body) *lives {
	l := &lives{blocks: map[core.Var]int{}, arrays: map[core.Var]int{}, alone: make([]bool, len(blocks))}
	for i, s := range blocks {
		l.blocks[s.mem.Var] = i
		l.clash = append(l.clash, map[int]bool{})
	}
	l.bind(b)
	l.body(b)
	return l
}

// bind notes the blocks of arrays, and which blocks are handed on.
func (l *lives) bind(b *core.Body) {
	note := func(ps []core.Param) {
		for _, p := range ps {
			if p.Type.Layout == nil {
				continue
			}
			if i, ok := l.blocks[p.Type.Layout.Mem]; ok {
				l.arrays[p.Var] = i
			}
		}
	}
	hand := func(os []core.Operand) {
		for _, o := range os {
			if i, ok := l.blocks[o.Var]; ok {
				l.alone[i] = true
			}
		}
	}
	core.Walk(b, func(s *core.Stm) bool {
		note(s.Dst)
		if e, ok := s.Exp.(*core.Loop); ok {
			note(e.Params)
			hand(e.Init)
		}
		core.MapBodies(s.Exp, func(in *core.Body) *core.Body {
			hand(in.Res)
			return in
		})
		return true
	})
}

// mentioned are the blocks that variables stand for, or lie in.
func (l *lives) mentioned(into map[int]bool, vars []core.Var) {
	for _, v := range vars {
		if i, ok := l.blocks[v]; ok {
			into[i] = true
		}
		if i, ok := l.arrays[v]; ok {
			into[i] = true
		}
	}
}

// body notes which blocks that a body mentions are in each other's way, and returns those that it mentions.
func (l *lives) body(b *core.Body) map[int]bool {
	first, last := map[int]int{}, map[int]int{}
	apart := map[int]bool{} // only in bodies of one statement
	inBodies := func(i int, mentioned map[int]bool) {
		for m := range mentioned {
			if _, ok := first[m]; !ok {
				first[m], apart[m] = i, true
			}
			apart[m] = apart[m] && first[m] == i
			last[m] = i
		}
	}
	outside := func(i int, mentioned map[int]bool) {
		inBodies(i, mentioned)
		for m := range mentioned {
			apart[m] = false
		}
	}
	for i, s := range b.Stms {
		if _, ok := s.Exp.(*core.Alloc); ok {
			continue
		}
		inside := map[int]bool{}
		core.MapBodies(s.Exp, func(in *core.Body) *core.Body {
			for m := range l.body(in) {
				inside[m] = true
			}
			return in
		})
		inBodies(i, inside)
		outside(i, l.atItself(s))
	}
	res := map[int]bool{}
	for _, o := range b.Res {
		l.mentioned(res, []core.Var{o.Var})
	}
	outside(len(b.Stms), res)
	all := map[int]bool{}
	var living []int // of those that begin before, the ones that may not have ended
	for _, m := range slices.SortedFunc(maps.Keys(first), func(m, n int) int { return cmp.Compare(first[m], first[n]) }) {
		all[m] = true
		living = slices.DeleteFunc(living, func(n int) bool { return last[n] < first[m] })
		for _, n := range living {
			if !(apart[m] && apart[n]) {
				l.clash[m][n], l.clash[n][m] = true, true
			}
		}
		living = append(living, m)
	}
	return all
}

// atItself are the blocks that a statement mentions outside of its bodies.
func (l *lives) atItself(s *core.Stm) map[int]bool {
	out := map[int]bool{}
	see := func(v core.Var) { l.mentioned(out, []core.Var{v}) }
	core.MapExp(s.Exp, core.Mapper{
		Operand: func(o core.Operand) core.Operand { see(o.Var); return o },
		Bind:    func(v core.Var) core.Var { see(v); return v },
		Body:    func(b *core.Body) *core.Body { return b },
	})
	for _, p := range s.Dst {
		see(p.Var)
	}
	return out
}
