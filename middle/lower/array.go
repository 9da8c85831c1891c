package lower

import (
	"slices"

	"skald/middle/core"
	"skald/middle/imp"
)

// indexScalar reads one element: in a kernel from its array, on the host from
// the device, which waits for it.
func (c *code) indexScalar(dst core.Var, e *core.Index) {
	if x, ok := c.fromVector(e); ok {
		c.vals[dst] = x
		return
	}
	l := c.l.types[e.Array].Layout
	is := make([]imp.Exp, len(e.Slice))
	for k, d := range e.Slice {
		is[k] = c.index(d.Off)
	}
	at := c.place(l, is)
	name := c.l.fun.Base(dst)
	if c.k == nil {
		elem := c.l.types[e.Array].Elem
		v := c.fresh(name, imp.Of(elem))
		c.emit(&imp.ReadScalar{Var: v, Elem: elem, Block: c.block(l.Mem), Index: at})
		c.vals[dst] = unknown(use(v), imp.Of(elem))
		return
	}
	c.vals[dst] = c.load(name, c.mem(l.Mem), at)
}

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
	t := c.l.types[e.Array]
	if !e.Value.IsConst() && c.l.types[e.Value.Var].IsArray() {
		c.copyArray(sliceLayout(t, e.Slice), c.l.types[e.Value.Var])
		return
	}
	dst := sliceLayout(t, e.Slice)
	if len(dst.Shape) > 0 { // a scalar everywhere: not written by any pass
		c.l.limit(c.where, "an update of a whole slice with one value")
	}
	c.write(dst.Layout, t, nil, asPrim(c.operand(e.Value)))
}

// write stores a scalar at an element of an array of type t laid out as l.
func (c *code) write(l *core.Layout, t core.Type, is []imp.Exp, x imp.Exp) {
	at := c.place(l, is)
	if c.k == nil {
		c.emit(&imp.WriteScalar{Elem: t.Elem, Block: c.block(l.Mem), Index: at, Value: x})
		return
	}
	c.store(c.mem(l.Mem), at, x)
}

// copyArray copies an array of type src to the place of one of type dst.
func (c *code) copyArray(dst, src core.Type) {
	if dst.Layout.Equal(src.Layout) {
		return
	}
	if c.k == nil {
		c.hostCopy(dst, src)
		return
	}
	from, to := c.mem(src.Layout.Mem), c.mem(dst.Layout.Mem)
	c.eachElement(dst.Shape, nil, func(is []imp.Exp) {
		x := c.load("x", from, c.place(src.Layout, is))
		c.store(to, c.place(dst.Layout, is), x.exp)
	})
}

// eachElement loops over all indices of a shape.
func (c *code) eachElement(shape []core.Operand, is []imp.Exp, f func(is []imp.Exp)) {
	if len(shape) == 0 {
		f(is)
		return
	}
	c.forLoop("i", c.index(shape[0]), func(i imp.Exp) {
		c.eachElement(shape[1:], append(slices.Clone(is), i), f)
	})
}

// arrayLit writes the rows of an array literal to the place of type t.
func (c *code) arrayLit(t core.Type, e *core.ArrayLit) {
	if c.k == nil && c.constantLit(t, e) {
		return
	}
	for i, x := range e.Elems {
		at := core.Slice{core.Fix(core.Int(int64(i)))}
		for _, n := range t.Shape[1:] {
			at = append(at, core.Range(core.Int(0), n, core.Int(1)))
		}
		row := sliceLayout(t, at)
		if x.IsConst() || c.l.types[x.Var].IsScalar() {
			c.write(row.Layout, t, nil, asPrim(c.operand(x)))
			continue
		}
		c.copyArray(row, c.l.types[x.Var])
	}
}

// constantLit uploads a literal of constants in one piece.
func (c *code) constantLit(t core.Type, e *core.ArrayLit) bool {
	if len(e.Elems) < 2 || len(t.Shape) != 1 || !t.Layout.IsRowMajor(t.Shape) {
		return false
	}
	size := t.Elem.Size()
	data := make([]byte, 0, len(e.Elems)*size)
	for _, x := range e.Elems {
		if !x.IsConst() {
			return false
		}
		for b := range size {
			data = append(data, byte(x.Const.Word()>>(8*b)))
		}
	}
	v := c.fresh("literal", imp.Block)
	c.emit(&imp.Data{Var: v, Elem: t.Elem, Bytes: data})
	c.emit(&imp.Copy{
		Elem: t.Elem, Dst: c.block(t.Layout.Mem), DstOff: c.poly(t.Layout.Offset), Src: v, SrcOff: i64(0),
		Count: i64(int64(len(e.Elems))),
	})
	return true
}

// alloc makes a block: of device memory on the host, private in a kernel.
func (c *code) alloc(dst core.Var, e *core.Alloc) {
	if c.k == nil {
		b := c.fresh(c.l.memName(dst), imp.Block)
		c.emit(&imp.Alloc{Var: b, Elem: e.Elem, Count: asPrim(c.operand(e.Count))})
		c.blocks[dst] = b
		return
	}
	n, ok := e.Count.ConstInt()
	if !ok || e.Space == core.SpaceDevice {
		c.l.limit(c.where, "an array inside a kernel whose size is not known when the program is compiled")
	}
	if n == 0 {
		n = 1
	}
	c.k.Mems = append(c.k.Mems, imp.MemDecl{Name: c.l.memName(dst), Space: imp.Private, Elem: e.Elem, Count: int(n)})
	c.mems[dst] = imp.Mem(len(c.k.Mems) - 1)
}

// total is the product of sizes, as an i64 of host code.
func (c *code) total(sizes []core.Operand) imp.Exp {
	n := i64(1)
	for _, s := range sizes {
		n = mul(imp.I64, n, asPrim(c.operand(s)))
	}
	return n
}

// hostCopy copies an array on the device: in one piece where both are dense,
// else by a kernel.
func (c *code) hostCopy(dst, src core.Type) {
	if dst.Layout.IsRowMajor(dst.Shape) && src.Layout.IsRowMajor(src.Shape) {
		c.emit(&imp.Copy{
			Elem: dst.Elem, Dst: c.block(dst.Layout.Mem), DstOff: c.poly(dst.Layout.Offset),
			Src: c.block(src.Layout.Mem), SrcOff: c.poly(src.Layout.Offset), Count: c.total(dst.Shape),
		})
		return
	}
	c.points("copy", dst.Shape, func(k *code, is []imp.Exp) {
		x := k.load("x", k.mem(src.Layout.Mem), k.place(src.Layout, is))
		k.store(k.mem(dst.Layout.Mem), k.place(dst.Layout, is), x.exp)
	})
}
