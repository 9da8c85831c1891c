package simplify

import (
	"slices"

	"skald/middle/core"
	"skald/runtime/prim"
)

// Note [Loops of constants]
//
// A loop of scalars, or a reduction, that begins with numbers and needs nothing else is computed here: where the program runs, a kernel
// would wait for it, or each thread compute it, and branches that it decides would be compiled. What it has inside may be branches, loops
// and SOACs of few scalars, too, and rows of numbers. It is left as it is if it takes more than mostSteps statements or does what is not
// known here.

// mostSteps is how many statements a loop of constants runs at most when it is computed here: some milliseconds.
const mostSteps = 1 << 16

// constantLoop is what a loop of constants computes; nil if it is none.
func (s *simplifier) constantLoop(e *core.Loop) *result {
	for _, o := range e.Init {
		if !o.IsConst() {
			return nil
		}
	}
	if n, ok := e.Bound.ConstInt(); len(e.Params) == 0 || e.IsFor() && (!ok || n > mostSteps || n*int64(len(e.Body.Stms)) > mostSteps) {
		return nil
	}
	c := s.computing()
	out := make([]prim.Value, len(e.Params))
	return values(out, c.loop(e, out))
}

// constantFold is what a reduction of few constants computes; nil if it is none.
func (s *simplifier) constantFold(st *core.Stm, e *core.Screma) *result {
	if core.Width(e.Reds) != len(st.Dst) || e.Post != nil {
		return nil
	}
	if n, ok := e.Size.ConstInt(); !ok || n > mostSteps || n*int64(len(e.Map.Body.Stms)) > mostSteps {
		return nil
	}
	c := s.computing()
	out := make([]prim.Value, len(st.Dst))
	return values(out, c.fold(e, out, nil))
}

// values are constants that stand for what a statement binds, if they are known.
func values(vs []prim.Value, known bool) *result {
	if !known {
		return nil
	}
	out := make([]core.Operand, len(vs))
	for i, v := range vs {
		out[i] = core.C(v)
	}
	return value(out...)
}

// constants computes with the values of variables.
type constants struct {
	s     *simplifier
	steps int
	run   uint32 // which computation this is, so that what earlier ones knew need not be cleared
	known []knownValue
	rows  map[core.Var][]prim.Value
}

type knownValue struct {
	run   uint32
	value prim.Value
}

// computing begins a computation.
func (s *simplifier) computing() *constants {
	if s.computed == nil {
		s.computed = &constants{s: s}
	}
	c := s.computed
	c.steps, c.rows = mostSteps, nil
	c.run++
	if n := len(s.Fun.Names); len(c.known) < n {
		c.known = append(c.known, make([]knownValue, n-len(c.known))...)
	}
	return c
}

func (c *constants) set(v core.Var, x prim.Value) { c.known[v] = knownValue{c.run, x} }

func (c *constants) of(o core.Operand) (prim.Value, bool) {
	if o.Var != 0 {
		if k := &c.known[o.Var]; k.run == c.run {
			return k.value, true
		}
		o = c.s.sub.Operand(o)
	}
	return o.Const, o.Var == 0
}

// row is the elements of an array of numbers.
func (c *constants) row(v core.Var) ([]prim.Value, bool) {
	if r, ok := c.rows[v]; ok {
		return r, true
	}
	o := c.s.sub.Operand(core.V(v))
	if c.s.stage == core.StageMemory || c.s.overwritten(o.Var) || c.s.def(o) == nil {
		return nil, false
	}
	return c.elements(c.s.def(o))
}

// elements are those of an array of numbers that an expression makes.
func (c *constants) elements(exp core.Exp) ([]prim.Value, bool) {
	switch e := core.Match(exp).(type) {
	case *core.ArrayLit:
		out := make([]prim.Value, len(e.Elems))
		if !e.Row.IsScalar() || !c.spend(len(out)) {
			return nil, false
		}
		return out, c.all(e.Elems, out)
	case *core.Iota:
		n, ok := c.of(e.N)
		from, ok1 := c.of(e.Start)
		step, ok2 := c.of(e.Step)
		if !ok || !ok1 || !ok2 || !c.spend(int(min(max(n.Int(), 0), mostSteps+1))) {
			return nil, false
		}
		out := make([]prim.Value, max(n.Int(), 0))
		for i := range out {
			out[i] = prim.MakeInt(e.Type, from.Int()+int64(i)*step.Int())
		}
		return out, true
	default:
		return nil, false
	}
}

// all computes operands; ok is false if one is not known.
func (c *constants) all(os []core.Operand, out []prim.Value) (ok bool) {
	for i, o := range os {
		if out[i], ok = c.of(o); !ok {
			return false
		}
	}
	return true
}

// spend takes steps from those that are left.
func (c *constants) spend(n int) bool {
	c.steps -= n
	return c.steps >= 0
}

// bind binds parameters to values, as far as there are any.
func (c *constants) bind(ps []core.Param, vs []prim.Value) {
	for i, v := range vs {
		c.set(ps[i].Var, v)
	}
}

// body runs a body and computes its results, which are scalars.
func (c *constants) body(b *core.Body, out []prim.Value) bool {
	for _, st := range b.Stms {
		if !c.spend(1) || !c.stm(st) {
			return false
		}
	}
	return c.all(b.Res, out)
}

// stm runs a statement; false if something is not known.
func (c *constants) stm(st *core.Stm) bool {
	switch e := core.Match(st.Exp).(type) {
	case *core.Assert:
		v, ok := c.of(e.Cond)
		return ok && v.Bool()
	case *core.If:
		if cond, ok := c.of(e.Cond); !ok || !scalars(st.Dst) {
			return false
		} else if cond.Bool() {
			return c.into(st.Dst, func(out []prim.Value) bool { return c.body(e.Then, out) })
		}
		return c.into(st.Dst, func(out []prim.Value) bool { return c.body(e.Else, out) })
	case *core.Loop:
		return scalars(st.Dst) && c.into(st.Dst, func(out []prim.Value) bool { return c.loop(e, out) })
	case *core.Index:
		return c.index(st.Dst[0], e)
	case *core.Screma:
		return c.screma(st, e)
	case *core.ArrayLit, *core.Iota:
		row, ok := c.elements(st.Exp)
		c.setRow(st.Dst[0].Var, row)
		return ok && c.s.stage != core.StageMemory
	default:
		v, ok := c.compute(st.Exp)
		if ok {
			c.set(st.Dst[0].Var, v)
		}
		return ok
	}
}

// into has values computed and binds what a statement binds to them.
func (c *constants) into(dst []core.Param, compute func(out []prim.Value) bool) bool {
	out := make([]prim.Value, len(dst))
	ok := compute(out)
	if ok {
		c.bind(dst, out)
	}
	return ok
}

func (c *constants) setRow(v core.Var, row []prim.Value) {
	if c.rows == nil {
		c.rows = map[core.Var][]prim.Value{}
	}
	c.rows[v] = row
}

func scalars(ps []core.Param) bool {
	return !slices.ContainsFunc(ps, func(p core.Param) bool { return !p.Type.IsScalar() })
}

// index reads an element of a row.
func (c *constants) index(dst core.Param, e *core.Index) bool {
	if len(e.Slice) != 1 || !e.Slice[0].Fix {
		return false
	}
	row, known := c.row(e.Array)
	i, ok := c.of(e.Slice[0].Off)
	if !known || !ok || i.Int() < 0 || i.Int() >= int64(len(row)) {
		return false
	}
	c.set(dst.Var, row[i.Int()])
	return true
}

// loop runs a loop of scalars.
func (c *constants) loop(e *core.Loop, out []prim.Value) bool {
	if !scalars(e.Params) || !c.all(e.Init, out) {
		return false
	}
	n := prim.MakeI64(mostSteps)
	if e.IsFor() {
		var ok bool
		if n, ok = c.of(e.Bound); !ok {
			return false
		}
	}
	for at := int64(0); at < n.Int(); at++ {
		c.bind(e.Params, out)
		if e.IsFor() {
			c.set(e.Index.Var, prim.MakeInt(e.Index.Type.Elem, at))
		} else if !c.known[e.While].value.Bool() {
			return true
		}
		if !c.spend(1) || !c.body(e.Body, out) {
			return false
		}
	}
	return e.IsFor()
}

// screma runs a SOAC that reduces scalars and makes rows of them.
func (c *constants) screma(st *core.Stm, e *core.Screma) bool {
	nr := core.Width(e.Reds)
	if len(e.Scans) > 0 || e.Post != nil {
		return false
	}
	rows := make([][]prim.Value, len(st.Dst)-nr)
	if !c.into(st.Dst[:nr], func(out []prim.Value) bool { return c.fold(e, out, rows) }) {
		return false
	}
	for i, row := range rows {
		c.setRow(st.Dst[nr+i].Var, row)
	}
	return true
}

// fold runs a SOAC without scans: out are its reductions, rows what it keeps.
func (c *constants) fold(e *core.Screma, out []prim.Value, rows [][]prim.Value) bool {
	n, ok := c.of(e.Size)
	if !ok || c.s.stage == core.StageMemory || !core.OnlyScalars(e.Map.Ret) {
		return false
	}
	in := make([][]prim.Value, len(e.Arrays))
	for i, a := range e.Arrays {
		if in[i], ok = c.row(a); !ok || int64(len(in[i])) != n.Int() {
			return false
		}
	}
	for i, op := range e.Reds {
		at := core.Width(e.Reds[:i])
		if !c.all(op.Neutral, out[at:at+len(op.Neutral)]) {
			return false
		}
	}
	args, point := make([]prim.Value, len(in)), make([]prim.Value, len(e.Map.Ret))
	for i := range n.Int() {
		for k, row := range in {
			args[k] = row[i]
		}
		c.bind(e.Map.Params, args)
		if !c.spend(1) || !c.body(e.Map.Body, point) || !c.combine(e.Reds, out, point) {
			return false
		}
		for k := range rows {
			rows[k] = append(rows[k], point[len(out)+k])
		}
	}
	return true
}

// combine adds the values of a point to those of reductions.
func (c *constants) combine(reds []core.Operator, out, point []prim.Value) bool {
	for _, op := range reds {
		w := len(op.Neutral)
		c.bind(op.Lambda.Params, slices.Concat(out[:w], point[:w]))
		if !c.body(op.Lambda.Body, out[:w]) {
			return false
		}
		out, point = out[w:], point[w:]
	}
	return true
}

// compute is the value of an expression of scalars; it is false of what is not known, cannot be computed, or is no such expression.
func (c *constants) compute(e core.Exp) (prim.Value, bool) {
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
