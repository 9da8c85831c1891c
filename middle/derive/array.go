package derive

import (
	"fmt"

	"skald/middle/core"
)

// array is stm for what moves elements: the same is done to the tangents.
func (c *coder) array(s *core.Stm) {
	dst := s.Dst[0]
	c.keep(s)
	if !c.active(dst.Type) {
		return
	}
	d, ok := c.moved(s.Exp)
	if !ok {
		return
	}
	p := core.Param{Var: c.b.Fun.Fresh("d" + c.b.Fun.Base(dst.Var)), Type: dst.Type, Unique: dst.Unique}
	c.b.Bind([]core.Param{p}, d)
	c.tan[dst.Var] = core.V(p.Var)
}

// moved gives the expression for the tangents of what e gives, unless they are zero.
func (c *coder) moved(e core.Exp) (core.Exp, bool) {
	arrayOf := func(v core.Var) (core.Var, bool) {
		d, ok := c.tan[v]
		return d.Var, ok
	}
	switch e := e.(type) { //nolint:gochecksumtype // the expressions on arrays alone
	case *core.Index:
		a, ok := arrayOf(e.Array)
		return &core.Index{Array: a, Slice: e.Slice}, ok
	case *core.Update:
		_, changed := c.known(e.Value)
		a, ok := arrayOf(e.Array)
		if !ok && !changed {
			return nil, false
		}
		if !ok {
			a = c.zero(c.b.Scope.TypeOf(e.Array)).Var
		}
		return &core.Update{Array: a, Slice: e.Slice, Value: c.tangent(e.Value)}, true
	case *core.Concat:
		parts := make([]core.Var, len(e.Arrays))
		for i, a := range e.Arrays {
			parts[i] = c.tangent(core.V(a)).Var
		}
		return &core.Concat{Size: e.Size, Arrays: parts}, true
	case *core.Replicate:
		dx, ok := c.known(e.X)
		return &core.Replicate{Shape: e.Shape, X: dx}, ok
	case *core.ArrayLit:
		return &core.ArrayLit{Row: e.Row, Elems: c.tangents(e.Elems)}, true
	case *core.Rearrange:
		a, ok := arrayOf(e.Array)
		return &core.Rearrange{Perm: e.Perm, Array: a}, ok
	case *core.Reshape:
		a, ok := arrayOf(e.Array)
		return &core.Reshape{Shape: e.Shape, Array: a}, ok
	case *core.Copy:
		a, ok := arrayOf(e.Array)
		return &core.Copy{Array: a}, ok
	default:
		panic(Unsupported(fmt.Sprintf("%T", e)))
	}
}
