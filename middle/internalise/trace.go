package internalise

import (
	"skald/frontend/types"
	"skald/middle/core"
	"skald/runtime/describe"
)

// trace prints the value of an expression with the attribute #[trace], whose components are xs.
func (s *scope) trace(e *types.Attributed, xs []core.Operand) {
	form := formOf(e.Type)
	if form == nil {
		return // An accumulator has no value yet.
	}
	text := e.At.String()
	if len(e.Attr.Args) > 0 {
		text = e.Attr.Args[0].Name
	}
	s.b.LetN("traced", &core.Trace{Text: text, Form: form.String(), Values: xs})
}

// formOf says how values of a type are represented, for whoever prints them: Note [Components]. It is nil for types with accumulators.
func formOf(t types.Type) *describe.Form {
	switch t := types.Force(t).(type) {
	case *types.Prim:
		return describe.Scalar(t.Kind)
	case *types.Array:
		elem := formOf(t.Elem)
		if elem == nil {
			return nil
		}
		return describe.Array(elem)
	case *types.Record:
		names, fields := make([]string, len(t.Fields)), make([]*describe.Form, len(t.Fields))
		for i, f := range t.Fields {
			names[i], fields[i] = f.Name, formOf(f.Type)
			if fields[i] == nil {
				return nil
			}
		}
		return describe.Record(names, fields...)
	case *types.Sum:
		return sumForm(t)
	default:
		return nil
	}
}

func sumForm(t *types.Sum) *describe.Form {
	l := sumLayout(t)
	s := &describe.Sum{Width: len(l.slots)}
	for i, c := range t.Ctors {
		out := describe.Ctor{Name: c.Name, Slots: l.payload[i]}
		for _, a := range c.Args {
			f := formOf(a)
			if f == nil {
				return nil
			}
			out.Args = append(out.Args, f)
		}
		s.Ctors = append(s.Ctors, out)
	}
	return &describe.Form{Sum: s}
}
