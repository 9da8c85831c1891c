package core

import (
	"slices"
	"strconv"

	"skald/runtime/prim"
)

// Derivative runs a function once, for Args, and takes a derivative of it. The results of the statement are those of Body, first the sizes
// that are born in it, then the results of the function; behind them are the derivatives.
//
//   - Forward: there is a seed for each argument, its tangent. The derivatives are the tangents of the function's results.
//   - Reverse: there is a seed for each of the function's results, its adjoint. The derivatives are the adjoints of the arguments.
//
// With Many there are that many derivatives of the one run: seeds and derivatives are arrays, of that outer size. What is inert has no
// derivative: its seed means nothing, and its own value stands for its derivative.
type Derivative struct {
	Reverse bool
	Params  []Param
	Args    []Operand
	Body    *Body
	// Many is the number of seeds for each argument or result; the zero operand says that there is one, and no array of them.
	Many  Operand
	Seeds []Operand
	// InertArgs and InertResults are the numbers of the arguments and results that are inert.
	InertArgs, InertResults []int
}

// IsMany reports whether there are arrays of seeds.
func (e *Derivative) IsMany() bool { return e.Many != Operand{} }

// Results returns, for the statement's results, how many sizes there are, and how many results the function has.
func (e *Derivative) Results(dst []Param) (sizes, results int) {
	results = len(dst) - len(e.Body.Res)
	if e.Reverse {
		results = len(e.Seeds)
	}
	return len(e.Body.Res) - results, results
}

// Integers reports whether integers and truth values have derivatives in e: where some are among the arguments, or floats are converted to
// them, functions that are called apart.
func (e *Derivative) Integers() bool {
	for i, p := range e.Params {
		if p.Type.Kind != KindAcc && !p.Type.Elem.IsFloat() && !slices.Contains(e.InertArgs, i) {
			return true
		}
	}
	return HasIntegerDerivatives(e.Body)
}

// HasIntegerDerivatives reports whether derivatives pass through integers in body, functions that it calls apart.
func HasIntegerDerivatives(body *Body) bool {
	found := false
	Walk(body, func(s *Stm) bool {
		switch e := Match(s.Exp).(type) {
		case *WithVjp:
			found = found || HasIntegerDerivatives(e.Body)
			return false
		case *Conv:
			found = found || e.From.IsFloat() && !e.To.IsFloat()
		case *CallFunc:
			found = found || e.Func == prim.ToBits
		default:
		}
		return !found
	})
	return found
}

func (*Derivative) isControl() {}

func (e *Derivative) parts(m Mapper) Exp {
	out := &Derivative{
		Reverse: e.Reverse, Args: m.operands(e.Args), Many: e.Many, Seeds: m.operands(e.Seeds),
		InertArgs: e.InertArgs, InertResults: e.InertResults,
	}
	if e.IsMany() {
		out.Many = m.operand(e.Many)
	}
	out.Params = m.Params(e.Params)
	out.Body = m.body(e.Body)
	return out
}

func (e *Derivative) binders() []Param          { return e.Params }
func (*Derivative) types(*Scope) ([]Type, bool) { return nil, false }
func (e *Derivative) reads() []Var {
	return varsOf(append(e.Args[:len(e.Args):len(e.Args)], e.Seeds...))
}

// consumes is empty: a derivative copies what the function overwrites of what it is given.
func (*Derivative) consumes() []Var { return nil }

// aliases has, for derivatives, everything that may become a part of one.
func (e *Derivative) aliases(dst []Param, may func(Param, Operand)) {
	mayEach(e.Params, e.Args, may)
	mayEach(dst, e.Body.Res, may)
	sizes, _ := e.Results(dst)
	var sources []Operand
	array := func(t Type, x Operand) {
		if t.IsArray() || e.IsMany() {
			sources = append(sources, x)
		}
	}
	for i, p := range e.Params {
		array(p.Type, e.Args[i])
		if !e.Reverse {
			array(p.Type, e.Seeds[i])
		}
	}
	for i, p := range dst[sizes:len(e.Body.Res)] {
		array(p.Type, V(p.Var))
		if e.Reverse {
			array(p.Type, e.Seeds[i])
		}
	}
	Walk(e.Body, func(s *Stm) bool {
		if custom, ok := s.Exp.(*WithVjp); ok {
			for i, t := range custom.Back.Ret {
				array(t, custom.Back.Body.Res[i])
			}
		}
		return true
	})
	for _, p := range dst[len(e.Body.Res):] {
		for _, x := range sources {
			if p.Type.IsArray() {
				may(p, x)
			}
		}
	}
}

func (*Derivative) mayFail() bool         { return false }
func (*Derivative) pure() bool            { return false }
func (*Derivative) parallel() bool        { return false }
func (*Derivative) allowed(at place) bool { return at.stage == StageSOACS && !at.kernel }

func (e *Derivative) print(p *printer) {
	if e.Reverse {
		p.out.WriteString("vjp (")
	} else {
		p.out.WriteString("jvp (")
	}
	p.given(e.Params, e.Args)
	p.writef(") inert (%s) (%s)", join(e.InertArgs, strconv.Itoa), join(e.InertResults, strconv.Itoa))
	if e.IsMany() {
		p.writef(" many %s", p.op(e.Many))
	}
	p.writef(" seeds (%s) ", p.ops(e.Seeds))
	p.body(e.Body)
}

// given writes parameters with the operands that they get.
func (p *printer) given(ps []Param, xs []Operand) {
	for i, q := range ps {
		if i > 0 {
			p.out.WriteString(", ")
		}
		p.writef("%s = %s", p.param(q), p.op(xs[i]))
	}
}

// given reads parameters with the operands that they get.
func (p *parser) given() (ps []Param, xs []Operand) {
	list(p, "(", ")", func() bool {
		ps = append(ps, p.param())
		p.expect("=")
		xs = append(xs, p.op())
		return true
	})
	return ps, xs
}

// Arguments of parser.derivative.
const (
	forwardMode = false
	reverseMode = true
)

func (p *parser) derivative(reverse bool) Exp {
	e := &Derivative{Reverse: reverse}
	e.Params, e.Args = p.given()
	p.expect("inert")
	e.InertArgs, e.InertResults = p.ints(), p.ints()
	if p.accept("many") {
		e.Many = p.op()
	}
	p.expect("seeds")
	e.Seeds, e.Body = p.ops(), p.body()
	return e
}

func (e *Derivative) verify(v *verifier, s *Stm) {
	v.wantAll(e.Args, ParamTypes(e.Params), nil, "argument")
	n := len(e.Body.Res)
	sizes, results := e.Results(s.Dst)
	of, by := s.Dst[sizes:min(n, len(s.Dst))], e.Params
	if e.Reverse {
		of, by = by, of
	}
	if sizes < 0 || len(s.Dst) != n+len(of) || len(e.Seeds) != len(by) {
		v.fail("%d results of %d seeds, %d arguments and %d results of the function", len(s.Dst), len(e.Seeds), len(e.Args), results)
	}
	for i, p := range of {
		want := p.Type
		if e.IsMany() {
			want = ArrayOf(want, e.Many)
		}
		if d := s.Dst[n+i]; !d.Type.Same(want) {
			v.fail("%s should have type %s", v.name(d.Var), PrintType(v.fun, want))
		}
	}
	for i, x := range e.Seeds {
		t, rank := v.operand(x), by[i].Type.Rank()
		if e.IsMany() {
			rank++
		}
		if t.Elem != by[i].Type.Elem || t.Rank() != rank {
			v.fail("seed %d has type %s", i, PrintType(v.fun, t))
		}
	}
	if e.IsMany() {
		v.want(e.Many, I64, "number of seeds")
	}
	v.inertness(e.InertArgs, len(e.Args))
	v.inertness(e.InertResults, results)
	mark := append([]bool(nil), v.visible...)
	v.bindAll(e.Params)
	v.body(e.Body, ParamTypes(s.Dst[:n]), s.Dst[:n])
	v.visible = mark
}

// inertness checks numbers of arguments or results, of which there are n.
func (v *verifier) inertness(is []int, n int) {
	for _, i := range is {
		if i < 0 || i >= n {
			v.fail("inert: there is no number %d", i)
		}
	}
}

// WithVjp runs a function once, for Args. Its derivative in reverse mode is the programmer's: Back returns the adjoints of Args for the
// results of the statement, sizes included, and then the adjoints of the function's results. In forward mode the derivative is the
// function's own.
type WithVjp struct {
	Params []Param
	Args   []Operand
	// Body returns the sizes that are born in it and then the function's results.
	Body *Body
	Back *Lambda
	// Sizes counts the sizes. InertResults are the numbers of the results, those not counted, that have no derivatives.
	Sizes        int
	InertResults []int
}

func (*WithVjp) isControl() {}

func (e *WithVjp) parts(m Mapper) Exp {
	args := m.operands(e.Args)
	params := m.Params(e.Params)
	return &WithVjp{
		Params: params, Args: args, Body: m.body(e.Body), Back: m.lambda(e.Back), Sizes: e.Sizes, InertResults: e.InertResults,
	}
}

func (e *WithVjp) binders() []Param          { return e.Params }
func (*WithVjp) types(*Scope) ([]Type, bool) { return nil, false }
func (e *WithVjp) reads() []Var              { return varsOf(e.Args) }
func (*WithVjp) consumes() []Var             { return nil }

func (e *WithVjp) aliases(dst []Param, may func(Param, Operand)) {
	mayEach(e.Params, e.Args, may)
	mayEach(dst, e.Body.Res, may)
	mayEach(e.Back.Params, Vars(ParamVars(dst)), may)
}

func (*WithVjp) mayFail() bool         { return false }
func (*WithVjp) pure() bool            { return false }
func (*WithVjp) parallel() bool        { return false }
func (*WithVjp) allowed(at place) bool { return at.stage == StageSOACS && !at.kernel }

func (e *WithVjp) print(p *printer) {
	p.out.WriteString("withvjp (")
	p.given(e.Params, e.Args)
	p.writef(") sizes %d inert (%s) ", e.Sizes, join(e.InertResults, strconv.Itoa))
	p.body(e.Body)
	p.out.WriteString(" back ")
	p.lambda(e.Back)
}

func (p *parser) withVjp() Exp {
	e := &WithVjp{}
	e.Params, e.Args = p.given()
	p.expect("sizes")
	e.Sizes = p.int()
	p.expect("inert")
	e.InertResults, e.Body = p.ints(), p.body()
	p.expect("back")
	e.Back = p.lambda()
	return e
}

func (e *WithVjp) verify(v *verifier, s *Stm) {
	v.wantAll(e.Args, ParamTypes(e.Params), nil, "argument")
	results := len(s.Dst) - e.Sizes
	fits := e.Sizes >= 0 && results >= 0 && len(e.Body.Res) == len(s.Dst) && len(e.Back.Ret) == len(e.Args)
	if !fits || len(e.Back.Params) != len(s.Dst)+results {
		v.fail("%d results, of which %d are sizes, and %d parameters back", len(s.Dst), e.Sizes, len(e.Back.Params))
	}
	for i, p := range e.Back.Params {
		if i >= len(s.Dst) {
			i -= results
		}
		if t := s.Dst[i].Type; t.Elem != p.Type.Elem || t.Rank() != p.Type.Rank() {
			v.fail("parameter %s has type %s", v.name(p.Var), PrintType(v.fun, p.Type))
		}
	}
	for i, t := range e.Back.Ret {
		if !t.Same(e.Params[i].Type) {
			v.fail("result %d back should have type %s", i, PrintType(v.fun, e.Params[i].Type))
		}
	}
	v.inertness(e.InertResults, results)
	mark := append([]bool(nil), v.visible...)
	v.bindAll(e.Params)
	v.body(e.Body, ParamTypes(s.Dst), s.Dst)
	v.visible = append([]bool(nil), mark...)
	v.bindAll(e.Back.Params)
	outer := v.stm
	v.body(e.Back.Body, e.Back.Ret, nil)
	v.stm, v.visible = outer, mark
}
