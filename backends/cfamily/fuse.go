package cfamily

import (
	"fmt"

	"skald/backends/text"
	"skald/middle/imp"
	"skald/runtime/prim"
)

// Note [Contraction]
//
// Drivers of GPUs round a · b + c once, where the product is used for nothing else. A language that does so has a function for it (Fma),
// and the printer finds these products itself: so the functions of the support library, some of which are right only if nothing is
// contracted, stay as they are, and the result does not depend on the compiler. A product that is bound to a variable is moved to where it
// is used if its operands are variables that are not set again, or constants.

// findFused finds the variables that are products used once, by an addition or subtraction.
func (p *Printer) findFused() map[imp.Var]bool {
	fused := map[imp.Var]bool{}
	if p.lang.Fma == nil {
		return fused
	}
	p.products = map[imp.Var]*imp.Bin{}
	uses := make([]int, len(p.Kernel.Vars))
	p.eachExp(func(e imp.Exp) {
		if v, ok := e.(*imp.VarExp); ok {
			uses[v.Var]++
		}
	})
	imp.Walk(p.Kernel.Body, func(s imp.Stm) bool {
		if let, ok := s.(*imp.Let); ok && uses[let.Var] == 1 && !p.Mutable[let.Var] {
			if b, ok := let.Exp.(*imp.Bin); ok && p.product(b) && p.Fixed(b.X) && p.Fixed(b.Y) {
				p.products[let.Var] = b
			}
		}
		return true
	})
	p.eachExp(func(e imp.Exp) {
		if b, ok := e.(*imp.Bin); ok {
			if v, ok := p.factor(b).(*imp.VarExp); ok {
				fused[v.Var] = true
			}
		}
	})
	return fused
}

// eachExp calls f on every expression of the kernel or device function.
func (p *Printer) eachExp(f func(imp.Exp)) {
	imp.Walk(p.Kernel.Body, func(s imp.Stm) bool {
		for _, e := range imp.Exps(s) {
			imp.WalkExp(e, f)
		}
		return true
	})
	if p.Function != nil {
		for _, e := range p.Function.Results {
			imp.WalkExp(e, f)
		}
	}
}

// factor is the operand of a sum or difference that is a product, of two the second; nil if none is.
func (p *Printer) factor(e *imp.Bin) imp.Exp {
	if e.Op != prim.Add && e.Op != prim.Sub {
		return nil
	}
	for _, x := range []imp.Exp{e.Y, e.X} {
		if p.productOf(x) != nil {
			return x
		}
	}
	return nil
}

// productOf is the product that an expression is or stands for, or nil.
func (p *Printer) productOf(e imp.Exp) *imp.Bin {
	switch e := imp.Match(e).(type) {
	case *imp.VarExp:
		return p.products[e.Var]
	case *imp.Bin:
		if p.product(e) {
			return e
		}
	default:
	}
	return nil
}

// product reports whether e is a product that can be fused.
func (p *Printer) product(e *imp.Bin) bool {
	return e.Op == prim.Mul && p.lang.Fma != nil && p.lang.Fma(p.prim(e.Type)) != ""
}

// fusedExp prints a sum or difference of a product with one rounding.
func (p *Printer) fusedExp(e *imp.Bin) (string, bool) {
	x := p.factor(e)
	if x == nil {
		return "", false
	}
	b := p.productOf(x)
	a, c, other := p.Exp(b.X), p.Exp(b.Y), e.Y
	if x == e.Y {
		other = e.X
	}
	d := p.Exp(other)
	switch {
	case e.Op == prim.Sub && x == e.Y:
		a = "(-" + a + ")"
	case e.Op == prim.Sub:
		d = "(-" + d + ")"
	}
	return fmt.Sprintf("%s(%s, %s, %s)", p.lang.Fma(p.prim(e.Type)), text.Plain(a), text.Plain(c), text.Plain(d)), true
}
