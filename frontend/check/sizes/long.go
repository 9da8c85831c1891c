package sizes

import (
	"slices"

	"skald/frontend/source"
	"skald/frontend/types"
)

// Note [Long sizes]
// ~~~~~~~~~~~~~~~~~
// In `let xs = xs ++ xs`, written n times, the size of xs is a sum of 2^n terms, and types repeat it. So where the size of an application's
// result gets longer than mostTerms, the result's shape binds a name for it, as for a size that is unknown, and types mention the name. The
// solver remembers what the name stands for: sizes are compared by that, and a type that leaves the scope of the name spells it out
// again. What is accepted is therefore the same, but where that would be longer than mostSpelled: there the size is unknown outside.

const (
	mostTerms   = 256
	mostSpelled = 50_000
)

// nameLong names the sizes of arrays in t that are too long. It returns the names, which whoever has a value of the type binds.
func (s *solver) nameLong(t types.Type, at source.Span) (types.Type, []*types.Symbol) {
	switch a := types.Force(t).(type) {
	case *types.Array:
		elem, names := s.nameLong(a.Elem, at)
		size := a.Size
		if x, ok := size.(*types.SizeExp); ok && longer(x.Exp, mostTerms) {
			k := s.unknownFrom("d", at, "stands for a long sum")
			s.vars[k].value = size
			size, names = nameSize(k), append(names, k)
		}
		if len(names) == 0 {
			return t, nil
		}
		return &types.Array{Unique: a.Unique, Size: size, Elem: elem}, names
	case *types.Record:
		var names []*types.Symbol
		fields := slices.Clone(a.Fields)
		for i, f := range fields {
			elem, more := s.nameLong(f.Type, at)
			fields[i].Type, names = elem, append(names, more...)
		}
		if len(names) == 0 {
			return t, nil
		}
		return &types.Record{Fields: fields}, names
	default:
		return t, nil
	}
}

// longer reports whether an expression has more than most nodes.
func longer(e types.Exp, most int) bool {
	types.Walk(e, func(types.Exp) bool {
		most--
		return most >= 0
	})
	return most < 0
}

// valueOf is what d stands for, if it is the name of a long size.
func (s *solver) valueOf(d types.Size) (types.Size, bool) {
	n, ok := d.(*types.SizeName)
	if !ok {
		return d, false
	}
	v := s.vars[n.Sym]
	if v == nil || v.value == nil {
		return d, false
	}
	return s.size(v.value), true
}

// equateLong makes sizes equal of which one is the name of a long one, or reports that none is.
func (u *unifier) equateLong(a, b types.Size, bound []*types.Symbol) bool {
	x, okA := u.valueOf(a)
	y, okB := u.valueOf(b)
	if !okA && !okB {
		return false
	}
	if okA && okB {
		pair := [2]*types.Symbol{a.(*types.SizeName).Sym, b.(*types.SizeName).Sym}
		if u.equated[pair] {
			return true
		}
		if u.equated == nil {
			u.equated = map[[2]*types.Symbol]bool{}
		}
		u.equated[pair] = true // or this fails
	}
	u.onSizes(u, x, y, bound)
	return true
}

// spelled is t with the names of long sizes that leave replaced by what they stand for, and those that stand for what leaves. Where that is
// too long they become names of unknown sizes.
func (s *solver) spelled(t types.Type, leaves func(*types.Symbol) bool) types.Type {
	known := map[*types.Symbol]bool{}
	var named func(sym *types.Symbol) bool
	named = func(sym *types.Symbol) bool {
		v := s.vars[sym]
		if v == nil || v.value == nil {
			return false
		}
		answer, ok := known[sym]
		if !ok {
			answer = leaves(sym) || slices.ContainsFunc(s.inside(v), func(in *types.Symbol) bool { return leaves(in) || named(in) })
			known[sym] = answer
		}
		return answer
	}
	if !slices.ContainsFunc(freeSymbols(t), named) {
		return t
	}
	left := mostSpelled
	return mapSizes(t, func(d types.Size) types.Size {
		spell := speller{solver: s, named: named, left: left}
		out := types.ExpToSize(spell.exp(types.SizeToExp(d, source.Span{})))
		if spell.left < 0 {
			for _, sym := range sizeSymbols(d) {
				if named(sym) {
					s.vars[sym].value = nil
				}
			}
			return d
		}
		left = spell.left
		return out
	})
}

// inside lists the variables that the value of a long size mentions.
func (s *solver) inside(v *sizeVar) []*types.Symbol {
	if v.mentions == nil {
		for _, sym := range sizeSymbols(v.value) {
			if !slices.Contains(v.mentions, sym) {
				v.mentions = append(v.mentions, sym)
			}
		}
	}
	var found []*types.Symbol
	for _, sym := range v.mentions {
		found = append(found, sizeSymbols(s.size(nameSize(sym)))...)
	}
	return found
}

// speller spells out the names of long sizes in expressions, until nothing is left of what it may make.
type speller struct {
	*solver
	named func(*types.Symbol) bool
	left  int
}

func (p *speller) exp(e types.Exp) types.Exp {
	if p.left--; p.left < 0 {
		return e
	}
	if ref, ok := e.(*types.Ref); ok && p.named(ref.Sym) {
		return p.exp(types.SizeToExp(p.size(p.vars[ref.Sym].value), ref.At))
	}
	return types.MapExp(e, types.Mapper{Exp: p.exp})
}
