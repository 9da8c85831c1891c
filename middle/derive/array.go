package derive

import "skald/middle/core"

// view is stm for what makes another name or view: the same is done to the tangents.
func (c *coder) view(s *core.Stm, e core.View) {
	c.keep(s)
	arrayOf := func(v core.Var) core.Var { return c.tan[v].Var }
	switch e := e.(type) {
	case *core.Use:
		if dx, ok := c.known(e.X); ok {
			c.tan[s.Dst[0].Var] = dx
		}
	case *core.Index:
		c.same(s.Dst[0], e.Array, &core.Index{Array: arrayOf(e.Array), Slice: e.Slice})
	case *core.Rearrange:
		c.same(s.Dst[0], e.Array, &core.Rearrange{Perm: e.Perm, Array: arrayOf(e.Array)})
	case *core.Reshape:
		c.same(s.Dst[0], e.Array, &core.Reshape{Shape: e.Shape, Array: arrayOf(e.Array)})
	}
}

// memory is stm for what makes or changes arrays: the same is done to the tangents.
func (c *coder) memory(s *core.Stm, e core.Memory) {
	c.keep(s)
	dst := s.Dst[0]
	switch e := e.(type) {
	case *core.Update:
		c.update(dst, e)
	case *core.Concat:
		if !c.active(dst.Type) {
			return
		}
		parts := make([]core.Var, len(e.Arrays))
		for i, a := range e.Arrays {
			parts[i] = c.tangent(core.V(a)).Var
		}
		c.bind(dst, &core.Concat{Size: e.Size, Arrays: parts})
	case *core.Replicate:
		if dx, ok := c.known(e.X); ok && c.active(dst.Type) {
			c.bind(dst, &core.Replicate{Shape: e.Shape, X: dx})
		}
	case *core.ArrayLit:
		if c.active(dst.Type) {
			c.bind(dst, &core.ArrayLit{Row: e.Row, Elems: c.tangents(e.Elems)})
		}
	case *core.Copy:
		c.same(dst, e.Array, &core.Copy{Array: c.tan[e.Array].Var})
	case *core.Iota, *core.Scratch:
	case *core.Alloc:
		unsupported(e)
	}
}

// update is memory for an update; where only the old array or only the value has a tangent, that of the other is zero.
func (c *coder) update(dst core.Param, e *core.Update) {
	if !c.active(dst.Type) {
		return
	}
	_, changed := c.known(e.Value)
	d, ok := c.tan[e.Array]
	switch {
	case !ok && !changed:
		return
	case !ok:
		d = c.zero(c.b.Scope.TypeOf(e.Array))
	}
	c.bind(dst, &core.Update{Array: d.Var, Slice: e.Slice, Value: c.tangent(e.Value)})
}

// same binds the tangent of dst, which is made of one array, to what tangent makes of the array's, if that is not zero.
func (c *coder) same(dst core.Param, array core.Var, tangent core.Exp) {
	if _, ok := c.tan[array]; ok && c.active(dst.Type) {
		c.bind(dst, tangent)
	}
}

// bind binds the tangent of dst.
func (c *coder) bind(dst core.Param, tangent core.Exp) {
	p := core.Param{Var: c.b.Fun.Fresh("d" + c.b.Fun.Base(dst.Var)), Type: dst.Type, Unique: dst.Unique}
	c.b.Bind([]core.Param{p}, tangent)
	c.tan[dst.Var] = core.V(p.Var)
}
