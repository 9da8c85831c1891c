package interp

import (
	"fmt"
	"sort"
	"strings"

	"skald/frontend/source"
	"skald/frontend/types"
	"skald/runtime/prim"
)

// Stop is the state of a program at a #[break].
type Stop struct {
	// At is the place of the expression that is about to be evaluated.
	At source.Span
	// Calls are the places of the calls that lead there, the innermost first.
	Calls []source.Span
	// Vars are the variables in scope, those bound last first.
	Vars []Var
}

// Var is a variable at a Stop.
type Var struct {
	Sym   *types.Symbol
	Value Value
	// Text is the value as source text.
	Text string
}

// visibleVar is a variable of which the compiler knows that it is in scope somewhere.
type visibleVar struct {
	sym  *types.Symbol
	slot int
	t    typeEval
}

// visible lists the variables that are in scope now: those of this function, in order of binding.
func (s *scope) visible() []visibleVar {
	var vars []visibleVar
	for sym, slot := range s.slots {
		if sym.Type != nil && len(sym.Params) == 0 {
			vars = append(vars, visibleVar{sym: sym, slot: slot})
		}
	}
	sort.Slice(vars, func(i, j int) bool { return vars[i].slot < vars[j].slot })
	for i := range vars {
		vars[i].t, _ = s.typeOf(vars[i].sym.Type)
	}
	return vars
}

// stop describes the state for a breakpoint.
func (m *machine) stop(f *frame, at source.Span, vars []visibleVar) *Stop {
	st := &Stop{At: at, Calls: m.trace(source.Span{})}
	for i := len(vars) - 1; i >= 0; i-- {
		v := f.slots[vars[i].slot]
		st.Vars = append(st.Vars, Var{vars[i].sym, v, describe(v, vars[i].t(f))})
	}
	return st
}

// Describe prints a value of type t as source text. The type must have no parameters; its sizes are not looked at.
func (in *Interpreter) Describe(v Value, t types.Type) string {
	s := in.m.newScope(nil, "")
	rt, _ := s.typeOf(t)
	return describe(v, rt(&frame{make([]Value, s.n), in.m}))
}

// describe prints a value of type t as source text.
func describe(v Value, t *rtype) string {
	switch t.kind {
	case primType:
		return prim.FromWord(t.prim, v.word).String()
	case recordType:
		return describeRecord(v.record(), t)
	case sumType:
		u := v.ref.(*sum)
		text := "#" + t.names[u.ctor]
		for i, x := range u.args {
			arg := describe(x, t.ctors[u.ctor][i])
			if strings.HasPrefix(arg, "#") && strings.Contains(arg, " ") {
				arg = "(" + arg + ")"
			}
			text += " " + arg
		}
		return text
	case arrayType:
		return describeArray(v.array(), t)
	default:
		return "#<function>"
	}
}

func describeRecord(r *record, t *rtype) string {
	parts := make([]string, len(r.fields))
	tuple := t.isTuple()
	for i, x := range r.fields {
		parts[i] = describe(x, t.fields[i])
		if !tuple {
			parts[i] = t.names[i] + " = " + parts[i]
		}
	}
	if tuple {
		return "(" + strings.Join(parts, ", ") + ")"
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

func describeArray(a *array, t *rtype) string {
	if product(a.shape) == 0 {
		elem := t
		shape := ""
		for _, n := range a.shape {
			shape += fmt.Sprintf("[%d]", n)
			if elem.kind == arrayType {
				elem = elem.elem
			}
		}
		return "empty(" + shape + elem.String() + ")"
	}
	parts := make([]string, a.len())
	for i := range parts {
		parts[i] = describe(a.at(i), t.elem)
	}
	return "[" + strings.Join(parts, ", ") + "]"
}
