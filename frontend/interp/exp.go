package interp

import (
	"fmt"
	"slices"

	"skald/frontend/types"
)

// exp compiles an expression.
func (s *scope) exp(e types.Exp) eval {
	outer := len(s.bound)
	x := s.bare(e)
	info := e.Base()
	bind := s.bindSizes(info.Ext, info.Type)
	s.bound = s.bound[:outer]
	if bind == nil {
		return x
	}
	return func(f *frame) Value {
		v := x(f)
		bind(f, v)
		return v
	}
}

// bare compiles an expression but for the sizes that are born in it.
func (s *scope) bare(e types.Exp) eval {
	switch e := e.(type) {
	case *types.Const:
		v := Value{word: e.Value.Word()}
		return func(*frame) Value { return v }
	case *types.Ref:
		return s.ref(e)
	case *types.Op:
		return s.op(e)
	case *types.Equal:
		return s.equalExp(e)
	case *types.RecordLit:
		return s.recordLit(e)
	case *types.Project:
		return s.project(e)
	case *types.Construct:
		return s.construct(e)
	case *types.ArrayConst:
		return s.arrayConst(e)
	case *types.ArrayLit:
		return s.arrayLit(e)
	case *types.Range:
		return s.rangeExp(e)
	case *types.Index:
		return s.index(e)
	case *types.Update:
		return s.update(e)
	case *types.Builtin:
		return s.builtin(e)
	default:
		return s.control(e)
	}
}

// control is bare for functions, binders and control flow.
func (s *scope) control(e types.Exp) eval {
	switch e := e.(type) { //nolint:gochecksumtype // the other variants do not get here, or are handled by the caller
	case *types.Lambda:
		return s.lambda(e)
	case *types.Apply:
		return s.applyExp(e)
	case *types.If:
		return s.ifExp(e)
	case *types.Match:
		return s.matchExp(e)
	case *types.Let:
		return s.let(e)
	case *types.LetFun:
		return s.letFun(e)
	case *types.Loop:
		return s.loop(e)
	case *types.Coerce:
		return s.coerce(e)
	case *types.Assert:
		return s.assert(e)
	case *types.Attributed:
		return s.attributed(e)
	case *types.Hole:
		fail := s.fail(e.At)
		text := e.Type.String()
		return func(f *frame) Value { fail(f, "Reached a hole of type %s.", text); return Value{} }
	default:
		panic(fmt.Sprintf("interp: expression %T", e))
	}
}

// canonicalPlaces returns the place of each field in the canonical order.
func canonicalPlaces(fields []types.FieldExp) []int {
	order := make([]types.Field, len(fields))
	for i, f := range fields {
		order[i] = types.Field{Name: f.Name}
	}
	types.SortFields(order)
	places := make([]int, len(fields))
	for i, f := range fields {
		places[i] = slices.IndexFunc(order, func(g types.Field) bool { return g.Name == f.Name })
	}
	return places
}

func (s *scope) recordLit(e *types.RecordLit) eval {
	places := canonicalPlaces(e.Fields)
	inOrder := slices.IsSorted(places)
	fields := make([]eval, len(e.Fields))
	for i, f := range e.Fields {
		fields[i] = s.exp(f.Exp)
	}
	switch {
	case len(fields) == 0:
		unit := Value{ref: &record{}}
		return func(*frame) Value { return unit }
	case len(fields) == 2 && inOrder:
		x, y := fields[0], fields[1]
		return func(f *frame) Value { a := x(f); return pair(a, y(f)) }
	}
	return func(f *frame) Value {
		vs := make([]Value, len(fields))
		for i, x := range fields {
			vs[places[i]] = x(f)
		}
		return Value{ref: &record{vs}}
	}
}

// fieldIndex is the place of a field in the canonical order.
func fieldIndex(t types.Type, name string) int {
	for i, f := range types.Represent(t).(*types.Record).Fields {
		if f.Name == name {
			return i
		}
	}
	panic("interp: no field " + name + " in " + t.String())
}

func (s *scope) project(e *types.Project) eval {
	x, i := s.exp(e.Exp), fieldIndex(e.Exp.Base().Type, e.Field)
	return s.reading(func(f *frame) Value { return x(f).record().fields[i] }, e.At, e.Field)
}

func (s *scope) construct(e *types.Construct) eval {
	_, ctor := types.Represent(e.Type).(*types.Sum).Ctor(e.Ctor)
	args := s.exps(e.Args)
	if len(args) == 0 {
		v := Value{ref: &sum{ctor: ctor}}
		return func(*frame) Value { return v }
	}
	return func(f *frame) Value { return Value{ref: &sum{ctor, evalAll(f, args)}} }
}

func (s *scope) ifExp(e *types.If) eval {
	cond, then, other := s.exp(e.Cond), s.exp(e.Then), s.exp(e.Else)
	return func(f *frame) Value {
		if cond(f).word != 0 {
			return then(f)
		}
		return other(f)
	}
}

func (s *scope) matchExp(e *types.Match) eval {
	x := s.exp(e.Exp)
	matchers := make([]matcher, len(e.Cases))
	bodies := make([]eval, len(e.Cases))
	for i, c := range e.Cases {
		outer := len(s.bound)
		matchers[i], bodies[i] = s.match(c.Pat), s.exp(c.Body)
		s.bound = s.bound[:outer]
	}
	fail := s.fail(e.At)
	return func(f *frame) Value {
		v := x(f)
		for i, m := range matchers {
			if m(f, v) {
				return bodies[i](f)
			}
		}
		fail(f, "No case matches.")
		return Value{}
	}
}

func (s *scope) let(e *types.Let) eval {
	x := s.exp(e.Exp)
	sizes := s.letSizes(e)
	if v := types.Variable(e.Pat); v != nil && sizes == nil {
		slot := s.bind(v)
		body := s.exp(e.Body)
		return func(f *frame) Value {
			f.slots[slot] = x(f)
			return body(f)
		}
	}
	bind := s.pat(e.Pat)
	body := s.exp(e.Body)
	return func(f *frame) Value {
		v := x(f)
		if sizes != nil {
			sizes(f, v)
		}
		if bind != nil {
			bind(f, v)
		}
		return body(f)
	}
}

// letSizes compiles the binding of a let's sizes: those in the type of the expression, and those that the pattern names.
func (s *scope) letSizes(e *types.Let) func(f *frame, v Value) {
	t := types.Represent(e.Exp.Base().Type)
	var born, named []*types.Symbol
	for _, sym := range e.Sizes {
		if len(readersOf(t, sym)) > 0 {
			born = append(born, sym)
		} else {
			named = append(named, sym)
		}
	}
	first, second := s.bindSizes(born, t), s.bindSizes(named, e.Pat.Base().Type)
	if first == nil || second == nil {
		if first == nil {
			return second
		}
		return first
	}
	return func(f *frame, v Value) {
		first(f, v)
		second(f, v)
	}
}

func (s *scope) assert(e *types.Assert) eval {
	cond, body, fail := s.exp(e.Cond), s.exp(e.Body), s.fail(e.At)
	text := e.Text
	return func(f *frame) Value {
		if cond(f).word == 0 {
			fail(f, "Assertion is false: %s.", text)
		}
		return body(f)
	}
}

// attributed compiles an expression with an attribute. Those that ask for a kind of code mean nothing here.
func (s *scope) attributed(e *types.Attributed) eval {
	x := s.exp(e.Exp)
	at := e.At
	switch e.Attr.Name {
	case "trace":
		tag := ""
		if len(e.Attr.Args) > 0 {
			tag = e.Attr.Args[0].Name
		}
		t, _ := s.typeOf(e.Type)
		return func(f *frame) Value {
			v := x(f)
			if f.m.opts.Trace != nil {
				f.m.opts.Trace(at, tag, describe(v, t(f)))
			}
			return v
		}
	case "break":
		vars := s.visible()
		return func(f *frame) Value {
			if f.m.opts.Break != nil {
				f.m.opts.Break(f.m.stop(f, s, at, vars))
			}
			return x(f)
		}
	default:
		return x
	}
}
