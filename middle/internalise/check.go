package internalise

import (
	"skald/frontend/types"
	"skald/middle/core"
	"skald/runtime/prim"
)

// check asserts cond and returns the certificate, or none where cond is known to hold or checks are off.
func (s *scope) check(cond core.Operand, msg ...core.MsgPart) []core.Var {
	if s.unsafe || cond == core.Bool(true) {
		return nil
	}
	return []core.Var{s.b.Assert(cond, msg...)}
}

// checked runs f so that the statements it makes list certs.
func (s *scope) checked(certs []core.Var, f func()) {
	if len(certs) == 0 {
		f()
		return
	}
	s.b.WithCerts(certs, f)
}

// equalShapes is the condition that two shapes of one rank are equal; sizes that are the same operand need no comparison.
func (s *scope) equalShapes(a, b []core.Operand) core.Operand {
	same := core.Bool(true)
	for i, d := range a {
		if d != b[i] {
			same = s.and(same, s.b.Cmp(prim.Eq, d, b[i]))
		}
	}
	return same
}

// shapeText is "[n][m]" as parts of a message.
func shapeText(shape []core.Operand) []core.MsgPart {
	var parts []core.MsgPart
	for _, d := range shape {
		parts = append(parts, core.Text("["), core.Value(d), core.Text("]"))
	}
	return parts
}

// assert translates `assert c e`: what e computes lists the certificate of c.
func (s *scope) assert(e *types.Assert) []core.Operand {
	cond := s.scalar(e.Cond)
	if s.unsafe {
		return s.exp(e.Body)
	}
	cert := s.b.Assert(cond, core.Text("Assertion is false: "+e.Text))
	var xs []core.Operand
	s.checked([]core.Var{cert}, func() { xs = s.exp(e.Body) })
	// A result that was computed before must depend on the assertion as well.
	for i, x := range xs {
		s.checked([]core.Var{cert}, func() { xs[i] = s.b.Let("x", &core.Use{X: x}) })
	}
	return xs
}

// coerce checks the sizes of a value against those of its type.
func (s *scope) coerce(e *types.Coerce) []core.Operand {
	xs := s.exp(e.Exp)
	target, open := nameOpen(e.Type)
	s.bindSizes(open, target, xs)
	ts := s.coreTypes(target)
	out := make([]core.Operand, len(xs))
	for i, x := range xs {
		have := s.b.TypeOf(x)
		same := s.equalShapes(have.Shape, ts[i].Shape)
		msg := []core.MsgPart{core.Text("Value of shape ")}
		msg = append(msg, shapeText(have.Shape)...)
		msg = append(msg, core.Text(" cannot match shape of type \""))
		msg = append(msg, shapeText(ts[i].Shape)...)
		msg = append(msg, core.Text(ts[i].Elem.String()+"\"."))
		s.checked(s.check(same, msg...), func() { out[i] = s.ensure(x, ts[i]) })
	}
	return out
}

// hole fails, and returns zeros for whoever wants a value.
func (s *scope) hole(e *types.Hole) []core.Operand {
	cert := s.b.Assert(core.Bool(false), core.Text("Reached hole of type: "+e.Type.String()))
	ts := s.emptyTypes(e.Type)
	out := make([]core.Operand, len(ts))
	for i, t := range ts {
		s.checked([]core.Var{cert}, func() { out[i] = s.b.Let("x", &core.Use{X: s.zero(t)}) })
	}
	return out
}
