package sizes

import (
	"fmt"
	"slices"

	"skald/frontend/source"
	"skald/frontend/types"
)

// escaper replaces the sizes that leave their scope by unknown sizes. A size that occurs first in the result of a
// function is bound there.
type escaper struct {
	*solver
	at     source.Span
	killed func(*types.Symbol) bool
	// became maps sizes that were replaced; inner scopes extend a copy.
	became [][2]types.Size
	made   []*types.Symbol
	// expsOnly spares sizes that are a variable.
	expsOnly bool
}

// escape returns t without mention of the symbols that killed names, and the unknown sizes that stand for them at the
// top of t.
func (s *solver) escape(t types.Type, at source.Span, killed func(*types.Symbol) bool) (types.Type, []*types.Symbol) {
	t = s.spelled(t, killed)
	any := false
	for _, sym := range freeSymbols(t) {
		any = any || killed(sym)
	}
	if !any {
		return t, nil
	}
	e := &escaper{solver: s, at: at, killed: killed}
	e.seed(t)
	t = e.typ(t)
	return t, e.made
}

// unscope is escape for a list of variables.
func (s *solver) unscope(t types.Type, at source.Span, gone []*types.Symbol) (types.Type, []*types.Symbol) {
	return s.escape(t, at, func(sym *types.Symbol) bool { return slices.Contains(gone, sym) })
}

// seed replaces the sizes that are by themselves in the shape of t first, so that larger expressions use
// them.
func (e *escaper) seed(t types.Type) {
	if e.expsOnly {
		return
	}
	eachSize(t, func(d types.Size, pos position, bound []*types.Symbol) {
		if n, ok := d.(*types.SizeName); ok && pos == immediate && !slices.Contains(bound, n.Sym) {
			e.size(d)
		}
	})
}

func (e *escaper) size(d types.Size) types.Size {
	for _, pair := range e.became {
		if types.EqualSize(pair[0], d) {
			return pair[1]
		}
	}
	if x, ok := d.(*types.SizeExp); ok {
		d = types.ExpToSize(e.exp(x.Exp))
	}
	if _, ok := d.(*types.SizeName); ok && e.expsOnly {
		return d
	}
	for _, sym := range sizeSymbols(d) {
		if e.killed(sym) {
			k := e.unknown(stem(d), e.at)
			if v := e.vars[sym]; v != nil && v.kind == unknown {
				e.vars[k].usage = v.usage
			}
			e.made = append(e.made, k)
			e.became = append(e.became, [2]types.Size{d, nameSize(k)})
			return nameSize(k)
		}
	}
	return d
}

// stem names an unknown size after what it stands for.
func stem(d types.Size) string {
	if n, ok := d.(*types.SizeName); ok {
		return n.Sym.Name
	}
	return "d"
}

func (e *escaper) exp(x types.Exp) types.Exp {
	d := types.ExpToSize(x)
	for _, pair := range e.became {
		if types.EqualSize(pair[0], d) {
			return types.SizeToExp(pair[1], x.Base().At)
		}
	}
	return types.MapExp(x, types.Mapper{Exp: e.exp})
}

func (e *escaper) typ(t types.Type) types.Type {
	switch t := types.Force(t).(type) {
	case *types.Prim, *types.Var, *types.Meta:
		return t
	case *types.Array:
		return &types.Array{Unique: t.Unique, Size: e.size(t.Size), Elem: e.typ(t.Elem)}
	case *types.Record:
		fields := make([]types.Field, len(t.Fields))
		for i, f := range t.Fields {
			fields[i] = types.Field{Name: f.Name, Type: e.typ(f.Type)}
		}
		return &types.Record{Fields: fields}
	case *types.Sum:
		ctors := make([]types.Ctor, len(t.Ctors))
		for i, c := range t.Ctors {
			args := make([]types.Type, len(c.Args))
			for j, a := range c.Args {
				args[j] = e.typ(a)
			}
			ctors[i] = types.Ctor{Name: c.Name, Args: args}
		}
		return &types.Sum{Ctors: ctors}
	case *types.Arrow:
		return e.arrow(t)
	case *types.Con:
		args := make([]types.TypeArg, len(t.Args))
		for i, a := range t.Args {
			if a.Size != nil {
				args[i] = types.TypeArg{Size: e.size(a.Size)}
			} else {
				args[i] = types.TypeArg{Type: e.typ(a.Type)}
			}
		}
		return &types.Con{Unique: t.Unique, Con: t.Con, Args: args}
	default:
		panic(fmt.Sprintf("sizes.escaper: %T", t))
	}
}

func (e *escaper) arrow(t *types.Arrow) types.Type {
	param := e.typ(t.Param)
	outer, became := e.made, e.became
	e.made, e.became = nil, append([][2]types.Size{}, became...)
	e.seed(t.Ret.Type)
	ret := e.typ(t.Ret.Type)
	ext := append(append([]*types.Symbol{}, t.Ret.Ext...), e.made...)
	for _, k := range e.made {
		delete(e.vars, k)
	}
	e.made, e.became = outer, became
	return &types.Arrow{Name: t.Name, Param: param, Ret: types.RetType{Ext: ext, Type: ret}}
}

// isAbsorbed reports whether sym stands for existential sizes.
func (s *solver) isAbsorbed(sym *types.Symbol) bool {
	v := s.vars[sym]
	return v != nil && v.kind == absorbed
}

// releaseAbsorbed replaces absorbed sizes in t by unknown ones; those that absorbed the same size become the same.
func (s *solver) releaseAbsorbed(t types.Type, at source.Span) (types.Type, []*types.Symbol) {
	first := map[*types.Symbol]*types.Symbol{}
	subst := types.Subst{Sizes: map[*types.Symbol]types.Size{}}
	for _, sym := range freeSymbols(t) {
		v := s.vars[sym]
		if v == nil || v.kind != absorbed || v.source == nil {
			continue
		}
		if rep := first[v.source]; rep != nil {
			subst.Sizes[sym] = nameSize(rep)
		} else {
			first[v.source] = sym
		}
	}
	if len(subst.Sizes) > 0 {
		t = subst.Type(t)
	}
	return s.escape(t, at, s.isAbsorbed)
}
