package interp

import (
	"fmt"

	"skald/frontend/types"
)

// Note [Loops without records]
//
// A loop over several variables would make a record in each iteration only to take it apart in the next. Where the
// pattern consists of variables, the body is therefore compiled to write its components to slots: first to temporary
// ones, since all of them may read all variables, and from these to the variables. The record is made at the end.

// layout is a pattern of variables as places for the components of a value.
type layout struct {
	slot, temp int
	fields     []*layout // nil for a variable
}

// layout assigns slots to p's variables, or returns nil if p is not made of variables in a record.
func (s *scope) layout(p types.Pat) *layout {
	if a, ok := p.(*types.AttrPat); ok {
		return s.layout(a.Pat)
	}
	if v := types.Variable(p); v != nil {
		return &layout{slot: s.bind(v), temp: s.slot()}
	}
	r, ok := p.(*types.RecordPat)
	if !ok {
		return nil
	}
	l := &layout{fields: make([]*layout, len(r.Fields))}
	for i, fp := range r.Fields {
		if l.fields[i] = s.layout(fp.Pat); l.fields[i] == nil {
			return nil
		}
	}
	return l
}

// leaves calls f for each variable.
func (l *layout) leaves(f func(v *layout)) {
	if l.fields == nil {
		f(l)
	}
	for _, part := range l.fields {
		part.leaves(f)
	}
}

// value makes the value of the variables.
func (l *layout) value(f *frame) Value {
	if l.fields == nil {
		return f.slots[l.slot]
	}
	fields := make([]Value, len(l.fields))
	for i, part := range l.fields {
		fields[i] = part.value(f)
	}
	return Value{ref: &record{fields}}
}

// unpack writes the components of v to the temporary slots.
func (l *layout) unpack(f *frame, v Value) {
	if l.fields == nil {
		f.slots[l.temp] = v
		return
	}
	for i, part := range l.fields {
		part.unpack(f, v.record().fields[i])
	}
}

// into compiles e to write its components to the temporary slots of l.
func (s *scope) into(e types.Exp, l *layout) func(f *frame) {
	if len(e.Base().Ext) == 0 {
		switch e := e.(type) {
		case *types.RecordLit:
			if l.fields != nil {
				return s.recordInto(e, l)
			}
		case *types.Let:
			if types.Variable(e.Pat) != nil && len(e.Sizes) == 0 {
				x := s.exp(e.Exp)
				slot := s.bind(types.Variable(e.Pat))
				body := s.into(e.Body, l)
				return func(f *frame) { f.slots[slot] = x(f); body(f) }
			}
		case *types.If:
			cond, then, other := s.exp(e.Cond), s.into(e.Then, l), s.into(e.Else, l)
			return func(f *frame) {
				if cond(f).word != 0 {
					then(f)
				} else {
					other(f)
				}
			}
		default:
		}
	}
	x := s.exp(e)
	if l.fields == nil {
		return func(f *frame) { f.slots[l.temp] = x(f) }
	}
	return func(f *frame) { l.unpack(f, x(f)) }
}

func (s *scope) recordInto(e *types.RecordLit, l *layout) func(f *frame) {
	places := canonicalPlaces(e.Fields)
	parts := make([]func(f *frame), len(e.Fields))
	for i, field := range e.Fields {
		parts[i] = s.into(field.Exp, l.fields[places[i]])
	}
	return func(f *frame) {
		for _, part := range parts {
			part(f)
		}
	}
}

// layoutBody compiles the body of a loop to an assignment of the loop's variables.
func (s *scope) layoutBody(body types.Exp, l *layout) eval {
	write := s.into(body, l)
	var from, to []int
	l.leaves(func(v *layout) { from, to = append(from, v.temp), append(to, v.slot) })
	return func(f *frame) Value {
		write(f)
		for i, slot := range to {
			f.slots[slot] = f.slots[from[i]]
		}
		return Value{}
	}
}

// loop compiles a loop. Each iteration runs in the same frame, so that stack use does not depend on their number.
func (s *scope) loop(e *types.Loop) eval {
	init := s.exp(e.Init)
	if _, isRecord := e.Pat.(*types.RecordPat); isRecord && len(e.Sizes) == 0 {
		if l := s.layout(e.Pat); l != nil && len(l.fields) > 0 {
			return s.layoutLoop(e, init, l)
		}
	}
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
	return s.iterate(e, init, assign, s.exp)
}

// layoutLoop is loop for several variables: Note [Loops without records].
func (s *scope) layoutLoop(e *types.Loop, init eval, l *layout) eval {
	bind := s.pat(e.Pat)
	start := func(f *frame) Value { bind(f, init(f)); return Value{} }
	run := s.iterate(e, start, func(*frame, Value) {}, func(body types.Exp) eval { return s.layoutBody(body, l) })
	return func(f *frame) Value {
		run(f)
		return l.value(f)
	}
}

// iterate compiles the iterations: assign binds the pattern to the result of each, and body compiles the body.
func (s *scope) iterate(
	e *types.Loop, init eval, assign func(*frame, Value), compile func(types.Exp) eval,
) eval {
	switch form := e.Form.(type) {
	case *types.For:
		return s.forLoop(e, form, init, assign, compile)
	case *types.ForIn:
		return s.forInLoop(e, form, init, assign, compile)
	case *types.While:
		cond := s.exp(form.Cond)
		body := compile(e.Body)
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

func (s *scope) forLoop(
	e *types.Loop, form *types.For, init eval, assign func(*frame, Value), compile func(types.Exp) eval,
) eval {
	bound := s.exp(form.Bound)
	slot := s.bind(form.Sym)
	body := compile(e.Body)
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

func (s *scope) forInLoop(
	e *types.Loop, form *types.ForIn, init eval, assign func(*frame, Value), compile func(types.Exp) eval,
) eval {
	over := s.exp(form.Array)
	elem := s.pat(form.Pat)
	body := compile(e.Body)
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
