package interp

import (
	"fmt"

	"skald/frontend/types"
)

// loop compiles a loop. Each iteration runs in the same frame, so that stack use does not depend on their number.
func (s *scope) loop(e *types.Loop) eval {
	init := s.exp(e.Init)
	sizes := s.bindSizes(e.Sizes, e.Pat.Base().Type)
	var assign func(f *frame, v Value)
	if bind := s.pat(e.Pat); sizes == nil && bind != nil {
		assign = bind
	} else {
		assign = func(f *frame, v Value) {
			if sizes != nil {
				sizes(f, v)
			}
			if bind != nil {
				bind(f, v)
			}
		}
	}
	switch form := e.Form.(type) {
	case *types.For:
		return s.forLoop(e, form, init, assign)
	case *types.ForIn:
		return s.forInLoop(e, form, init, assign)
	case *types.While:
		cond := s.exp(form.Cond)
		body := s.exp(e.Body)
		return func(f *frame) Value {
			v := init(f)
			for {
				assign(f, v)
				f.m.tick()
				if cond(f).word == 0 {
					return v
				}
				v = body(f)
			}
		}
	default:
		panic(fmt.Sprintf("interp: loop form %T", form))
	}
}

func (s *scope) forLoop(e *types.Loop, form *types.For, init eval, assign func(*frame, Value)) eval {
	bound := s.exp(form.Bound)
	slot := s.bind(form.Sym)
	body := s.exp(e.Body)
	unsigned := types.Represent(form.Sym.Type).(*types.Prim).Kind.IsUnsigned()
	return func(f *frame) Value {
		v := init(f)
		n := bound(f).word
		if !unsigned && int64(n) < 0 {
			n = 0
		}
		for i := uint64(0); i < n; i++ {
			assign(f, v)
			f.slots[slot] = Value{word: i}
			f.m.tick()
			v = body(f)
		}
		return v
	}
}

func (s *scope) forInLoop(e *types.Loop, form *types.ForIn, init eval, assign func(*frame, Value)) eval {
	over := s.exp(form.Array)
	elem := s.pat(form.Pat)
	body := s.exp(e.Body)
	return func(f *frame) Value {
		v := init(f)
		a := over(f).array()
		for i := range a.len() {
			assign(f, v)
			if elem != nil {
				elem(f, a.at(i))
			}
			f.m.tick()
			v = body(f)
		}
		return v
	}
}
