package lower

import (
	"skald/middle/core"
	"skald/middle/imp"
	"skald/runtime/prim"
)

// indexScalar reads one element back from the device, which the host waits for.
func (c *hostBuilder) indexScalar(dst core.Var, e *core.Index) {
	t := c.l.typeOf(e.Array)
	at := c.element(t.Layout, e)
	v := c.fresh(c.l.fun.Base(dst), imp.Of(t.Elem))
	c.emit(&imp.ReadScalar{Var: v, Elem: t.Elem, Block: c.block(t.Layout.Mem), Index: at})
	c.vals[dst] = unknown(use(v), imp.Of(t.Elem))
}

func (c *hostBuilder) write(l *core.Layout, t core.Type, is []imp.Exp, x imp.Exp) {
	c.emit(&imp.WriteScalar{Elem: t.Elem, Block: c.block(l.Mem), Index: c.place(l, is), Value: x})
}

// copyArray copies an array on the device, unless it is there already.
func (c *hostBuilder) copyArray(dst, src core.Type) {
	if !dst.Layout.Equal(src.Layout) {
		c.hostCopy(dst, src)
	}
}

// arrayLit uploads the constants of a literal of scalars in one piece, where they are not few, and writes what is not constant.
func (c *hostBuilder) arrayLit(t core.Type, e *core.ArrayLit) {
	constant := 0
	for _, x := range e.Elems {
		if x.IsConst() {
			constant++
		}
	}
	if len(t.Shape) != 1 || !t.Layout.IsRowMajor(t.Shape) || constant < 2 || constant < len(e.Elems) && constant < fewConstants {
		c.writeRows(t, e)
		return
	}
	c.constants(t, e)
	for i, x := range e.Elems {
		if !x.IsConst() {
			c.writeRow(t, i, x)
		}
	}
}

// fewConstants is up to how many constants among others are written one by one: to upload them and to copy them is two operations.
const fewConstants = 4

// trace prints scalars, and arrays from the start of their blocks.
func (c *hostBuilder) trace(e *core.Trace) {
	s := &imp.Trace{Text: e.Text, Form: e.Form}
	for _, x := range e.Values {
		if t := c.l.typeOf(x.Var); x.Var != 0 && t.IsArray() {
			part := imp.TracePart{Elem: t.Elem, Block: c.block(t.Layout.Mem)}
			for _, n := range t.Shape {
				part.X = append(part.X, asPrim(c.operand(n)))
			}
			s.Parts = append(s.Parts, part)
			continue
		}
		v := c.operand(x)
		s.Parts = append(s.Parts, imp.TracePart{Elem: v.typ.Prim(), X: []imp.Exp{asPrim(v)}})
	}
	c.emit(s)
}

// alloc makes a block of device memory.
func (c *hostBuilder) alloc(dst core.Var, e *core.Alloc) {
	b := c.fresh(c.l.memName(dst), imp.Block)
	c.emit(&imp.Alloc{Var: b, Elem: e.Elem, Count: c.factored(asPrim(c.operand(e.Count)))})
	c.blocks[dst] = b
}

// factored is an expression with the factors of products that variables are bound to, which imp.Alloc multiplies without wrapping.
func (c *hostBuilder) factored(e imp.Exp) imp.Exp {
	if v, ok := e.(*imp.VarExp); ok && c.products[v.Var] != nil {
		e = c.products[v.Var]
	}
	if b, ok := e.(*imp.Bin); ok && b.Op == prim.Mul {
		return &imp.Bin{Op: b.Op, Type: b.Type, X: c.factored(b.X), Y: c.factored(b.Y)}
	}
	return e
}

// hostCopy copies an array on the device: in one piece where both are dense,
// else by a kernel, in tiles where they lie along different dimensions.
func (c *hostBuilder) hostCopy(dst, src core.Type) {
	if dst.Layout.IsRowMajor(dst.Shape) && src.Layout.IsRowMajor(src.Shape) {
		c.emit(&imp.Copy{
			Elem: dst.Elem, Dst: c.block(dst.Layout.Mem), DstOff: c.poly(dst.Layout.Offset),
			Src: c.block(src.Layout.Mem), SrcOff: c.poly(src.Layout.Offset), Count: c.total(dst.Shape),
		})
		return
	}
	forms := c.l.device.CopyForms(dst, src)
	points := func() {
		c.points(forms[len(forms)-1], "copy", dst.Shape, func(k *kernelBuilder, is []imp.Exp) {
			x := k.load("x", k.mem(src.Layout.Mem), k.place(src.Layout, is))
			k.store(k.mem(dst.Layout.Mem), k.place(dst.Layout, is), x.exp)
		})
	}
	if len(forms) > 1 {
		c.transposed(forms[0], dst, src, points)
		return
	}
	points()
}

// constants uploads the constants of a literal in one piece, with zeros between them.
func (c *hostBuilder) constants(t core.Type, e *core.ArrayLit) {
	size := t.Elem.Size()
	data := make([]byte, 0, len(e.Elems)*size)
	for _, x := range e.Elems {
		word := uint64(0)
		if x.IsConst() {
			word = x.Const.Word()
		}
		for b := range size {
			data = append(data, byte(word>>(8*b)))
		}
	}
	v := c.fresh("literal", imp.Block)
	c.emit(&imp.Data{Var: v, Elem: t.Elem, Bytes: data})
	c.emit(&imp.Copy{
		Elem: t.Elem, Dst: c.block(t.Layout.Mem), DstOff: c.poly(t.Layout.Offset), Src: v, SrcOff: i64(0),
		Count: i64(int64(len(e.Elems))),
	})
}

// total is the product of sizes, as an i64 of host code.
func (c *hostBuilder) total(sizes []core.Operand) imp.Exp {
	n := i64(1)
	for _, s := range sizes {
		n = mul(imp.I64, n, asPrim(c.operand(s)))
	}
	return n
}
