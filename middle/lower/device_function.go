package lower

import (
	"skald/middle/core"
	"skald/middle/imp"
)

// deviceFunction lowers a device function. What it calls has been lowered before.
func (l *lowerer) deviceFunction(f *core.Fun) {
	l.begin(f)
	k := &imp.Kernel{Name: f.Name, Vars: make([]imp.VarDecl, 1)}
	c := newKernelBuilder(l, k, core.CountStms(f.Body))
	r := &imp.DeviceFunction{Name: f.Name}
	for _, p := range f.Params {
		t := imp.Of(p.Type.Elem)
		v := k.Fresh(f.Base(p.Var), t)
		r.Params = append(r.Params, v)
		c.vals[p.Var] = unknown(use(v), t)
	}
	for _, v := range c.body(f.Body) {
		r.Results = append(r.Results, asPrim(v))
	}
	r.Vars, r.Mems, r.Body = k.Vars, k.Mems, k.Body
	r.Fails = imp.Any(r.Body, imp.MayFail)
	l.deviceFunctions[f.Name] = r
}

// call generates a call of a device function.
func (c *kernelBuilder) call(s *core.Stm, e *core.Call) {
	out := &imp.Invoke{DeviceFunction: c.l.deviceFunctions[e.Fun]}
	for _, a := range e.Args {
		out.Args = append(out.Args, asPrim(c.operand(a)))
	}
	for _, d := range s.Dst {
		t := imp.Of(d.Type.Elem)
		v := c.fresh(c.l.fun.Base(d.Var), t)
		out.Dst = append(out.Dst, v)
		c.vals[d.Var] = unknown(use(v), t)
	}
	c.emit(out)
}
