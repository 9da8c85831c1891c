package lower

import (
	"skald/middle/imp"
	"skald/runtime/prim"
)

// Note [Small indices]
//
// Programs compute indices in i32, too: `a[i64.i32 (i32.i64 i + 1)]`. On a processor an Idx has 64 bits, and no compiler of C knows that
// nothing overflows there, so that the elements of neighbouring points are not known to be neighbours, and loads become gathers. Where all
// sizes are below maxSize, the intervals of Note [Narrow integers] hold, and an i32 whose interval fits an i32 is the Idx that it was made
// of: arithmetic on it is done as an Idx, too, which is what it is converted back to. So a task whose code gains by that has two forms,
// and compares the sizes first; the other one, for larger arrays, is short: its loops are not vectorised.

// small is where the bounds of narrow integers are known to hold, and whether anything depends on that.
type small struct{ used bool }

// inSmall generates the code of a task.
func (c *kernelBuilder) inSmall(f func()) {
	c.small = &small{}
	body := c.within(f)
	used := c.small.used
	c.small = nil
	if !used {
		*c.out = append(*c.out, body...)
		return
	}
	c.sequential = true
	other := c.within(f)
	c.sequential = false
	c.emit(&imp.If{Cond: c.sizesSmall(), Then: body, Else: other})
}

// sizesSmall says that all sizes that a kernel has been given are below maxSize.
func (c *kernelBuilder) sizesSmall() imp.Exp {
	all := less(imp.Idx, id(imp.NumGroups), idx(maxSize))
	for _, p := range c.k.Params {
		if c.k.Vars[p].Type == imp.Idx {
			all = and(all, less(imp.Idx, use(p), idx(maxSize)))
		}
	}
	return all
}

// smallConv notes that v is the conversion of x, which is a small index.
func (c *code) smallConv(x, v value) value {
	at := smallIndex(x)
	if lo, hi := bounds(v.typ.Prim()); c.small == nil || at == nil || !v.typ.IsInt() || x.lo < lo || x.hi > hi {
		return v
	}
	v.lo, v.hi, v.index = x.lo, x.hi, at
	return v
}

// smallBin notes that v is an operation on small indices.
func (c *code) smallBin(op prim.BinOp, x, y, v value) value {
	a, b, ok := smallPair(x, y)
	if c.small == nil || !ok || op != prim.Add && op != prim.Sub && op != prim.Mul {
		return v
	}
	least, most := bounds(v.typ.Prim())
	if lo, hi := opBounds(op, x, y); lo >= least && hi <= most && fits32(lo, hi) {
		v.lo, v.hi, v.index = lo, hi, bin(op, imp.Idx, a, b)
	}
	return v
}

// smallPair returns two integers of another type as indices, if one of them is known to be one and the other is, too, or constant.
func smallPair(x, y value) (a, b imp.Exp, ok bool) {
	if x.index == nil && y.index == nil {
		return nil, nil, false
	}
	a, b = smallIndex(x), smallIndex(y)
	return a, b, a != nil && b != nil
}

// smallIndex is an integer as an Idx; nil if it is not known to be one.
func smallIndex(v value) imp.Exp {
	switch n, constant := intConst(v.exp); {
	case v.typ == imp.Idx:
		return v.exp
	case constant && fits32(n, n):
		return idx(n)
	}
	return v.index
}
