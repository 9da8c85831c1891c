package sizes

import (
	"fmt"
	"slices"

	"skald/frontend/source"
	"skald/frontend/types"
)

// Note [Loop sizes]
//
// A loop is like a function of its pattern that is applied again and again. Each size in the type of the initial
// value first becomes a variable of its own. What the body returns at the same place decides: the same size as
// initially, and the size does not vary; another variable that began with the same size, and it varies if that one
// does; anything else, and it varies. Sizes that do not vary are linked to the initial ones. The others are
// parameters of the loop, and existential in its result.

// loopSize is one size of a loop's pattern: see Note [Loop sizes].
type loopSize struct {
	sym     *types.Symbol // stands for the size in the body
	initial types.Size
	level   int
}

// loopState is the inference of one loop.
type loopState struct {
	*solver
	at      source.Span
	sizes   []loopSize
	before  int // number of symbols made before the loop
	varying []*types.Symbol
}

// loop finds the sizes of a loop: see Note [Loop sizes].
func (s *solver) loop(e *types.Loop) types.Exp {
	info := e.Info
	init := s.exp(e.Init)
	l := &loopState{solver: s, at: info.At, before: len(s.made)}
	t := mapSizes(s.typeOf(init), func(d types.Size) types.Size {
		sym := s.flex("loop_d", "loop parameter", info.At)
		l.sizes = append(l.sizes, loopSize{sym, d, s.level})
		return nameSize(sym)
	})
	out := &types.Loop{Info: info, Init: init}
	level := s.level
	var elem types.Type
	switch f := e.Form.(type) {
	case *types.For:
		bound := s.exp(f.Bound)
		s.bind(f.Sym, bound.Base().Type)
		out.Form = &types.For{Sym: f.Sym, Bound: bound}
	case *types.ForIn:
		array := s.exp(f.Array)
		elem = types.Force(s.typeOf(array)).(*types.Array).Elem
		out.Form = &types.ForIn{Pat: s.bindPat(nil, f.Pat, elem), Array: array}
	case *types.While:
	default:
		panic(fmt.Sprintf("sizes.loop: %T", f))
	}
	out.Pat = s.bindPat(nil, e.Pat, t)
	s.level++
	if f, ok := e.Form.(*types.While); ok {
		out.Form = &types.While{Cond: s.exp(f.Cond)}
	}
	out.Body = s.exp(e.Body)
	l.decide(t, out)
	s.level = level
	l.fits("Initial loop values do not", out.Pat, init)
	out.Sizes = l.varying
	out.Type, out.Ext = l.result(out.Pat)
	return out
}

// decide finds out which sizes vary and settles the others.
func (l *loopState) decide(t types.Type, e *types.Loop) {
	bodyType := l.typeOf(e.Body)
	patType := l.norm(e.Pat.Base().Type)
	l.checkImpossible(patType)
	l.explain(func() string {
		return fmt.Sprintf("Loop body does not have expected type.\nExpected: %s\nActual:   %s", l.show(patType),
			l.show(bodyType))
	}, func() { l.unify(e.Body.Base().At, l.loosen(patType), bodyType) })
	copies := map[*types.Symbol]*types.Symbol{}
	settled := map[*types.Symbol]types.Size{}
	varies := map[*types.Symbol]bool{}
	var order []*types.Symbol
	zipSizes(l.norm(t), l.typeOf(e.Body), func(d, got types.Size) types.Size {
		if !types.EqualSize(d, got) {
			for _, sym := range sizeSymbols(d) {
				order = append(order, sym)
				l.classify(sym, got, copies, settled, varies)
			}
		}
		return d
	})
	for changed := true; changed; {
		changed = false
		for _, sym := range order {
			if from := copies[sym]; from != nil && varies[from] && !varies[sym] {
				varies[sym], changed = true, true
			}
		}
	}
	for _, sym := range order {
		switch d, ok := settled[sym]; {
		case varies[sym]:
			if !slices.Contains(l.varying, sym) {
				l.varying = append(l.varying, sym)
			}
		case ok && l.vars[sym].link == nil && l.vars[sym].kind == flexible:
			l.vars[sym].link = d
		}
	}
	l.checkEscaped()
	for _, sym := range l.varying {
		l.vars[sym].kind = param
		sym.Kind = types.SizeParam
	}
	l.fits("Loop body does not", e.Pat, e.Body)
}

// classify records how the body produces the size that sym stands for: it got size got at that place.
func (l *loopState) classify(sym *types.Symbol, got types.Size,
	copies map[*types.Symbol]*types.Symbol, settled map[*types.Symbol]types.Size, varies map[*types.Symbol]bool,
) {
	initial := l.initial(sym)
	if initial == nil {
		return
	}
	delete(copies, sym)
	delete(settled, sym)
	delete(varies, sym)
	other, isName := got.(*types.SizeName)
	switch {
	case types.EqualSize(l.size(initial), got):
		settled[sym] = initial
	case isName && l.initial(other.Sym) != nil && types.EqualSize(l.size(l.initial(other.Sym)), l.size(initial)):
		settled[sym], copies[sym] = initial, other.Sym
	case !slices.Contains(l.made[:l.before], sym):
		varies[sym] = true
	}
}

// initial returns the initial size of what sym stands for, or nil if it is none of the loop's.
func (l *loopState) initial(sym *types.Symbol) types.Size {
	for _, ls := range l.sizes {
		if n, ok := l.size(nameSize(ls.sym)).(*types.SizeName); ok && n.Sym == sym {
			return ls.initial
		}
	}
	return nil
}

// loosen replaces each of the loop's sizes in t by a fresh variable.
func (l *loopState) loosen(t types.Type) types.Type {
	return mapSizes(t, func(d types.Size) types.Size {
		if n, ok := d.(*types.SizeName); ok && l.initial(n.Sym) != nil {
			return nameSize(l.flex("loop", "loop", l.at))
		}
		return d
	})
}

func (l *loopState) checkImpossible(t types.Type) {
	for _, sym := range freeSymbols(t) {
		v := l.vars[sym]
		if v == nil || v.kind != unknown || slices.Contains(l.made[:l.before], sym) {
			continue
		}
		l.fail(l.at, "loop-existential",
			"The loop would carry a value of type\n  %s\nwhose existential size \"%s\" is made again inside "+
				"the loop body.", t, sym.Name)
	}
}

func (l *loopState) checkEscaped() {
	for _, ls := range l.sizes {
		if slices.Contains(l.varying, ls.sym) && l.vars[ls.sym].level < ls.level {
			l.fail(l.at, "loop-variant-escape", "Loop-variant size is in the type of something from before the "+
				"loop.")
		}
	}
}

// fits checks that a value of the pattern's type, for some values of the varying sizes, is what e returns.
func (l *loopState) fits(what string, p types.Pat, e types.Exp) {
	subst := types.Subst{Sizes: map[*types.Symbol]types.Size{}}
	for _, sym := range l.varying {
		subst.Sizes[sym] = nameSize(l.flex(sym.Name, what, l.at))
	}
	want := subst.Type(l.norm(p.Base().Type))
	l.explain(func() string {
		return fmt.Sprintf("%s have expected type.\nExpected: %s\nActual:   %s", what, l.show(want),
			l.show(e.Base().Type))
	}, func() { l.unify(e.Base().At, want, l.typeOf(e)) })
}

// result is the type of the loop as a whole.
func (l *loopState) result(p types.Pat) (types.Type, []*types.Symbol) {
	subst := types.Subst{Sizes: map[*types.Symbol]types.Size{}}
	t := types.WithUnique(l.norm(p.Base().Type), types.NotUnique)
	shown := freeSymbols(t)
	var ext []*types.Symbol
	for _, sym := range l.varying {
		if slices.Contains(shown, sym) {
			k := l.unknown("loop", l.at)
			ext = append(ext, k)
			subst.Sizes[sym] = nameSize(k)
		}
	}
	return subst.Type(t), ext
}
