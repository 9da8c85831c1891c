package simplify

import (
	"skald/middle/core"
	"skald/runtime/prim"
)

// mostSteps is how many statements a loop of constants runs at most when it is computed here: some milliseconds.
const mostSteps = 1 << 14

// constantLoop computes a loop of scalars that counts to a number, begins with numbers, and needs nothing else. Where the program runs, a
// kernel would wait for it, or each thread compute it.
func constantLoop(e *core.Loop) *result {
	n, ok := e.Bound.ConstInt()
	if !ok || !e.IsFor() || n > mostSteps || n*int64(len(e.Body.Stms)) > mostSteps || len(e.Params) == 0 {
		return nil
	}
	known := constants{}
	state := make([]prim.Value, len(e.Init))
	for i, o := range e.Init {
		if state[i], ok = known.of(o); !ok {
			return nil
		}
	}
	for at := range n {
		known[e.Index.Var] = prim.MakeInt(e.Index.Type.Elem, at)
		for i, p := range e.Params {
			known[p.Var] = state[i]
		}
		for _, st := range e.Body.Stms {
			v, ok := known.compute(st.Exp)
			if !ok {
				return nil
			}
			known[st.Dst[0].Var] = v
		}
		for i, o := range e.Body.Res {
			if state[i], ok = known.of(o); !ok {
				return nil
			}
		}
	}
	out := make([]core.Operand, len(state))
	for i, v := range state {
		out[i] = core.C(v)
	}
	return value(out...)
}

// constants are the values of variables.
type constants map[core.Var]prim.Value

func (c constants) of(o core.Operand) (prim.Value, bool) {
	if o.Var == 0 {
		return o.Const, true
	}
	v, ok := c[o.Var]
	return v, ok
}

// compute is the value of an expression of scalars; it is false of what is not known, cannot be computed, or is no such expression.
func (c constants) compute(e core.Exp) (prim.Value, bool) {
	known := true
	of := func(o core.Operand) prim.Value {
		v, ok := c.of(o)
		known = known && ok
		return v
	}
	switch e := core.Match(e).(type) {
	case *core.Use:
		return c.of(e.X)
	case *core.Un:
		if x := of(e.X); known {
			return prim.EvalUn(e.Op, x), true
		}
	case *core.Bin:
		if x, y := of(e.X), of(e.Y); known {
			v, err := prim.EvalBin(e.Op, x, y)
			return v, err == nil
		}
	case *core.Cmp:
		if x, y := of(e.X), of(e.Y); known {
			return prim.MakeBool(prim.EvalCmp(e.Op, x, y)), true
		}
	case *core.Conv:
		if x := of(e.X); known {
			return prim.Convert(e.To, x), true
		}
	case *core.CallFunc:
		args := make([]prim.Value, len(e.Args))
		for i, a := range e.Args {
			args[i] = of(a)
		}
		if known {
			return prim.EvalFunc(e.Func, e.Type, args...), true
		}
	default:
	}
	return prim.Value{}, false
}
