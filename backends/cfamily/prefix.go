package cfamily

import (
	"skald/middle/imp"
	"skald/runtime/prim"
)

// Note [Prefixes in C]
//
// A loop that goes on adding to a variable, and stores what it has so far, waits for the last addition in each iteration. gcc makes such a
// loop of vectors, in which the lanes are added up in as many steps as their number has bits, if it is told where the variable has been
// added to: what comes before that is one block, what comes behind it another. That is done for operators on integers whose order makes no
// difference, where nothing is loaded that the loop stores, and the rest of the loop can be vectorised. A block that needs what is bound in
// the one before it computes that again.
//
//	for j < n {                      SKALD_PRAGMA(omp simd reduction(inscan, + : acc))
//	  let x = xs[j]                  for (j = 0; j < n; j++) {
//	  acc = acc + x                    { x = xs[j]; acc = acc + x; }
//	  r[j] = acc                       SKALD_PRAGMA(omp scan inclusive(acc))
//	}                                  { r[j] = acc; }
//	                                 }

// prefixes are the operators that compilers know.
var prefixes = map[prim.BinOp]string{
	prim.Add: "+", prim.Mul: "*", prim.And: "&", prim.Or: "|", prim.Xor: "^", prim.Min: "min", prim.Max: "max",
}

// prefix is a loop over such a variable.
type prefix struct {
	loop        *imp.For
	strides     *imp.Strides
	acc, sum    imp.Var // the variable, and what is bound to its next value; zero if that is an expression
	op          string
	first, rest []imp.Stm // the statements up to the one that sets the variable, and those behind it
}

// prefixOf reports whether a loop is one.
func (p *Printer) prefixOf(s *imp.For) (*prefix, bool) {
	out := &prefix{loop: s}
	if p.lang.Pragma == "" || p.Function != nil || p.InRegion || p.split != nil || !out.take(s.Body) {
		return nil, false
	}
	out.strides = imp.StridesOf(p.Kernel, s)
	for _, s := range s.Body {
		if let, ok := s.(*imp.Let); ok {
			out.strides.Defs[let.Var] = let.Exp
		}
	}
	if !out.accumulates(p.Kernel) {
		return nil, false
	}
	for _, s := range s.Body {
		if !p.vectorisable(out.strides, s) {
			return nil, false
		}
	}
	return out, out.stores(p)
}

// take divides the body at the only statement that sets a variable.
func (x *prefix) take(body []imp.Stm) bool {
	for i, s := range body {
		switch s := imp.MatchStm(s).(type) {
		case *imp.Set:
			if x.acc != 0 {
				return false
			}
			x.acc, x.first, x.rest = s.Var, body[:i+1], body[i+1:]
		case *imp.Let, *imp.Store, *imp.Comment:
		default:
			return false
		}
	}
	return x.acc != 0 && len(x.rest) > 0
}

// accumulates reports whether the variable is only added to, by an operator on integers.
func (x *prefix) accumulates(k *imp.Kernel) bool {
	next := x.first[len(x.first)-1].(*imp.Set).Exp
	if v, ok := next.(*imp.VarExp); ok {
		x.sum, next = v.Var, x.strides.Defs[v.Var]
	}
	bin, ok := next.(*imp.Bin)
	if !ok || x.strides.Own[x.acc] || !bin.Type.IsInt() || bin.Type.Prim().Bits() < 32 || prefixes[bin.Op] == "" {
		return false
	}
	x.op = prefixes[bin.Op]
	if isVar(bin.X, x.acc) == isVar(bin.Y, x.acc) {
		return false
	}
	accs, sums := uses(x.first, x.acc), uses(x.loop.Body, x.sum)
	return accs == 1 && (x.sum == 0 || sums == 1) && k.Vars[x.acc].Type == bin.Type
}

// stores reports whether each array that the loop stores to is stored to once, at another place in each iteration, and not loaded from.
func (x *prefix) stores(p *Printer) bool {
	stored, loaded, ok := map[imp.Mem]bool{}, map[imp.Mem]bool{}, true
	for _, s := range x.loop.Body {
		imp.WalkExps(s, func(e imp.Exp) {
			if l, is := e.(*imp.Load); is {
				loaded[l.Mem] = true
			}
		})
		if s, is := s.(*imp.Store); is {
			n, known := x.strides.Of(s.Index)
			ok = ok && known && n != 0 && !stored[s.Mem]
			stored[s.Mem] = true
		}
	}
	for m := range stored { // In any order: one decides.
		ok = ok && !loaded[m]
	}
	for m := range loaded {
		ok = ok && !p.shared[m]
	}
	return ok && len(stored) > 0
}

// prefixFor prints a loop that is one, and reports whether it is.
func (p *Printer) prefixFor(s *imp.For) bool {
	x, ok := p.prefixOf(s)
	if !ok {
		return false
	}
	name := p.Vars[x.acc]
	block := func(stms []imp.Stm) {
		p.Line("{")
		p.Depth++
		p.Stms(stms)
		p.Depth--
		p.Line("}")
	}
	p.Line("%s(omp simd reduction(inscan, %s : %s))", p.lang.Pragma, x.op, name)
	p.ForHead(s)
	p.Depth++
	block(x.first)
	p.Line("%s(omp scan inclusive(%s))", p.lang.Pragma, name)
	block(append(x.again(), x.rest...))
	p.Depth--
	p.Line("}")
	return true
}

// again are the statements of the first block that bind what the rest needs.
func (x *prefix) again() []imp.Stm {
	var exps []imp.Exp
	for _, s := range x.rest {
		exps = append(exps, imp.Exps(s)...)
	}
	return imp.Needed(x.first, exps)
}

func isVar(e imp.Exp, v imp.Var) bool {
	x, ok := e.(*imp.VarExp)
	return ok && x.Var == v
}

// uses counts where statements without bodies read a variable.
func uses(stms []imp.Stm, v imp.Var) (n int) {
	for _, s := range stms {
		imp.WalkExps(s, func(e imp.Exp) {
			if isVar(e, v) {
				n++
			}
		})
	}
	return n
}
