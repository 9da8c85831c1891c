package eval

import (
	"cmp"
	"fmt"
	"strings"

	"skald/middle/core"
	"skald/runtime/prim"
	"skald/runtime/value"
)

// Options of a run.
type Options struct {
	// Backwards runs the points of segmented maps from last to first.
	Backwards bool
	// Threshold is the value of all thresholds; 0 means 2^15.
	Threshold int64
}

// Run calls function name of p with a value for each parameter that is not a
// memory block, and returns its results, memory blocks left out.
func Run(p *core.Prog, name string, args []value.Value, opts Options) (res []value.Value, err error) {
	defer func() {
		switch e := recover().(type) {
		case nil:
		case *AssertError:
			err = e
		case *runFault:
			err = fmt.Errorf("%s", e.msg)
		default:
			panic(e)
		}
	}()
	m := &machine{prog: p, opts: opts}
	if p.Consts != nil {
		m.consts = &frame{m, p.Consts, make([]val, len(p.Consts.Names))}
		m.consts.body(p.Consts.Body)
	}
	f := p.Fun(name)
	if f == nil {
		return nil, fmt.Errorf("no function %s", name)
	}
	for _, v := range m.call(f, m.arguments(f, args)) {
		switch {
		case v.array != nil:
			res = append(res, v.array.toValue())
		case v.mem == nil:
			res = append(res, value.Scalar(v.scalar))
		}
	}
	return res, nil
}

// RunEntry calls an entry point; it finds the implicit sizes in the shapes of
// the arguments, and leaves implicit sizes of results out.
func RunEntry(p *core.Prog, entry string, args []value.Value, opts Options) ([]value.Value, error) {
	for _, e := range p.Entries {
		if e.Name != entry {
			continue
		}
		first := 0
		if len(e.Params) > 0 {
			first = e.Params[0].First
		}
		res, err := Run(p, e.Fun, append(sizesOf(p.Fun(e.Fun), args, first), args...), opts)
		if err != nil {
			return nil, err
		}
		if len(e.Results) > 0 {
			res = res[e.Results[0].First:]
		}
		return res, nil
	}
	return nil, fmt.Errorf("no entry point %s", entry)
}

// sizesOf finds the first n parameters of f, sizes, in the other arguments.
func sizesOf(f *core.Fun, args []value.Value, n int) []value.Value {
	var ps []core.Param
	for _, p := range f.Params {
		if p.Type.Kind != core.KindMem {
			ps = append(ps, p)
		}
	}
	sizes := make([]value.Value, n)
	for i := range sizes {
		sizes[i] = value.Scalar(prim.MakeI64(0))
		for j, p := range ps[n:] {
			for d, s := range p.Type.Shape {
				if s.IsVar(ps[i].Var) {
					sizes[i] = value.Scalar(prim.MakeI64(int64(args[j].Shape()[d])))
				}
			}
		}
	}
	return sizes
}

// machine runs one program.
type machine struct {
	prog   *core.Prog
	opts   Options
	consts *frame // in which the constants are computed; functions called meanwhile see those that are
}

// frame is an activation of a function: the values of its variables.
type frame struct {
	*machine
	fun *core.Fun
	env []val
}

// arguments pairs values with parameters, and makes blocks for those of
// parameters that are memory.
func (m *machine) arguments(f *core.Fun, args []value.Value) []val {
	var vals []val
	mems := map[core.Var]*block{}
	k := 0
	for _, p := range f.Params {
		if p.Type.Kind == core.KindMem {
			vals = append(vals, val{})
			continue
		}
		if k >= len(args) {
			fault("too few arguments")
		}
		v := fromValue(args[k])
		k++
		if v.array != nil && p.Type.Layout != nil {
			mems[p.Type.Layout.Mem] = v.array.mem
		}
		vals = append(vals, v)
	}
	for i, p := range f.Params {
		if b := mems[p.Var]; b != nil {
			vals[i].mem = b
		}
	}
	return vals
}

func (m *machine) call(f *core.Fun, args []val) []val {
	fr := &frame{m, f, make([]val, len(f.Names))}
	for _, g := range f.Globals {
		fr.env[g.Param.Var] = m.consts.value(m.prog.Consts.Body.Res[g.Index])
	}
	for i, p := range f.Params {
		fr.env[p.Var] = args[i]
	}
	for _, p := range f.Params {
		fr.checkShape(p)
	}
	return fr.body(f.Body)
}

// checkShape makes sure that a bound array has the sizes and the layout that
// its type says.
func (f *frame) checkShape(p core.Param) {
	if p.Type.Kind != core.KindArray {
		return
	}
	a := f.env[p.Var].array
	if a == nil {
		fault("%s_%d is no array", f.fun.Base(p.Var), p.Var)
	}
	for d, n := range p.Type.Shape {
		if a.shape[d] != f.int(n) {
			fault("%s_%d has shape %v; size %d should be %d", f.fun.Base(p.Var), p.Var, a.shape, d, f.int(n))
		}
	}
	if p.Type.Layout != nil && count(a.shape) > 0 {
		if w := f.view(p.Type); !w.sameView(a) {
			fault("%s_%d is not where its layout says: offset %d strides %v, not %d %v", f.fun.Base(p.Var), p.Var,
				a.offset, a.strides, w.offset, w.strides)
		}
	}
}

func (f *frame) body(b *core.Body) []val {
	for _, s := range b.Stms {
		f.stm(s)
	}
	return f.values(b.Res)
}

func (f *frame) values(os []core.Operand) []val {
	vs := make([]val, len(os))
	for i, o := range os {
		vs[i] = f.value(o)
	}
	return vs
}

func (f *frame) value(o core.Operand) val {
	if o.Var == 0 {
		return val{scalar: o.Const}
	}
	return f.env[o.Var]
}

func (f *frame) int(o core.Operand) int { return int(f.value(o).scalar.Int()) }

func (f *frame) ints(os []core.Operand) []int {
	is := make([]int, len(os))
	for i, o := range os {
		is[i] = f.int(o)
	}
	return is
}

// view is the array at the place that the layout of t says.
func (f *frame) view(t core.Type) *array {
	l := t.Layout
	a := &array{elem: t.Elem, shape: f.ints(t.Shape), mem: f.env[l.Mem].mem, offset: f.poly(l.Offset)}
	if a.mem == nil {
		fault("%s_%d is no memory", f.fun.Base(l.Mem), l.Mem)
	}
	for _, s := range l.Strides {
		a.strides = append(a.strides, f.poly(s))
	}
	return a
}

func (f *frame) poly(p core.Poly) int {
	sum := 0
	for _, t := range p.Terms {
		prod := int(t.Coef)
		for _, v := range t.Vars {
			prod *= f.int(core.V(v))
		}
		sum += prod
	}
	return sum
}

// dest is the array that a statement writes: in memory where the layout says,
// or fresh.
func (f *frame) dest(p core.Param) *array {
	if p.Type.Layout != nil {
		return f.view(p.Type)
	}
	return newArray(p.Type.Elem, f.ints(p.Type.Shape))
}

// stm runs a statement and checks what it binds.
func (f *frame) stm(s *core.Stm) {
	vs := f.exp(s)
	if len(vs) != len(s.Dst) {
		fault("%T returns %d results, not %d", s.Exp, len(vs), len(s.Dst))
	}
	for i, p := range s.Dst {
		f.env[p.Var] = vs[i]
	}
	for _, p := range s.Dst {
		f.checkShape(p)
	}
}

func scalar(v prim.Value) []val { return []val{{scalar: v}} }

// exp runs an expression and returns its results.
func (f *frame) exp(s *core.Stm) []val {
	switch e := s.Exp.(type) {
	case core.Scalar:
		return scalar(f.scalar(e))
	case core.View:
		return []val{f.viewExp(s.Dst[0], e)}
	case core.Memory:
		return []val{f.memory(s.Dst[0], e)}
	case core.Control:
		return f.control(s, e)
	case core.SOAC:
		return f.soac(s, e)
	case core.Seg:
		return f.segmented(s, e)
	}
	panic(unknownNode)
}

// unknownNode is what switches over nodes end with, which have a case for each.
const unknownNode = "core: evaluation of no known node"

func (f *frame) scalar(e core.Scalar) prim.Value {
	switch e := e.(type) {
	case *core.Un:
		return prim.EvalUn(e.Op, f.value(e.X).scalar)
	case *core.Bin:
		v, err := prim.EvalBin(e.Op, f.value(e.X).scalar, f.value(e.Y).scalar)
		if err != nil {
			fault("%v", err)
		}
		return v
	case *core.Cmp:
		return prim.MakeBool(prim.EvalCmp(e.Op, f.value(e.X).scalar, f.value(e.Y).scalar))
	case *core.Conv:
		return prim.Convert(e.To, f.value(e.X).scalar)
	case *core.CallFunc:
		var args []prim.Value
		for _, a := range f.values(e.Args) {
			args = append(args, a.scalar)
		}
		return prim.EvalFunc(e.Func, e.Type, args...)
	case *core.Tune:
		if e.Class == core.ClassParam {
			return prim.MakeI64(core.TuneUnset)
		}
		if e.Class == core.ClassRow {
			return prim.MakeI64(1) // Programs in tests have short rows.
		}
		return prim.MakeI64(cmp.Or(f.opts.Threshold, 1<<15))
	case *core.Fact:
		return prim.MakeI64(1 << 14)
	}
	panic(unknownNode)
}

func (f *frame) control(s *core.Stm, e core.Control) []val {
	switch e := e.(type) {
	case *core.Assert:
		f.assert(e, s.Aux.Where)
		return make([]val, 1)
	case *core.Trace: // The evaluator is for results alone.
		return make([]val, 1)
	case *core.If:
		if f.value(e.Cond).scalar.Bool() {
			return f.body(e.Then)
		}
		return f.body(e.Else)
	case *core.Switch:
		for _, c := range e.Cases {
			if c.Value == f.value(e.On).scalar {
				return f.body(c.Body)
			}
		}
		return f.body(e.Default)
	case *core.Loop:
		return f.loop(e)
	case *core.Call:
		return f.call(f.prog.Fun(e.Fun), f.values(e.Args))
	case *core.Derivative, *core.WithVjp:
		fault("a derivative that has not been taken: pass derive comes before")
	}
	panic(unknownNode)
}

func (f *frame) assert(e *core.Assert, where *core.Site) {
	if f.value(e.Cond).scalar.Bool() {
		return
	}
	var b strings.Builder
	for _, m := range e.Msg {
		if m.IsOp {
			fmt.Fprint(&b, f.value(m.X).scalar)
		} else {
			b.WriteString(m.Text)
		}
	}
	panic(&AssertError{b.String(), where})
}

// loop runs a loop; its parameters are checked in each iteration.
func (f *frame) loop(e *core.Loop) []val {
	vals := f.values(e.Init)
	bind := func() {
		for i, p := range e.Params {
			f.env[p.Var] = vals[i]
		}
		for _, p := range e.Params {
			f.checkShape(p)
		}
	}
	if e.IsFor() {
		n := f.value(e.Bound).scalar.Int()
		for i := int64(0); i < n; i++ {
			bind()
			f.env[e.Index.Var] = val{scalar: prim.MakeInt(e.Index.Type.Elem, i)}
			vals = f.body(e.Body)
		}
		return vals
	}
	for {
		bind()
		if !f.env[e.While].scalar.Bool() {
			return vals
		}
		vals = f.body(e.Body)
	}
}

// apply calls a lambda.
func (f *frame) apply(l *core.Lambda, args []val) []val {
	if len(args) != len(l.Params) {
		fault("lambda of %d parameters applied to %d", len(l.Params), len(args))
	}
	for i, p := range l.Params {
		f.env[p.Var] = args[i]
	}
	if !f.prog.Stage.HasMemory() {
		for _, p := range l.Params {
			f.checkShape(p)
		}
	}
	return f.body(l.Body)
}
