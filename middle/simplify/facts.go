package simplify

import (
	"math"
	"slices"

	"skald/middle/core"
	"skald/runtime/prim"
)

// Note [Ranges]
//
// Bounds checks of indices that come from loop counters (Note [Parameters that count]) and sizes always
// hold. To prove them the simplifier knows, of i64 variables, which are not
// negative (sizes of arrays that exist, counters), which lie below what other
// operand (counters), and which are positive (sizes that a counter lies below,
// inside of the body that it counts, and what a condition says is, in the
// branch where that holds). A comparison becomes a polynomial that
// must not be negative: counters in it are replaced by their least or greatest
// value, whichever makes it smaller, until only sizes are left.
//
// A quotient by a number, n / 2, is no polynomial, but twice as much is at most n: so one that makes a polynomial smaller is replaced by
// what it is a quotient of, in a multiple of the polynomial. Arrays of workgroups are small, as is memory, and so are the sizes that they
// are made of: then indices that have been converted to i32 are what they were.
//
// Polynomials are of whole numbers, i64 arithmetic wraps. Sums of sizes and
// indices of arrays that exist do not, so a comparison is only decided where its
// operands are made of such, with coefficients that are small; other numbers,
// such as a parameter or i64.highest, may be of any size, and what is converted from a u32 is large enough for a product of two to
// overflow.

// mostKnown bounds the numbers and coefficients that are taken not to overflow.
const mostKnown = 1 << 31

// mostShared is more elements than an array has that lies in the memory of a workgroup.
const mostShared = 1 << 28

// facts is what is known of i64 variables at a place.
type facts struct {
	natural  map[core.Var]bool         // at least 0
	below    map[core.Var]core.Operand // exclusive upper bound, of natural ones
	positive map[core.Var]int          // at least 1, while the count is above 0
	trail    []core.Var                // what became natural, in order
	small    map[core.Var]int          // below mostShared, while the count is above 0
	smalls   []core.Var                // what became small, in order
}

func newFacts() *facts {
	return &facts{natural: map[core.Var]bool{}, below: map[core.Var]core.Operand{}, positive: map[core.Var]int{}, small: map[core.Var]int{}}
}

// factsMark is how much is known.
type factsMark struct{ natural, small int }

func (f *facts) mark() factsMark { return factsMark{len(f.trail), len(f.smalls)} }

// forget takes back what has become known since a mark: an array made in a branch says nothing about sizes after it.
func (f *facts) forget(m factsMark) {
	for _, v := range f.trail[m.natural:] {
		delete(f.natural, v)
		delete(f.below, v)
	}
	for _, v := range f.smalls[m.small:] {
		f.small[v]--
	}
	f.trail, f.smalls = f.trail[:m.natural], f.smalls[:m.small]
}

func (f *facts) setSmall(v core.Var) {
	f.small[v]++
	f.smalls = append(f.smalls, v)
}

func (f *facts) setNatural(v core.Var) {
	if !f.natural[v] {
		f.natural[v] = true
		f.trail = append(f.trail, v)
	}
}

// sizes notes that arrays of these parameters exist.
func (f *facts) sizes(ps []core.Param) {
	for _, p := range ps {
		if p.Type.Kind != core.KindArray {
			continue
		}
		for _, n := range p.Type.Shape {
			if n.Var != 0 {
				f.setNatural(n.Var)
			}
		}
	}
}

// counter notes that v runs from 0 below n.
func (f *facts) counter(v core.Var, n core.Operand) {
	f.setNatural(v)
	f.below[v] = n
}

// inside runs g where sizes are positive.
func (f *facts) inside(sizes []core.Operand, g func()) {
	for _, n := range sizes {
		f.positive[n.Var]++
	}
	g()
	for _, n := range sizes {
		f.positive[n.Var]--
	}
}

// positiveWhere lists the natural variables that are positive where a condition holds, and where it does not.
func (s *simplifier) positiveWhere(cond core.Operand) (holds, fails []core.Operand) {
	e, ok := s.def(cond).(*core.Cmp)
	if !ok || e.Type != prim.I64 {
		return nil, nil
	}
	op, x, y := e.Op, e.X, e.Y
	if x.IsConst() {
		op, x, y = op.Swap(), y, x
	}
	n, isConst := y.ConstInt()
	if !isConst || !s.facts.natural[x.Var] {
		return nil, nil
	}
	known := []core.Operand{x}
	switch {
	case op == prim.Gt && n >= 0, op == prim.Ge && n > 0, op == prim.Eq && n > 0, op == prim.Ne && n == 0:
		return known, nil
	case op == prim.Lt && n > 0, op == prim.Le && n >= 0, op == prim.Eq && n == 0:
		return nil, known
	}
	return nil, nil
}

// define notes what the definition of a scalar says about it.
func (s *simplifier) define(st *core.Stm) {
	s.facts.sizes(st.Dst)
	if e, ok := st.Exp.(*core.Alloc); ok && e.Space == core.SpaceGroup {
		s.shared(e.Count)
	}
	if len(st.Dst) != 1 || !st.Dst[0].Type.Same(core.I64) {
		return
	}
	v := st.Dst[0].Var
	switch e := core.Match(st.Exp).(type) {
	case *core.Conv:
		switch {
		case e.From.IsUnsigned() && e.From.Bits() < 64:
			s.facts.counter(v, core.Int(s.unsignedLimit(e)))
		case e.From == prim.Bool:
			s.facts.counter(v, core.Int(2))
		case e.From.IsSigned() && s.facts.natural[e.X.Var]:
			s.widened(v, e)
		}
	case *core.Bin:
		// A remainder was taken, so the divisor is not zero.
		n, isConst := e.Y.ConstInt()
		if (e.Op == prim.Mod || e.Op == prim.Rem && s.isNatural(e.X)) && (isConst && n > 0 && n < mostKnown || s.facts.natural[e.Y.Var]) {
			s.facts.counter(v, e.Y)
		}
		if e.Op == prim.And && isConst && n >= 0 && n < mostKnown {
			s.facts.counter(v, core.Int(n+1))
		}
		if e.Op == prim.Div || e.Op == prim.Quot {
			s.divided(v, e)
		}
	default:
	}
}

// shared notes that a workgroup has an array of so many elements: the factors of a number of elements are as small, unless one may be 0.
func (s *simplifier) shared(count core.Operand) {
	if count.IsConst() || s.facts.small[count.Var] > 0 {
		return
	}
	s.facts.setSmall(count.Var)
	if e, ok := s.def(count).(*core.Bin); ok && e.Op == prim.Mul && e.Type == prim.I64 {
		x, y := e.X, e.Y
		if x.IsConst() {
			x, y = y, x
		}
		if n, ok := y.ConstInt(); ok && n > 0 && s.isNatural(x) {
			s.shared(x)
		}
	}
}

// unsignedLimit is what the unsigned number that e converts lies below. What a division has narrowed is known as well as before.
func (s *simplifier) unsignedLimit(e *core.Conv) int64 {
	limit := int64(1) << e.From.Bits()
	bin, ok := s.def(e.X).(*core.Bin)
	if !ok || bin.Op != prim.Quot && bin.Op != prim.Rem || !bin.Y.IsConst() {
		return limit
	}
	d := int64(bin.Y.Const.Uint())
	if bin.Op == prim.Rem || d == 0 {
		return max(d, 1)
	}
	if in, ok := s.def(bin.X).(*core.Conv); ok && in.To == e.From {
		if in.From.IsUnsigned() {
			limit = min(limit, 1<<in.From.Bits())
		} else if below, ok := s.facts.below[in.X.Var]; ok && in.From == prim.I64 {
			if n, ok := below.ConstInt(); ok {
				limit = min(limit, n)
			}
		}
	}
	return (limit + d - 1) / d
}

// divided notes what is known of the quotient v of a counter and a size: below a · b it is below a after division by b.
func (s *simplifier) divided(v core.Var, e *core.Bin) {
	limit, ok := s.facts.below[e.X.Var]
	if !ok || !s.isNatural(e.Y) {
		return
	}
	if n, isConst := limit.ConstInt(); isConst {
		if d, ok := e.Y.ConstInt(); ok && d > 0 && n > 0 && n < mostKnown {
			s.facts.counter(v, core.Int((n+d-1)/d))
		}
		return
	}
	if p, ok := s.def(limit).(*core.Bin); ok && p.Op == prim.Mul && p.Type == prim.I64 {
		switch e.Y {
		case p.X:
			s.facts.counter(v, p.Y)
		case p.Y:
			s.facts.counter(v, p.X)
		}
	}
}

// widened notes what is known of a narrower counter that v is the i64 of.
func (s *simplifier) widened(v core.Var, e *core.Conv) {
	s.facts.setNatural(v)
	n, ok := s.facts.below[e.X.Var]
	if !ok {
		return
	}
	if c, isConst := n.ConstInt(); isConst {
		s.facts.counter(v, core.Int(c))
	} else if wide := s.avail.widening(e.From, n); wide != nil {
		s.facts.counter(v, core.V(wide.Dst[0].Var))
	}
}

// holds reports whether a boolean is known to be true here.
func (s *simplifier) holds(o core.Operand) bool {
	if o.IsConst() {
		return o.Const.Bool()
	}
	switch e := core.Match(s.def(o)).(type) {
	case *core.Cmp:
		return s.compares(e)
	case *core.Bin:
		return e.Op == prim.LogAnd && s.holds(e.X) && s.holds(e.Y)
	default:
	}
	return false
}

// compares reports whether a comparison of signed integers always holds.
func (s *simplifier) compares(e *core.Cmp) bool {
	if !e.Type.IsInt() || !e.Type.IsSigned() {
		return false
	}
	one, x, y := core.PolyConst(1), s.polyOf(e.Type, e.X, 0), s.polyOf(e.Type, e.Y, 0)
	difference := x.Sub(y)
	// Equality modulo 2^64 is equality.
	constant, isConst := difference.Const()
	if isConst && constant == 0 {
		return e.Op == prim.Eq || e.Op == prim.Ge || e.Op == prim.Le
	}
	if isConst && e.Op == prim.Ne {
		return true
	}
	if !s.exactAs(e.Type, x) || !s.exactAs(e.Type, y) {
		return false
	}
	switch e.Op {
	case prim.Eq:
		return false
	case prim.Ge:
		return s.natural(difference)
	case prim.Le:
		return s.natural(y.Sub(x))
	case prim.Gt:
		return s.natural(difference.Sub(one))
	case prim.Lt:
		return s.natural(y.Sub(x).Sub(one))
	case prim.Ne:
		return s.natural(difference.Sub(one)) || s.natural(y.Sub(x).Sub(one))
	}
	return false
}

// exact reports whether the i64 arithmetic that p stands for does not overflow; see Note [Ranges].
func (s *simplifier) exact(p core.Poly) bool {
	return hasSmallCoefficients(p) && s.magnitude(p) < mostExact && !slices.ContainsFunc(p.Vars(), func(v core.Var) bool {
		return !s.facts.natural[v] && s.facts.positive[v] == 0
	})
}

// exactAs reports whether arithmetic of a signed type that p stands for does not overflow. In types narrower than an i64 no number is small
// unless it lies below a constant.
func (s *simplifier) exactAs(t prim.Type, p core.Poly) bool {
	if !s.exact(p) {
		return false
	}
	return t == prim.I64 || s.magnitude(p) < float64(int64(1)<<(t.Bits()-1)) && s.bounded(p)
}

// bounded reports whether each variable of p lies below a constant.
func (s *simplifier) bounded(p core.Poly) bool {
	return !slices.ContainsFunc(p.Vars(), func(v core.Var) bool {
		_, ok := s.numberAbove(v)
		return !ok
	})
}

// numberAbove is a constant that a variable is known to lie below.
func (s *simplifier) numberAbove(v core.Var) (n int64, ok bool) {
	less := int64(0) // how much less than what v has become the variable is at least
	for range polyDepth {
		if s.facts.small[v] > 0 {
			return mostShared, true
		}
		limit, counter := s.facts.below[v]
		if n, ok := limit.ConstInt(); ok && counter {
			return n, true
		}
		if !counter {
			q, ok := s.quotientOf(v)
			if !ok {
				break
			}
			limit = q.of
		} else {
			less = 1
		}
		v = limit.Var
	}
	if e, ok := s.def(core.V(v)).(*core.Conv); ok && e.To == prim.I64 && e.From.IsSigned() && e.From.Bits() < 64 {
		return int64(1)<<(e.From.Bits()-1) - less, true
	}
	return 0, false
}

// mostDivisor bounds the divisors of quotients that are replaced, and mostScaled the coefficients of polynomials in which they, or small
// sizes, are: what becomes of those does not overflow.
const mostDivisor, mostScaled = 1 << 16, 1 << 33

// quotient is a variable divided by a number.
type quotient struct {
	of core.Operand
	by int64
}

// quotientOf is what a natural variable is the quotient of, if that is a natural i64, which may have been converted to another type that
// holds it.
func (s *simplifier) quotientOf(v core.Var) (q quotient, ok bool) {
	e, ok := s.def(core.V(v)).(*core.Bin)
	if !ok || e.Op != prim.Div && e.Op != prim.Quot || !e.Type.IsSigned() {
		return q, false
	}
	if q.by, ok = e.Y.ConstInt(); !ok || q.by <= 0 || q.by > mostDivisor {
		return q, false
	}
	q.of = e.X
	if in, ok := s.def(e.X).(*core.Conv); ok && in.From == prim.I64 && in.To == e.Type && e.Type != prim.I64 {
		q.of = in.X
		n, ok := s.numberAbove(in.X.Var)
		return q, ok && s.isNatural(in.X) && n <= int64(1)<<(e.Type.Bits()-1)
	}
	return q, e.Type == prim.I64 && q.of.Var != 0 && s.isNatural(q.of)
}

// mostExact bounds the magnitude of polynomials that are taken to be exact: a difference of two has coefficients of an i64.
const mostExact = 1 << 61

// magnitude bounds the coefficients that p has once counters in it are replaced by what they lie below. Numbers that are no sizes, such
// as one that was converted from a u32, may be large each, so that their product overflows.
func (s *simplifier) magnitude(p core.Poly) float64 {
	sum := 0.0
	for _, t := range p.Terms {
		product := math.Abs(float64(t.Coef))
		for _, v := range t.Vars {
			_, counter := s.facts.below[v]
			if n, known := s.numberAbove(v); known {
				product *= float64(n)
			} else if counter || s.facts.positive[v] > 0 {
				product *= 2 // the size, and the one that it is more than the counter
			}
		}
		sum += product
	}
	return sum
}

func hasSmallCoefficients(p core.Poly) bool {
	return !slices.ContainsFunc(p.Terms, func(t core.Term) bool { return t.Coef <= -mostKnown || t.Coef >= mostKnown })
}

// isBelow reports whether 0 <= x < n for certain.
func (s *simplifier) isBelow(x, n core.Operand, t prim.Type) bool {
	return s.compares(&core.Cmp{Op: prim.Ge, Type: t, X: x, Y: core.Int(0)}) &&
		s.compares(&core.Cmp{Op: prim.Lt, Type: t, X: x, Y: n})
}

// polyDepth bounds how far definitions are followed.
const polyDepth = 6

// poly is an i64 operand as a polynomial of what it is computed from.
func (s *simplifier) poly(o core.Operand, depth int) core.Poly { return s.polyOf(prim.I64, o, depth) }

// polyOf is an operand of a signed type as a polynomial of what it is computed from.
func (s *simplifier) polyOf(t prim.Type, o core.Operand, depth int) core.Poly {
	if depth == polyDepth {
		return core.PolyOf(o)
	}
	_, counter := s.facts.below[o.Var]
	switch e := core.Match(s.def(o)).(type) {
	case *core.Conv:
		if e.To == t && e.From.IsInt() && e.From.IsSigned() {
			if p := s.polyOf(e.From, e.X, depth+1); s.exactAs(e.From, p) && s.exactAs(t, p) && s.bounded(p) {
				return p
			}
		}
	case *core.Bin:
		if e.Type == t && !counter {
			return s.polyOfBin(o, e, depth)
		}
	default:
	}
	return core.PolyOf(o)
}

// polyOfBin is what e computes, o, as a polynomial.
func (s *simplifier) polyOfBin(o core.Operand, e *core.Bin, depth int) core.Poly {
	x, y := s.polyOf(e.Type, e.X, depth+1), s.polyOf(e.Type, e.Y, depth+1)
	switch e.Op {
	case prim.Add:
		return x.Add(y)
	case prim.Sub:
		return x.Sub(y)
	case prim.Div, prim.Quot:
		if _, ok := s.quotientOf(o.Var); ok {
			s.facts.setNatural(o.Var)
		}
	case prim.Mul:
		if hasSmallCoefficients(x) && hasSmallCoefficients(y) { // Products that overflow could be small again.
			return x.Mul(y)
		}
	default:
	}
	return core.PolyOf(o)
}

// natural reports whether p is at least 0 whatever its variables are.
func (s *simplifier) natural(p core.Poly) bool {
	for range polyDepth {
		if s.plainlyNatural(p) {
			return true
		}
		v, ok := s.counterIn(p)
		if !ok {
			if p, ok = s.withoutQuotient(p); !ok {
				return false
			}
			continue
		}
		slope := derivative(p, v)
		switch {
		case s.plainlyNatural(slope):
			p = substitute(p, v, core.Poly{})
		case s.plainlyNatural(slope.Mul(core.PolyConst(-1))):
			p = substitute(p, v, s.limit(v).Sub(core.PolyConst(1)))
		default:
			return false
		}
	}
	return false
}

// withoutQuotient is a polynomial that is not negative only where p is not: without the last quotient in p that makes p smaller, or the
// last small size.
func (s *simplifier) withoutQuotient(p core.Poly) (core.Poly, bool) {
	if slices.ContainsFunc(p.Terms, func(t core.Term) bool { return t.Coef <= -mostScaled || t.Coef >= mostScaled }) {
		return p, false
	}
	for _, v := range slices.Backward(p.Vars()) {
		slope := derivative(p, v)
		if !s.plainlyNatural(slope.Mul(core.PolyConst(-1))) || slices.Contains(slope.Vars(), v) {
			continue
		}
		rest := substitute(p, v, core.Poly{})
		if q, ok := s.quotientOf(v); ok {
			return rest.Mul(core.PolyConst(q.by)).Add(slope.Mul(core.PolyOf(q.of))), true
		}
		if s.facts.small[v] > 0 {
			return rest.Add(slope.Mul(core.PolyConst(mostShared))), true
		}
	}
	return p, false
}

// limit is what a counter lies below, as a polynomial of what it is computed from, if that does not overflow.
func (s *simplifier) limit(v core.Var) core.Poly {
	n := s.facts.below[v]
	if p := s.poly(n, 0); s.exact(p) {
		return p
	}
	return core.PolyOf(n)
}

// counterIn finds the last bound counter in a polynomial.
func (s *simplifier) counterIn(p core.Poly) (core.Var, bool) {
	for _, v := range slices.Backward(p.Vars()) {
		if _, ok := s.facts.below[v]; ok {
			return v, true
		}
	}
	return 0, false
}

// plainlyNatural reports whether every term of p is natural once positive
// variables are written as one more than a natural one.
func (s *simplifier) plainlyNatural(p core.Poly) bool {
	for _, v := range p.Vars() {
		if !s.facts.natural[v] && s.facts.positive[v] == 0 {
			return false
		}
		if s.facts.positive[v] > 0 {
			p = substitute(p, v, core.PolyVar(v).Add(core.PolyConst(1)))
		}
	}
	return !slices.ContainsFunc(p.Terms, func(t core.Term) bool { return t.Coef < 0 })
}

func substitute(p core.Poly, v core.Var, q core.Poly) core.Poly {
	return p.Subst(func(w core.Var) core.Poly {
		if w == v {
			return q
		}
		return core.PolyVar(w)
	})
}

// derivative is what p grows by, at most, for each step of v; exact when p is
// linear in v.
func derivative(p core.Poly, v core.Var) core.Poly {
	next := substitute(p, v, core.PolyVar(v).Add(core.PolyConst(1)))
	return next.Sub(p)
}
