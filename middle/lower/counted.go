package lower

import (
	"slices"

	"skald/middle/imp"
	"skald/runtime/prim"
)

// Note [Carried bits]
//
// A loop that looks at the bits of a number one after the other shifts a constant by its counter in each iteration, `1 << i`. Devices
// without a shift by any distance compare the distance, mask and select besides, and where integers of 64 bits are emulated it takes
// more. A variable that is doubled holds the same number, 0 once all bits are shifted out as well.
//
// Processors shift: what a loop carries keeps it from being vectorised.

// counted is a loop whose body is being generated.
type counted struct {
	names []imp.Var // of the counter, as an Idx and as other integers
	bits  []carriedBit
}

// carriedBit is the variable that holds a number shifted by the counter.
type carriedBit struct {
	number *imp.Const
	v      imp.Var
}

// counts reports whether an expression is the counter, or that as another integer of a word or more.
func (l *counted) counts(e imp.Exp) bool {
	if conv, ok := e.(*imp.Conv); ok && conv.From == imp.Idx && conv.To.Prim().Bits() >= 32 {
		e = conv.X
	}
	v, ok := e.(*imp.VarExp)
	return ok && l != nil && slices.Contains(l.names, v.Var)
}

// named notes that the variable name is bound to e.
func (l *counted) named(e, name imp.Exp) {
	if v, ok := name.(*imp.VarExp); ok && l.counts(e) {
		l.names = append(l.names, v.Var)
	}
}

// shifted is a constant shifted by the counter of the loop, as a variable; nil for all else.
func (c *code) shifted(op prim.BinOp, t imp.Type, x, y imp.Exp) imp.Exp {
	n, isConst := x.(*imp.Const)
	if op != prim.Shl || !isConst || t.Prim().Bits() < 32 || !c.counted.counts(y) {
		return nil
	}
	at := slices.IndexFunc(c.counted.bits, func(b carriedBit) bool { return b.number.Type == n.Type && b.number.Value == n.Value })
	if at < 0 {
		at = len(c.counted.bits)
		c.counted.bits = append(c.counted.bits, carriedBit{n, c.fresh("bit", t)})
	}
	return use(c.counted.bits[at].v)
}

// countingBits generates the body of a loop that counts v, and before it what the loop carries.
func (c *code) countingBits(v imp.Var, f func()) []imp.Stm {
	outer := c.counted
	c.counted = &counted{names: []imp.Var{v}}
	if c.l.facts.Tasks > 0 {
		c.counted = nil
	}
	body := c.within(f)
	if c.counted != nil {
		for _, b := range c.counted.bits {
			c.emit(&imp.Let{Var: b.v, Exp: b.number})
			twice := &imp.Bin{Op: prim.Add, Type: b.number.Type, X: use(b.v), Y: use(b.v)}
			body = append(body, &imp.Set{Var: b.v, Exp: twice})
		}
	}
	c.counted = outer
	return body
}
