package core

// WithAcc makes arrays write-only inside Lambda: it has one parameter of
// accumulator type for each of Inputs, and its first results are those
// accumulators after all updates. The results of WithAcc are the arrays of all
// Inputs, updated, then the other results of Lambda. The arrays are consumed.
//
// Without an operator an update overwrites (scatter); indices outside Shape
// are ignored, and what remains of two updates of one index is unspecified.
type WithAcc struct {
	Inputs []AccInput
	Lambda *Lambda
}

// AccInput is what becomes one accumulator: Arrays have Shape in front of the
// type of their elements.
type AccInput struct {
	Shape  []Operand
	Arrays []Var
	// Op combines an update with what is there; nil overwrites. It has two
	// parameters for each array: all old values, then all new ones.
	Op      *Lambda
	Neutral []Operand
}

func (*WithAcc) isSOAC() {}
func (e *WithAcc) parts(m Mapper) Exp {
	inputs, l := mapSlice(e.Inputs, m.accInput, sameAccInput), m.lambda(e.Lambda)
	if l == e.Lambda && sameSlice(inputs, e.Inputs) {
		return e
	}
	return &WithAcc{inputs, l}
}
func (*WithAcc) binders() []Param { return nil }

func (e *WithAcc) types(s *Scope) ([]Type, bool) {
	var ts []Type
	for _, a := range e.arrays() {
		ts = append(ts, s.bare(a))
	}
	return append(ts, e.Lambda.Ret[len(e.Inputs):]...), true
}

// arrays lists the arrays of all inputs.
func (e *WithAcc) arrays() []Var {
	var arrays []Var
	for _, in := range e.Inputs {
		arrays = append(arrays, in.Arrays...)
	}
	return arrays
}

// reads is empty: an update with an operator, which reads, is a node of its own.
func (*WithAcc) reads() []Var      { return nil }
func (e *WithAcc) consumes() []Var { return e.arrays() }

func (e *WithAcc) aliases(dst []Param, may func(Param, Operand)) {
	arrays := e.arrays()
	mayEach(dst, Vars(arrays), may)
	mayEach(dst[len(arrays):], e.Lambda.Body.Res[len(e.Inputs):], may)
	for _, in := range e.Inputs {
		if in.Op != nil {
			mayOperators([]Operator{{Lambda: in.Op, Neutral: in.Neutral}}, may)
		}
	}
}

func (*WithAcc) mayFail() bool      { return false }
func (*WithAcc) pure() bool         { return false }
func (*WithAcc) parallel() bool     { return false }
func (*WithAcc) allowed(place) bool { return true }

func (e *WithAcc) print(p *printer) {
	p.out.WriteString("withacc (")
	for i, in := range e.Inputs {
		if i > 0 {
			p.out.WriteString(", ")
		}
		p.writef("[%s] (%s)", p.ops(in.Shape), p.vars(in.Arrays))
		if in.Op != nil {
			p.writef(" neutral (%s) ", p.ops(in.Neutral))
			p.lambda(in.Op)
		}
	}
	p.out.WriteString(") ")
	p.lambda(e.Lambda)
}

func (p *parser) withAcc() Exp {
	inputs := list(p, "(", ")", func() AccInput {
		in := AccInput{Shape: p.sizes(), Arrays: p.vars()}
		if p.accept("neutral") {
			in.Neutral = p.ops()
			in.Op = p.lambda()
		}
		return in
	})
	return &WithAcc{inputs, p.lambda()}
}

func (e *WithAcc) verify(v *verifier, _ *Stm) {
	for _, in := range e.Inputs {
		v.sizes(in.Shape)
		for _, a := range in.Arrays {
			v.array(a)
		}
		if in.Op != nil {
			v.operators([]Operator{{Lambda: in.Op, Neutral: in.Neutral}})
		}
	}
	mark := append([]bool(nil), v.visible...)
	v.bindAll(e.Lambda.Params)
	v.body(e.Lambda.Body, e.Lambda.Ret, nil)
	v.visible = mark
}

// UpdateAcc updates the element at Index of each array of an accumulator, and
// returns the accumulator after that.
type UpdateAcc struct {
	Acc    Var
	Index  []Operand
	Values []Operand
}

func (*UpdateAcc) isSOAC() {}

func (e *UpdateAcc) parts(m Mapper) Exp {
	acc, index, values := m.use(e.Acc), m.operands(e.Index), m.operands(e.Values)
	if acc == e.Acc && sameSlice(index, e.Index) && sameSlice(values, e.Values) {
		return e
	}
	return &UpdateAcc{acc, index, values}
}

func (*UpdateAcc) binders() []Param                { return nil }
func (e *UpdateAcc) types(s *Scope) ([]Type, bool) { return oneType(s.TypeOf(e.Acc)) }

// reads has the values, and not what the accumulator stands for: that nobody else can look at.
func (e *UpdateAcc) reads() []Var { return varsOf(e.Values) }

// consumes has the accumulator, which stands for its arrays.
func (e *UpdateAcc) consumes() []Var { return []Var{e.Acc} }

func (e *UpdateAcc) aliases(dst []Param, may func(Param, Operand)) { may(dst[0], V(e.Acc)) }
func (*UpdateAcc) mayFail() bool                                   { return false }
func (*UpdateAcc) pure() bool                                      { return false }
func (*UpdateAcc) parallel() bool                                  { return false }
func (*UpdateAcc) allowed(place) bool                              { return true }

func (e *UpdateAcc) print(p *printer) {
	p.writef("updateacc %s [%s] (%s)", p.v(e.Acc), p.ops(e.Index), p.ops(e.Values))
}

func (e *UpdateAcc) verify(v *verifier, _ *Stm) {
	if v.use(e.Acc).Kind != KindAcc {
		v.fail("%s is not an accumulator", v.name(e.Acc))
	}
	for _, i := range e.Index {
		v.want(i, I64, "index")
	}
	for _, x := range e.Values {
		v.operand(x)
	}
}
