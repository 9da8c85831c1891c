package core

import "skald/runtime/prim"

// Screma is every combination of map, scans and reductions over arrays of
// one outer size ("scan, reduce, map"). For each index the elements of Arrays
// go through Map, whose results are, in this order: the inputs of Scans, the
// inputs of Reds, and values to keep. What is scanned and what is kept then
// goes, element by element, through Post, or is given as it is when Post is
// nil. Results: the final values of Reds, then the arrays that Post makes.
//
//	map f        Screma{Map: f}
//	reduce op    Screma{Map: id, Reds: op}
//	redomap op f Screma{Map: f, Reds: op}
//	scan op      Screma{Map: id, Scans: op}
type Screma struct {
	Size   Operand
	Arrays []Var
	Map    *Lambda
	Scans  []Operator
	Reds   []Operator
	Post   *Lambda
}

// Operator is an associative operator with its neutral element: Lambda has
// two parameters for each value in Neutral, first all left, then all right.
type Operator struct {
	Lambda  *Lambda
	Neutral []Operand
	// Commutative allows elements to be combined in any order.
	Commutative bool
}

// Commutes reports whether an operator is known to commute.
func (op Operator) Commutes() bool {
	bin, t, ok := op.Lambda.Single()
	return op.Commutative || ok && bin.Commutative(t)
}

// Single finds the operator of a lambda that is just one binary operator on its two parameters.
func (l *Lambda) Single() (op prim.BinOp, t prim.Type, ok bool) {
	if len(l.Params) != 2 || len(l.Body.Stms) != 1 || len(l.Body.Res) != 1 {
		return 0, 0, false
	}
	e, isBin := l.Body.Stms[0].Exp.(*Bin)
	if !isBin || l.Body.Res[0].Var != l.Body.Stms[0].Dst[0].Var {
		return 0, 0, false
	}
	a, b := l.Params[0].Var, l.Params[1].Var
	straight := e.X.IsVar(a) && e.Y.IsVar(b)
	crossed := e.X.IsVar(b) && e.Y.IsVar(a) && e.Op.Commutative(e.Type)
	return e.Op, e.Type, straight || crossed
}

// Width is the number of values that ops combine.
func Width(ops []Operator) int {
	n := 0
	for _, op := range ops {
		n += len(op.Neutral)
	}
	return n
}

// Neutrals lists the neutral elements of ops.
func Neutrals(ops []Operator) []Operand {
	var ns []Operand
	for _, op := range ops {
		ns = append(ns, op.Neutral...)
	}
	return ns
}

func (*Screma) isSOAC() {}

func (e *Screma) parts(m Mapper) Exp {
	size, arrays, main := m.operand(e.Size), m.uses(e.Arrays), m.lambda(e.Map)
	scans, reds, post := m.operators(e.Scans), m.operators(e.Reds), m.lambda(e.Post)
	if size == e.Size && sameSlice(arrays, e.Arrays) && main == e.Map &&
		sameSlice(scans, e.Scans) && sameSlice(reds, e.Reds) && post == e.Post {
		return e
	}
	return &Screma{size, arrays, main, scans, reds, post}
}

func (*Screma) binders() []Param { return nil }

func (e *Screma) types(*Scope) ([]Type, bool) {
	ns, nr := Width(e.Scans), Width(e.Reds)
	ts := append([]Type(nil), e.Map.Ret[ns:ns+nr]...)
	if e.Post != nil {
		return append(ts, shaped(e.Post.Ret, []Operand{e.Size})...), true
	}
	ts = append(ts, shaped(e.Map.Ret[:ns], []Operand{e.Size})...)
	return append(ts, shaped(e.Map.Ret[ns+nr:], []Operand{e.Size})...), true
}

func (e *Screma) reads() []Var  { return e.Arrays }
func (*Screma) consumes() []Var { return nil }

func (e *Screma) aliases(dst []Param, may func(Param, Operand)) {
	mayEach(e.Map.Params, Vars(e.Arrays), may)
	mayOperators(e.Scans, may)
	mayOperators(e.Reds, may)
	mayEach(dst[:Width(e.Reds)], Neutrals(e.Reds), may)
	if e.Post != nil {
		mayEach(e.Post.Params, e.postArgs(e.Map.Body.Res), may)
	}
}

// postArgs picks, of what goes with the results of Map, what goes with the parameters of Post.
func (e *Screma) postArgs(res []Operand) []Operand {
	ns := Width(e.Scans)
	return append(res[:ns:ns], res[ns+Width(e.Reds):]...)
}

func (*Screma) mayFail() bool         { return false }
func (*Screma) pure() bool            { return false }
func (*Screma) parallel() bool        { return true }
func (*Screma) allowed(at place) bool { return at.stage == StageSOACS }

// print writes the parts on lines of their own.
func (e *Screma) print(p *printer) {
	p.writef("screma %s (%s)", p.op(e.Size), p.vars(e.Arrays))
	p.indent++
	p.nl()
	p.out.WriteString("map ")
	p.lambda(e.Map)
	if len(e.Scans) > 0 {
		p.nl()
		p.out.WriteString("scans ")
		p.operators(e.Scans)
	}
	if len(e.Reds) > 0 {
		p.nl()
		p.out.WriteString("reds ")
		p.operators(e.Reds)
	}
	if e.Post != nil {
		p.nl()
		p.out.WriteString("post ")
		p.lambda(e.Post)
	}
	p.indent--
}

// screma reads a SOAC; scans, reductions and the post lambda may be absent.
func (p *parser) screma() Exp {
	e := &Screma{Size: p.op(), Arrays: p.vars()}
	p.expect("map")
	e.Map = p.lambda()
	if p.accept("scans") {
		e.Scans = p.operators()
	}
	if p.accept("reds") {
		e.Reds = p.operators()
	}
	if p.accept("post") {
		e.Post = p.lambda()
	}
	return e
}

// verify checks the lambda on the elements, the operators, and the post lambda on what they leave.
func (e *Screma) verify(v *verifier, _ *Stm) {
	v.lambdaOn(e.Map, v.rows(e.Arrays, e.Size), nil)
	v.operators(e.Scans)
	v.operators(e.Reds)
	if e.Post != nil {
		ns := Width(e.Scans)
		args := append(append([]Type(nil), e.Map.Ret[:ns]...), e.Map.Ret[ns+Width(e.Reds):]...)
		v.lambdaOn(e.Post, args, nil)
	}
}
