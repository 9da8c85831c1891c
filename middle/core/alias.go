package core

import "slices"

// Aliases says which variables of a function may share memory, and which
// memory is ever overwritten. It is coarse: variables fall into classes, and
// what may share memory anywhere is in one class.
type Aliases struct {
	names int // of the function's variables
	// numbers are those of the variables that share memory or are overwritten, where these are few of all; nil if they are the variables'.
	numbers  map[Var]Var
	parent   []Var  // by number
	consumed []bool // by representative
}

// AliasesOf analyses a function.
func AliasesOf(f *Fun) *Aliases {
	a := AliasesInside(f)
	a.consumeResults(f)
	return a
}

// AliasesInside is what the code of a function does: unlike in AliasesOf, results given away do not count as overwritten.
func AliasesInside(f *Fun) *Aliases {
	a := &Aliases{names: len(f.Names), parent: make([]Var, len(f.Names)), consumed: make([]bool, len(f.Names))}
	for i := range a.parent {
		a.parent[i] = Var(i)
	}
	a.body(f.Body)
	return a
}

// WithResults is what AliasesOf says of f, where a is AliasesInside of it.
func (a *Aliases) WithResults(f *Fun) *Aliases {
	out := *a
	out.parent, out.consumed = slices.Clone(a.parent), slices.Clone(a.consumed)
	out.consumeResults(f)
	return &out
}

func (a *Aliases) consumeResults(f *Fun) {
	for i, r := range f.Body.Res {
		if i < len(f.Ret) && f.Ret[i].Unique {
			a.consume(r.Var)
		}
	}
}

// Within is what a body of the analysed function does alone: arrays from around it share memory as a says, but what the code around the
// body overwrites, or an iteration of a loop hands to the next, does not count. It takes time for the body, not for the function.
func (a *Aliases) Within(b *Body) *Aliases {
	in := &Aliases{names: a.names, numbers: map[Var]Var{}}
	first := map[Var]Var{}
	for _, v := range FreeInBody(b).List() {
		c, ok := a.class(v)
		if !ok {
			continue
		}
		if w, ok := first[c]; ok {
			in.join(w, v)
		} else {
			first[c] = v
		}
	}
	in.body(b)
	return in
}

// class is the representative of the class of v, if it is one that shares memory or is overwritten.
func (a *Aliases) class(v Var) (Var, bool) {
	if a.numbers != nil {
		n, ok := a.numbers[v]
		if !ok {
			return 0, false
		}
		return a.find(n), true
	}
	if !a.known(v) {
		return 0, false
	}
	return a.find(v), true
}

// A Class is what variables have in common that may share memory.
type Class struct {
	representative Var
	alone          bool // It is the variable's, as it shares memory with no other.
}

// ClassOf is the class of a variable of the function.
func (a *Aliases) ClassOf(v Var) Class {
	if c, ok := a.class(v); ok {
		return Class{representative: c}
	}
	return Class{representative: v, alone: true}
}

// number is that of v, which has one from here on.
func (a *Aliases) number(v Var) Var {
	if a.numbers == nil {
		return v
	}
	n, ok := a.numbers[v]
	if !ok {
		const overwritten = false
		n = Var(len(a.parent))
		a.numbers[v], a.parent, a.consumed = n, append(a.parent, n), append(a.consumed, overwritten)
	}
	return n
}

// find is the representative of a number.
func (a *Aliases) find(n Var) Var {
	for a.parent[n] != n {
		a.parent[n] = a.parent[a.parent[n]]
		n = a.parent[n]
	}
	return n
}

func (a *Aliases) join(v, w Var) {
	if v == 0 || w == 0 {
		return
	}
	v, w = a.find(a.number(v)), a.find(a.number(w))
	if v != w {
		a.parent[w] = v
		a.consumed[v] = a.consumed[v] || a.consumed[w]
	}
}

func (a *Aliases) consume(v Var) {
	if v != 0 {
		a.consumed[a.find(a.number(v))] = true
	}
}

// MayAlias reports whether two variables may share memory.
func (a *Aliases) MayAlias(v, w Var) bool {
	if v == w {
		return a.known(v)
	}
	c, okC := a.class(v)
	d, okD := a.class(w)
	return okC && okD && c == d
}

// Overwritten reports whether statements, bodies inside too, overwrite what may share memory with v.
func (a *Aliases) Overwritten(v Var, stms []*Stm) bool {
	return Any(&Body{Stms: stms}, func(e Exp) bool {
		return slices.ContainsFunc(Consumes(e), func(w Var) bool { return a.MayAlias(w, v) })
	})
}

// Consumed reports whether memory that v may share is overwritten anywhere,
// or given away as a unique result. What is not known counts as consumed.
func (a *Aliases) Consumed(v Var) bool {
	c, ok := a.class(v)
	return !a.known(v) || ok && a.consumed[c]
}

func (a *Aliases) known(v Var) bool { return int(v) < a.names }

func (a *Aliases) body(b *Body) {
	share := sharing(func(p Param, x Operand) { a.join(p.Var, x.Var) }) // MayShare, with one function for all statements
	var m Mapper
	m.Body = func(b *Body) *Body {
		for _, s := range b.Stms {
			if isLeaf(s.Exp) && s.Dst[0].Type.IsScalar() {
				continue
			}
			s.Exp.aliases(s.Dst, share)
			for _, v := range s.Exp.consumes() {
				a.consume(v)
			}
			MapExp(s.Exp, m)
		}
		return b
	}
	m.Body(b)
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
