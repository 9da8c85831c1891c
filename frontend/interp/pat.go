package interp

import (
	"fmt"

	"skald/frontend/types"
)

// binder binds the variables of a pattern that fits everything.
type binder func(f *frame, v Value)

// elementBinder binds the variables of a pattern to the element at i of an array. An element that is a record is not made.
type elementBinder func(f *frame, a *array, i int)

// matcher binds the variables of a pattern, or reports that it does not fit.
type matcher func(f *frame, v Value) bool

// pat compiles a pattern that fits everything; nil means that it binds nothing.
func (s *scope) pat(p types.Pat) binder {
	switch p := p.(type) {
	case *types.VarPat:
		slot := s.bind(p.Sym)
		return func(f *frame, v Value) { f.slots[slot] = v }
	case *types.WildPat:
		return nil
	case *types.AttrPat:
		return s.pat(p.Pat)
	case *types.RecordPat:
		return s.recordPat(p)
	case *types.CtorPat, *types.LitPat:
		match := s.match(p)
		return func(f *frame, v Value) { match(f, v) }
	default:
		panic(fmt.Sprintf("interp: pattern %T", p))
	}
}

func (s *scope) recordPat(p *types.RecordPat) binder {
	binders := make([]binder, len(p.Fields))
	last := -1
	for i, fp := range p.Fields {
		if binders[i] = s.pat(fp.Pat); binders[i] != nil {
			last = i
		}
	}
	if last < 0 {
		return nil
	}
	if len(binders) == 2 && binders[0] != nil && binders[1] != nil {
		first, second := binders[0], binders[1]
		return func(f *frame, v Value) {
			fields := v.record().fields
			first(f, fields[0])
			second(f, fields[1])
		}
	}
	return func(f *frame, v Value) {
		fields := v.record().fields
		for i, bind := range binders {
			if bind != nil {
				bind(f, fields[i])
			}
		}
	}
}

// match compiles a pattern that may not fit.
func (s *scope) match(p types.Pat) matcher {
	switch p := p.(type) {
	case *types.VarPat:
		slot := s.bind(p.Sym)
		return func(f *frame, v Value) bool { f.slots[slot] = v; return true }
	case *types.WildPat:
		return func(*frame, Value) bool { return true }
	case *types.AttrPat:
		return s.match(p.Pat)
	case *types.LitPat:
		want := p.Value.Word()
		if p.Value.Type().IsFloat() {
			eq := equalWords(p.Value.Type())
			return func(_ *frame, v Value) bool { return eq(v.word, want) }
		}
		return func(_ *frame, v Value) bool { return v.word == want }
	case *types.RecordPat:
		fields := make([]types.Pat, len(p.Fields))
		for i, fp := range p.Fields {
			fields[i] = fp.Pat
		}
		all := s.matchAll(fields)
		return func(f *frame, v Value) bool { return all(f, v.record().fields) }
	case *types.CtorPat:
		_, ctor := types.Represent(p.Type).(*types.Sum).Ctor(p.Ctor)
		all := s.matchAll(p.Args)
		return func(f *frame, v Value) bool {
			u := v.ref.(*sum)
			return u.ctor == ctor && all(f, u.args)
		}
	default:
		panic(fmt.Sprintf("interp: pattern %T", p))
	}
}

func (s *scope) matchAll(ps []types.Pat) func(f *frame, vs []Value) bool {
	matchers := make([]matcher, len(ps))
	for i, p := range ps {
		matchers[i] = s.match(p)
	}
	return func(f *frame, vs []Value) bool {
		for i, m := range matchers {
			if !m(f, vs[i]) {
				return false
			}
		}
		return true
	}
}

// element compiles a pattern that fits everything for elements of an array of one dimension; nil means that it binds
// nothing.
func (s *scope) element(p types.Pat) elementBinder {
	switch p := p.(type) {
	case *types.AttrPat:
		return s.element(p.Pat)
	case *types.RecordPat:
		binders := make([]elementBinder, len(p.Fields))
		for i, fp := range p.Fields {
			binders[i] = s.element(fp.Pat)
		}
		return func(f *frame, a *array, i int) {
			for k, bind := range binders {
				if bind != nil {
					bind(f, a.fields[k], i)
				}
			}
		}
	default:
		bind := s.pat(p)
		if bind == nil {
			return nil
		}
		return func(f *frame, a *array, i int) { bind(f, a.at(i)) }
	}
}
