package lower

import (
	"slices"

	"skald/middle/imp"
	"skald/runtime/prim"
)

// Note [Carried quotients]
//
// Pairs of points are most often written as points of one dimension, `let (i, j) = (k / n, k % n)`. A thread that has every so many-th of
// them would divide for each, in some twenty instructions. As a point's number grows by the same step each time, so do its
// quotient and its remainder by a number that stays, but for one more where the remainder reaches it:
//
//	i, j = me / n, me % n
//	while k < l { …; k += step; i += step / n; j += step % n; if j >= n { j -= n; i += 1 } }

// strided is a loop over every so many-th point whose body is being generated.
type strided struct {
	kernel *imp.Kernel
	index  imp.Var // the point, as the body sees it
	parts  []carried
}

// carried are the variables of a quotient and a remainder.
type carried struct{ by, quot, rem imp.Var }

// divided is the quotient or remainder of the loop's point by a parameter of the kernel, as a variable; nil for all else.
func (s *strided) divided(op prim.BinOp, x, y imp.Exp) imp.Exp {
	i, isPoint := x.(*imp.VarExp)
	n, isVar := y.(*imp.VarExp)
	if s == nil || op != prim.Quot && op != prim.Rem || !isPoint || !isVar || i.Var != s.index || !slices.Contains(s.kernel.Params, n.Var) {
		return nil
	}
	at := slices.IndexFunc(s.parts, func(p carried) bool { return p.by == n.Var })
	if at < 0 {
		at = len(s.parts)
		s.parts = append(s.parts, carried{n.Var, s.kernel.Fresh("quot", imp.Idx), s.kernel.Fresh("rem", imp.Idx)})
	}
	if op == prim.Quot {
		return use(s.parts[at].quot)
	}
	return use(s.parts[at].rem)
}

// begin declares what is carried, for a loop that begins at first and advances by step.
func (s *strided) begin(c *kernelBuilder, first, step imp.Exp) (next func()) {
	var grow []func()
	for _, p := range s.parts {
		n := maxOf(imp.Idx, use(p.by), idx(1)) // no point is divided by 0
		c.emit(&imp.Let{Var: p.quot, Exp: quot(imp.Idx, first, n)})
		c.emit(&imp.Let{Var: p.rem, Exp: rem(imp.Idx, first, n)})
		more := c.let("more", imp.Idx, quot(imp.Idx, step, n))
		rest := c.let("rest", imp.Idx, rem(imp.Idx, step, n))
		grow = append(grow, func() {
			c.set(p.quot, add(imp.Idx, use(p.quot), more))
			c.set(p.rem, add(imp.Idx, use(p.rem), rest))
			c.ifThen(lessEq(imp.Idx, use(p.by), use(p.rem)), func() {
				c.set(p.quot, add(imp.Idx, use(p.quot), idx(1)))
				c.set(p.rem, sub(imp.Idx, use(p.rem), use(p.by)))
			})
		})
	}
	return func() {
		for _, g := range grow {
			g()
		}
	}
}
