package core

import "slices"

// Aliases says which variables of a function may share memory, and which
// memory is ever overwritten. It is coarse: variables fall into classes, and
// what may share memory anywhere is in one class.
type Aliases struct {
	parent   []Var
	consumed []bool // by representative
}

// AliasesOf analyses a function.
func AliasesOf(f *Fun) *Aliases {
	a := &Aliases{parent: make([]Var, len(f.Names)), consumed: make([]bool, len(f.Names))}
	for i := range a.parent {
		a.parent[i] = Var(i)
	}
	a.body(f.Body)
	for i, r := range f.Body.Res {
		if i < len(f.Ret) && f.Ret[i].Unique {
			a.consume(r.Var)
		}
	}
	return a
}

// Within is what a body of the analysed function does alone: arrays from around it share memory as a says, but what the code around the
// body overwrites, or an iteration of a loop hands to the next, does not count.
func (a *Aliases) Within(b *Body) *Aliases {
	in := &Aliases{parent: make([]Var, len(a.parent)), consumed: make([]bool, len(a.parent))}
	for i := range in.parent {
		in.parent[i] = Var(i)
	}
	first := map[Var]Var{}
	for _, v := range FreeInBody(b).List() {
		if !a.known(v) {
			continue
		}
		c := a.find(v)
		if w, ok := first[c]; ok {
			in.join(w, v)
		} else {
			first[c] = v
		}
	}
	in.body(b)
	return in
}

func (a *Aliases) find(v Var) Var {
	for a.parent[v] != v {
		a.parent[v] = a.parent[a.parent[v]]
		v = a.parent[v]
	}
	return v
}

func (a *Aliases) join(v, w Var) {
	if v == 0 || w == 0 {
		return
	}
	v, w = a.find(v), a.find(w)
	if v != w {
		a.parent[w] = v
		a.consumed[v] = a.consumed[v] || a.consumed[w]
	}
}

func (a *Aliases) consume(v Var) {
	if v != 0 {
		a.consumed[a.find(v)] = true
	}
}

// MayAlias reports whether two variables may share memory.
func (a *Aliases) MayAlias(v, w Var) bool { return a.known(v) && a.known(w) && a.find(v) == a.find(w) }

// Overwritten reports whether statements, bodies inside too, overwrite what may share memory with v.
func (a *Aliases) Overwritten(v Var, stms []*Stm) bool {
	return Any(&Body{Stms: stms}, func(e Exp) bool {
		return slices.ContainsFunc(Consumes(e), func(w Var) bool { return a.MayAlias(w, v) })
	})
}

// Consumed reports whether memory that v may share is overwritten anywhere,
// or given away as a unique result. What is not known counts as consumed.
func (a *Aliases) Consumed(v Var) bool { return !a.known(v) || a.consumed[a.find(v)] }

func (a *Aliases) known(v Var) bool { return int(v) < len(a.parent) }

func (a *Aliases) body(b *Body) {
	var m Mapper
	m.Body = func(b *Body) *Body {
		for _, s := range b.Stms {
			a.stm(s)
			MapExp(s.Exp, m)
		}
		return b
	}
	m.Body(b)
}

func (a *Aliases) stm(s *Stm) {
	MayShare(s, func(p Param, x Operand) { a.join(p.Var, x.Var) })
	for _, v := range s.Exp.consumes() {
		a.consume(v)
	}
}

// What nodes tell with their methods aliases.

// mayEach tells that each of ps may share memory with the operand in its place.
func mayEach(ps []Param, os []Operand, may func(Param, Operand)) {
	for i, p := range ps[:min(len(ps), len(os))] {
		may(p, os[i])
	}
}

// mayOperators tells what flows through operators on arrays: their parameters
// stand for their results and for neutral elements.
func mayOperators(ops []Operator, may func(Param, Operand)) {
	for _, op := range ops {
		left, right := op.Lambda.Params[:len(op.Neutral)], op.Lambda.Params[len(op.Neutral):]
		mayEach(left, op.Neutral, may)
		mayEach(left, op.Lambda.Body.Res, may)
		mayEach(right, op.Neutral, may)
	}
}

// varsOf picks the variables among operands.
func varsOf(os []Operand) []Var {
	var vs []Var
	for _, o := range os {
		if o.Var != 0 {
			vs = append(vs, o.Var)
		}
	}
	return vs
}
