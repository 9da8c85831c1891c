package core

import (
	"cmp"
	"slices"
)

// Poly is a polynomial over i64 variables with integer coefficients, in a
// canonical form: equal polynomials have equal representations. The zero value
// is the polynomial 0. Polys are immutable.
type Poly struct{ Terms []Term }

// Term is Coef times the product of Vars. Vars are sorted, a power repeats
// its variable, and Coef is not zero.
type Term struct {
	Coef int64
	Vars []Var
}

// PolyConst is the constant polynomial n.
func PolyConst(n int64) Poly {
	if n == 0 {
		return Poly{}
	}
	return Poly{[]Term{{Coef: n}}}
}

// PolyVar is the polynomial that is just v.
func PolyVar(v Var) Poly { return Poly{[]Term{{Coef: 1, Vars: []Var{v}}}} }

// PolyOf is the polynomial of an i64 operand.
func PolyOf(o Operand) Poly {
	if o.Var != 0 {
		return PolyVar(o.Var)
	}
	return PolyConst(o.Const.Int())
}

// PolyProduct is the product of i64 operands.
func PolyProduct(os []Operand) Poly {
	p := PolyConst(1)
	for _, o := range os {
		p = p.Mul(PolyOf(o))
	}
	return p
}

// Const returns the value of a constant polynomial.
func (p Poly) Const() (n int64, ok bool) {
	switch {
	case len(p.Terms) == 0:
		return 0, true
	case len(p.Terms) == 1 && len(p.Terms[0].Vars) == 0:
		return p.Terms[0].Coef, true
	}
	return 0, false
}

// Equal reports whether p and q are the same polynomial.
func (p Poly) Equal(q Poly) bool {
	return slices.EqualFunc(p.Terms, q.Terms, func(a, b Term) bool {
		return a.Coef == b.Coef && slices.Equal(a.Vars, b.Vars)
	})
}

// Add is p + q.
func (p Poly) Add(q Poly) Poly { return p.plus(q, 1) }

// plus is p + k*q, where k is not zero: the terms of both are in order.
func (p Poly) plus(q Poly, k int64) Poly {
	if len(q.Terms) == 0 {
		return p
	}
	out := make([]Term, 0, len(p.Terms)+len(q.Terms))
	ps, qs := p.Terms, q.Terms
	for len(ps) > 0 || len(qs) > 0 {
		c := -1
		switch {
		case len(ps) == 0:
			c = 1
		case len(qs) > 0:
			c = compareTerms(ps[0], qs[0])
		}
		var t Term
		if c <= 0 {
			t, ps = ps[0], ps[1:]
		}
		if c >= 0 {
			t.Vars = qs[0].Vars
			t.Coef += k * qs[0].Coef
			qs = qs[1:]
		}
		if t.Coef != 0 {
			out = append(out, t)
		}
	}
	return Poly{out}
}

// Mul is p * q.
func (p Poly) Mul(q Poly) Poly {
	if n, ok := q.Const(); ok && n == 1 {
		return p
	}
	if n, ok := p.Const(); ok && n == 1 {
		return q
	}
	var ts []Term
	for _, a := range p.Terms {
		for _, b := range q.Terms {
			vs := slices.Concat(a.Vars, b.Vars)
			slices.Sort(vs)
			ts = append(ts, Term{a.Coef * b.Coef, vs})
		}
	}
	return normalise(ts)
}

// Sub is p - q.
func (p Poly) Sub(q Poly) Poly { return p.plus(q, -1) }

// Subst replaces variables: f returns, for each variable, what stands for it.
func (p Poly) Subst(f func(Var) Poly) Poly {
	var sum Poly
	for _, t := range p.Terms {
		// What stands for single variables or constants is one term with others of its kind, which is sorted once.
		one, prod := Term{Coef: t.Coef, Vars: make([]Var, 0, len(t.Vars))}, PolyConst(1)
		for _, v := range t.Vars {
			if q := f(v); len(q.Terms) == 1 {
				one.Coef *= q.Terms[0].Coef
				one.Vars = append(one.Vars, q.Terms[0].Vars...)
			} else {
				prod = prod.Mul(q)
			}
		}
		slices.Sort(one.Vars)
		sum = sum.Add(normalise([]Term{one}).Mul(prod))
	}
	return sum
}

// Vars lists the variables of p, each once, sorted.
func (p Poly) Vars() []Var {
	var vs []Var
	for _, t := range p.Terms {
		vs = append(vs, t.Vars...)
	}
	slices.Sort(vs)
	return slices.Compact(vs)
}

// normalise sorts terms by degree, then by variables, and joins equal ones.
func normalise(ts []Term) Poly {
	slices.SortStableFunc(ts, compareTerms)
	var out []Term
	for _, t := range ts {
		if n := len(out); n > 0 && slices.Equal(out[n-1].Vars, t.Vars) {
			out[n-1].Coef += t.Coef
			continue
		}
		out = append(out, t)
	}
	return Poly{slices.DeleteFunc(out, func(t Term) bool { return t.Coef == 0 })}
}

func compareTerms(a, b Term) int {
	if c := cmp.Compare(len(a.Vars), len(b.Vars)); c != 0 {
		return c
	}
	return slices.Compare(a.Vars, b.Vars)
}
