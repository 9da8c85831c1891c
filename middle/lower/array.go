package lower

import (
	"skald/middle/core"
	"skald/middle/imp"
)

// sliceLayout is where the part of an array that a slice selects lies.
func sliceLayout(t core.Type, s core.Slice) core.Type {
	l := &core.Layout{Mem: t.Layout.Mem, Offset: t.Layout.Offset}
	var shape []core.Operand
	for k, d := range s {
		stride := t.Layout.Strides[k]
		l.Offset = l.Offset.Add(core.PolyOf(d.Off).Mul(stride))
		if !d.Fix {
			l.Strides = append(l.Strides, core.PolyOf(d.Stride).Mul(stride))
			shape = append(shape, d.Len)
		}
	}
	return core.Type{Kind: core.KindArray, Elem: t.Elem, Shape: shape, Layout: l}
}

// update writes a scalar or an array into a part of an array.
func (c *code) update(e *core.Update) {
	t := c.l.typeOf(e.Array)
	if !e.Value.IsConst() && c.l.typeOf(e.Value.Var).IsArray() {
		c.copyArray(sliceLayout(t, e.Slice), c.l.typeOf(e.Value.Var))
		return
	}
	dst := sliceLayout(t, e.Slice)
	if len(dst.Shape) > 0 { // a scalar everywhere: not written by any pass
		c.l.limit(c.where, "an update of a whole slice with one value")
	}
	c.write(dst.Layout, t, nil, asPrim(c.operand(e.Value)))
}

// writeRows writes the rows of an array literal to the place of type t.
func (c *code) writeRows(t core.Type, e *core.ArrayLit) {
	for i, x := range e.Elems {
		c.writeRow(t, i, x)
	}
}

// writeRow writes the row of that number of an array literal to the place of type t.
func (c *code) writeRow(t core.Type, i int, x core.Operand) {
	at := core.Slice{core.Fix(core.Int(int64(i)))}
	for _, n := range t.Shape[1:] {
		at = append(at, core.Range(core.Int(0), n, core.Int(1)))
	}
	row := sliceLayout(t, at)
	if x.IsConst() || c.l.typeOf(x.Var).IsScalar() {
		c.write(row.Layout, t, nil, asPrim(c.operand(x)))
		return
	}
	c.copyArray(row, c.l.typeOf(x.Var))
}

// element is where the element of an array with layout l lies that an index expression reads.
func (c *code) element(l *core.Layout, e *core.Index) imp.Exp {
	is := make([]imp.Exp, len(e.Slice))
	for k, d := range e.Slice {
		is[k] = c.index(d.Off)
	}
	return c.place(l, is)
}
