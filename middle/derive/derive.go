package derive

import (
	"fmt"

	"skald/middle/core"
	"skald/runtime/prim"
)

// Unsupported is what Body panics with when code cannot be differentiated; the text says what it is.
type Unsupported string

// Deriver differentiates code of one program.
type Deriver struct {
	// Fun finds a function of the program by its name; nil if it is not there yet, because it is recursive.
	Fun func(name string) *core.Fun
	// Add adds a function to the program.
	Add func(*core.Fun)

	// Name returns the name given to it, or that with a number if a function has it.
	Name func(base string) string

	// twins and backs are the functions that give tangents and adjoints.
	twins, backs map[twinOf]string
}

// twinOf says which function a twin is of, and whether integers have tangents in it.
type twinOf struct {
	name     string
	integers bool
}

// None stands for a tangent or adjoint that there is not.
var None = core.Operand{Var: -1}

// nones is a list of n of them.
func nones(n int) []core.Operand {
	out := make([]core.Operand, n)
	for i := range out {
		out[i] = None
	}
	return out
}

// Tangents has the tangents of variables. One that has none is constant.
type Tangents map[core.Var]core.Operand

// Body adds the code of body to b, with the tangents of all that it computes, and returns its results and their tangents; a result that
// has none has None for one. The body is copied, and can be used again. It must be in the function that b makes. Integers and truth
// values have tangents only if integers says so: those that count and index would have some, too.
func (d *Deriver) Body(b *core.Builder, body *core.Body, tangents Tangents, integers bool) (res, dres []core.Operand) {
	where, attrs, certs := b.Where, b.Attrs, b.Certs
	defer func() { b.Where, b.Attrs, b.Certs = where, attrs, certs }()
	copied := core.NewRenamer(b.Fun, b.Fun, nil).Body(body)
	b.Scope.BindBody(copied)
	c := &coder{Deriver: d, b: b, tan: tangents, accs: map[core.Var][]bool{}, integers: integers}
	if c.tan == nil {
		c.tan = Tangents{}
	}
	return c.body(copied)
}

// NeedsIntegers reports whether derivatives pass through integers in body: whether it converts floats to integers or truth values.
func (d *Deriver) NeedsIntegers(body *core.Body) bool {
	return d.needsIntegers(body, map[string]bool{})
}

func (d *Deriver) needsIntegers(body *core.Body, seen map[string]bool) bool {
	found := core.HasIntegerDerivatives(body)
	core.Walk(body, func(s *core.Stm) bool {
		if e, ok := s.Exp.(*core.Call); ok && !found && !seen[e.Fun] {
			seen[e.Fun] = true
			f := d.Fun(e.Fun)
			found = f != nil && d.needsIntegers(f.Body, seen)
		}
		return !found
	})
	return found
}

// coder adds code to a builder. Variables are bound once in a function, so that nested coders share the maps.
type coder struct {
	*Deriver
	b   *core.Builder
	tan Tangents
	// accs says of the parameter of a WithAcc which of its values have a tangent.
	accs     map[core.Var][]bool
	integers bool
}

// in is c with another builder.
func (c *coder) in(b *core.Builder) *coder {
	out := *c
	out.b = b
	return &out
}

// body adds the statements of body, and returns its results and their tangents.
func (c *coder) body(body *core.Body) (res, dres []core.Operand) {
	c.stms(body.Stms)
	c.b.Attrs, c.b.Certs = nil, nil
	return body.Res, c.tangents(body.Res)
}

// stms adds statements and the tangents of what they bind.
func (c *coder) stms(stms []*core.Stm) {
	for _, s := range stms {
		c.b.Where, c.b.Attrs, c.b.Certs = s.Aux.Where, s.Aux.Attrs, s.Aux.Certs
		c.stm(s)
	}
}

// nested builds a body whose results are all results of body and then the tangents of the floats among them.
func (c *coder) nested(body *core.Body) *core.Body {
	return c.b.Build(func(b *core.Builder) []core.Operand {
		res, dres := c.in(b).body(body)
		return join(res, dres)
	})
}

// Active reports whether values of type t have tangents: floats have, and, where asked for, integers and truth values.
func Active(t core.Type, integers bool) bool {
	return (t.IsScalar() || t.IsArray()) && (integers || t.Elem.IsFloat())
}

func (c *coder) active(t core.Type) bool { return Active(t, c.integers) }

// join puts the tangents that there are behind the values.
func join(xs, dxs []core.Operand) []core.Operand {
	out := append([]core.Operand(nil), xs...)
	for _, dx := range dxs {
		if dx != None {
			out = append(out, dx)
		}
	}
	return out
}

// tangents returns the tangent of each of xs, zero where none is known, and no operand for what is no float.
func (c *coder) tangents(xs []core.Operand) []core.Operand {
	out := nones(len(xs))
	for i, x := range xs {
		if c.active(c.b.TypeOf(x)) {
			out[i] = c.tangent(x)
		}
	}
	return out
}

// tangent returns the tangent of a number or array of numbers.
func (c *coder) tangent(x core.Operand) core.Operand {
	if dx, ok := c.known(x); ok {
		return dx
	}
	return c.zero(c.b.TypeOf(x))
}

// known returns the tangent of x, if it is not zero.
func (c *coder) known(x core.Operand) (core.Operand, bool) {
	if x.IsConst() {
		return core.Operand{}, false
	}
	dx, ok := c.tan[x.Var]
	return dx, ok
}

func (c *coder) zero(t core.Type) core.Operand {
	z := core.C(prim.Zero(t.Elem))
	if !t.IsArray() {
		return z
	}
	return c.b.Let("zero", &core.Replicate{Shape: t.Shape, X: z})
}

// keep adds s as it is.
func (c *coder) keep(s *core.Stm) { c.b.Add(s) }

// withTangents makes parameters like ps for tangents of the floats among them, and notes that they are these.
func (c *coder) withTangents(ps []core.Param) []core.Param {
	var out []core.Param
	for _, p := range ps {
		if c.active(p.Type) {
			dp := core.Param{Var: c.b.Fun.Fresh("d" + c.b.Fun.Base(p.Var)), Type: p.Type, Unique: p.Unique}
			c.b.Scope.Bind(dp)
			c.tan[p.Var] = core.V(dp.Var)
			out = append(out, dp)
		}
	}
	return out
}

// both is ps and parameters for their tangents.
func (c *coder) both(ps []core.Param) []core.Param {
	return append(ps[:len(ps):len(ps)], c.withTangents(ps)...)
}

// stm adds s and the tangents of what it binds.
func (c *coder) stm(s *core.Stm) {
	switch e := s.Exp.(type) {
	case core.Scalar:
		c.keep(s)
		if dy, ok := c.scalar(e, core.V(s.Dst[0].Var)); ok && c.active(s.Dst[0].Type) {
			c.tan[s.Dst[0].Var] = dy
		}
	case core.View:
		c.view(s, e)
	case core.Memory:
		c.memory(s, e)
	case core.Control:
		c.control(s, e)
	case core.SOAC:
		c.soac(s, e)
	case core.Seg:
		unsupported(e)
	}
}

func (c *coder) soac(s *core.Stm, e core.SOAC) {
	switch e := e.(type) {
	case *core.Screma:
		c.screma(s, e)
	case *core.Hist:
		c.hist(s, e)
	case *core.WithAcc:
		c.withAcc(s, e)
	case *core.UpdateAcc:
		c.updateAcc(s, e)
	case *core.FlatMap:
		unsupported(e)
	}
}

// unsupported says that derivatives of e are not known.
func unsupported(e core.Exp) { panic(Unsupported(fmt.Sprintf("%T", e))) }

// control is stm for assertions, branches, loops and calls.
func (c *coder) control(s *core.Stm, e core.Control) {
	switch e := e.(type) {
	case *core.Assert, *core.Trace:
		c.keep(s)
	case *core.If:
		exp := &core.If{Cond: e.Cond, Then: c.nested(e.Then), Else: c.nested(e.Else)}
		c.b.Bind(c.both(s.Dst), exp)
	case *core.Loop:
		l := &core.Loop{Index: e.Index, Bound: e.Bound, While: e.While, Init: join(e.Init, c.tangents(e.Init))}
		for i, p := range e.Params {
			if x := l.Init[i]; c.active(p.Type) != c.active(c.b.TypeOf(x)) {
				panic(Unsupported("a loop whose values change their type"))
			}
		}
		l.Params = c.both(e.Params)
		l.Body = c.nested(e.Body)
		c.b.Bind(c.both(s.Dst), l)
	case *core.Call:
		args := join(e.Args, c.tangents(e.Args))
		c.b.Bind(c.both(s.Dst), &core.Call{Fun: c.twin(e.Fun), Args: args})
	case *core.WithVjp:
		c.stms(plain(c.b, s, e))
	case *core.Switch, *core.Derivative:
		unsupported(e)
	}
}

// twin returns the name of the function that computes what the named one does, and tangents.
func (c *coder) twin(name string) string {
	k := twinOf{name, c.integers}
	if twin, ok := c.twins[k]; ok {
		return twin
	}
	f := c.Fun(name)
	if f == nil {
		panic(Unsupported("the recursive function " + name))
	}
	if c.twins == nil {
		c.Deriver.twins = map[twinOf]string{}
	}
	twin := c.Name(name + "_jvp")
	c.twins[k] = twin
	out := &core.Fun{
		Name: twin, Globals: f.Globals, Attrs: f.Attrs, DeviceFunction: f.DeviceFunction, Names: append([]string(nil), f.Names...),
	}
	b := core.NewBuilder(out, nil)
	b.Scope.BindAll(f.Params)
	for _, g := range f.Globals {
		b.Scope.Bind(g.Param)
	}
	b.Scope.BindAll(f.Ret)
	b.Scope.BindBody(f.Body)
	in := &coder{Deriver: c.Deriver, b: b, tan: Tangents{}, accs: map[core.Var][]bool{}, integers: c.integers}
	out.Params = in.both(f.Params)
	out.Ret = in.both(f.Ret)
	out.Body = in.nested(f.Body)
	c.Add(out)
	return twin
}
