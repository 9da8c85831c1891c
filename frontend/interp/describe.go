package interp

import (
	"context"
	"fmt"
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

	frame *frame
	scope *scope
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

// visible lists the variables that are in scope now, in order of binding: those of the functions around, the outermost first, then
// those of this function. It makes this function capture what it does not mention itself.
func (s *scope) visible() []visibleVar {
	var vars []visibleVar
	if s.outer != nil {
		for _, v := range s.outer.visible() {
			if slot, ok := s.find(v.sym); ok {
				vars = append(vars, visibleVar{sym: v.sym, slot: slot})
			}
		}
	}
	for _, sym := range s.bound {
		if sym.Type != nil && len(sym.Params) == 0 {
			vars = append(vars, visibleVar{sym: sym, slot: s.slots[sym]})
		}
	}
	for i := range vars {
		vars[i].t, _ = s.typeOf(vars[i].sym.Type)
	}
	return vars
}

// stop describes the state for a breakpoint.
func (m *machine) stop(f *frame, s *scope, at source.Span, vars []visibleVar) *Stop {
	st := &Stop{At: at, Calls: m.trace(source.Span{}), frame: f, scope: s}
	for i := len(vars) - 1; i >= 0; i-- {
		v, t := f.slots[vars[i].slot], vars[i].t(f)
		if v.ref == nil && t.kind != primType {
			continue // Its definition is what is being evaluated.
		}
		st.Vars = append(st.Vars, Var{vars[i].sym, v, describe(v, t)})
	}
	return st
}

// inside compiles something in the scope of a stop, or at top level if that is nil, and makes a frame for it.
func (m *machine) inside(stop *Stop, compile func(s *scope)) *frame {
	if stop == nil {
		stop = &Stop{}
	}
	s := m.newScope(stop.scope)
	compile(s)
	f := &frame{make([]Value, s.n), m}
	for i, from := range s.captures {
		if from >= len(stop.frame.slots) {
			// The function that stopped does not itself know it, so its closure does not hold it.
			m.fail(stop.At, "A type or variable of an enclosing function is not at hand here.")
		}
		f.slots[s.captured[i]] = stop.frame.slots[from]
	}
	return f
}

// EvalAt evaluates an expression whose variables are those of a stop and definitions of the program. It may be called only
// while the program is stopped there. Without a stop it is Eval.
func (in *Interpreter) EvalAt(ctx context.Context, stop *Stop, e types.Exp) (result Value, err error) {
	err = in.protect(ctx, func() {
		var body eval
		f := in.m.inside(stop, func(s *scope) { body = s.exp(e) })
		result = body(f)
	})
	return result, err
}

// Describe prints a value of type t as source text; its sizes are not looked at. The type may mention parameters of the function
// that a stop is in; stop may be nil.
func (in *Interpreter) Describe(stop *Stop, v Value, t types.Type) string {
	var rt typeEval
	f := in.m.inside(stop, func(s *scope) { rt, _ = s.typeOf(t) })
	return describe(v, rt(f))
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
