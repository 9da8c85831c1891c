package lower

import (
	"slices"

	"skald/middle/choose"
	"skald/middle/core"
	"skald/middle/imp"
)

// indexScalar reads one element, which may be loaded as part of a vector already.
func (c *kernelBuilder) indexScalar(dst core.Var, e *core.Index) {
	if x, ok := c.fromVector(e); ok {
		c.vals[dst] = x
		return
	}
	l := c.l.typeOf(e.Array).Layout
	at := c.element(l, e)
	c.vals[dst] = c.load(c.l.fun.Base(dst), c.mem(l.Mem), at)
}

func (c *kernelBuilder) write(l *core.Layout, _ core.Type, is []imp.Exp, x imp.Exp) {
	at := c.place(l, is)
	c.store(c.mem(l.Mem), at, x)
}

// copyArray copies an array, element by element, unless it is there already.
func (c *kernelBuilder) copyArray(dst, src core.Type) {
	if dst.Layout.Equal(src.Layout) {
		return
	}
	from, to := c.mem(src.Layout.Mem), c.mem(dst.Layout.Mem)
	c.eachElement(dst.Shape, nil, func(is []imp.Exp) {
		x := c.load("x", from, c.place(src.Layout, is))
		c.store(to, c.place(dst.Layout, is), x.exp)
	})
}

// eachElement loops over all indices of a shape.
func (c *kernelBuilder) eachElement(shape []core.Operand, is []imp.Exp, f func(is []imp.Exp)) {
	if len(shape) == 0 {
		f(is)
		return
	}
	c.forLoop("i", c.index(shape[0]), func(i imp.Exp) {
		c.eachElement(shape[1:], append(slices.Clone(is), i), f)
	})
}

// trace is foreign to kernels: Note [Traces in kernels] in middle/flatten.
func (c *kernelBuilder) trace(e *core.Trace) { bugAt(e) }

func (c *kernelBuilder) arrayLit(t core.Type, e *core.ArrayLit) {
	chunk := c.wordsOf(t, e)
	if chunk == 0 {
		c.writeRows(t, e)
		return
	}
	m, at := c.mem(t.Layout.Mem), c.place(t.Layout, []imp.Exp{idx(0)})
	for first := 0; first < len(e.Elems); first += chunk {
		xs := make([]imp.Exp, chunk)
		for i := range xs {
			xs[i] = asPrim(c.operand(e.Elems[first+i]))
		}
		c.storeVec(m, add(imp.Idx, at, idx(int64(first))), xs)
	}
}

// wordsOf says how many elements of a literal can be stored together, or 0. Elements smaller than a word are, where the literal is words
// of global memory that no other point has a part of: singly each of them takes two atomic operations in WGSL.
func (c *kernelBuilder) wordsOf(t core.Type, e *core.ArrayLit) int {
	size := t.Elem.Size()
	if t.Rank() != 1 || size >= 4 || c.k.Mems[c.mem(t.Layout.Mem)].Space != imp.Global || !t.Layout.Strides[0].Equal(core.PolyConst(1)) {
		return 0
	}
	for chunk := choose.VectorBytes / size; chunk*size >= 4; chunk /= 2 {
		if len(e.Elems)%chunk == 0 && !slices.ContainsFunc(t.Layout.Offset.Terms, func(t core.Term) bool { return t.Coef%int64(chunk) != 0 }) {
			return chunk
		}
	}
	return 0
}

// alloc makes an array that each thread has to itself.
func (c *kernelBuilder) alloc(dst core.Var, e *core.Alloc) {
	n, ok := e.Count.ConstInt()
	if !ok || e.Space == core.SpaceDevice {
		c.l.limit(c.where, "an array inside a kernel whose size is not known when the program is compiled")
	}
	if n == 0 {
		n = 1
	}
	c.mems[dst] = c.private(c.l.memName(dst), e.Elem, int(n))
}
