package reuse

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"skald/middle/core"
	"skald/middle/expand"
	"skald/middle/functions"
	"skald/middle/pass"
)

// Pass makes one of blocks of a kernel's threads that are not in use at a time.
var Pass = pass.Pass[*core.Prog, *core.Prog]{
	Name: "reuse",
	Doc:  "let arrays of a kernel's thread that are not in use at a time have one block, outside of its loops and branches",
	Run: func(ctx *pass.Context, p *core.Prog) *core.Prog {
		return functions.Map(p, func(f *core.Fun) *core.Fun { return function(ctx, f) })
	},
}

func function(ctx *pass.Context, f *core.Fun) *core.Fun {
	if f.DeviceFunction {
		return f
	}
	return functions.Kernels(f, func(b *core.Builder, s *core.Stm, e core.Seg) bool {
		m, ok := e.(*core.SegMap)
		if !ok || m.Level != core.LevelGrid {
			return false
		}
		body, shared := share(b, blocksOf(ctx, m), m.Body)
		if !shared {
			return false
		}
		n, k := *s, *m
		k.Body = body
		n.Exp = &k
		b.Add(&n)
		return true
	})
}

// block is an allocation of a kernel's thread.
type block struct {
	mem   core.Param
	alloc *core.Alloc
	sizes []core.Operand // whose product is the number of elements, known outside of the kernel
}

// key is the same for blocks with as many elements of one type.
func (b block) key() string {
	names := []string{b.alloc.Elem.String()}
	for _, d := range b.sizes {
		names = append(names, fmt.Sprint(d))
	}
	slices.Sort(names[1:])
	return strings.Join(names, " ")
}

// blocksOf are the blocks of a kernel that may be one with others, in the order of its code.
func blocksOf(ctx *pass.Context, m *core.SegMap) []block {
	var blocks []block
	var private expand.Private
	var sizing *core.Sizing
	var body func(b *core.Body) *core.Body
	body = func(b *core.Body) *core.Body {
		for _, s := range b.Stms {
			switch e := core.Match(s.Exp).(type) {
			case *core.Alloc:
				if private.Takes(ctx, e) {
					continue
				}
				if sizing == nil {
					sizing = core.NewSizing(m.Space.Ids, m.Body)
				}
				if sizes := sizing.Factors(e.Count); sizing.Outside(sizes) {
					blocks = append(blocks, block{s.Dst[0], e, sizes})
				}
			case *core.WithAcc:
				body(e.Lambda.Body) // operators have private memory only
			default:
				core.MapBodies(s.Exp, body)
			}
		}
		return b
	}
	body(m.Body)
	return blocks
}

// share makes one of blocks that may be, and returns the kernel's code with that. It is false where none may.
func share(outer *core.Builder, blocks []block, b *core.Body) (*core.Body, bool) {
	if len(blocks) < 2 {
		return b, false
	}
	groups := grouped(blocks, livesOf(blocks, b))
	if len(groups) == len(blocks) {
		return b, false
	}
	top := outer.Nested()
	sub := core.Subst{}
	gone := map[core.Var]bool{}
	for _, group := range groups {
		if len(group) == 1 {
			continue
		}
		first := blocks[group[0]]
		e := *first.alloc
		e.Count = top.Product(first.sizes...)
		top.Bind([]core.Param{first.mem}, &e)
		for _, i := range group {
			gone[blocks[i].mem.Var] = true
			if i != group[0] {
				sub[blocks[i].mem.Var] = core.V(first.mem.Var)
			}
		}
	}
	in := sub.Body(without(gone, b))
	top.Add(in.Stms...)
	return top.Body(in.Res...), true
}

// grouped divides blocks into those that are to be one.
func grouped(blocks []block, l *lives) [][]int {
	var groups [][]int
	like := map[string][]int{}  // groups, by the key of their blocks
	var inTheWay []map[int]bool // by group
	for i, b := range blocks {
		if l.alone[i] {
			groups, inTheWay = append(groups, []int{i}), append(inTheWay, nil)
			continue
		}
		key := b.key()
		at := slices.IndexFunc(like[key], func(g int) bool { return !inTheWay[g][i] })
		if at < 0 {
			like[key] = append(like[key], len(groups))
			groups, inTheWay = append(groups, []int{i}), append(inTheWay, maps.Clone(l.clash[i]))
			continue
		}
		g := like[key][at]
		groups[g] = append(groups[g], i)
		maps.Copy(inTheWay[g], l.clash[i])
	}
	return groups
}

// without is code without the allocations of some blocks.
func without(gone map[core.Var]bool, b *core.Body) *core.Body {
	out := &core.Body{Res: b.Res}
	for _, s := range b.Stms {
		if _, ok := s.Exp.(*core.Alloc); ok && gone[s.Dst[0].Var] {
			continue
		}
		n := *s
		n.Exp = core.MapBodies(s.Exp, func(in *core.Body) *core.Body { return without(gone, in) })
		out.Stms = append(out.Stms, &n)
	}
	return out
}
