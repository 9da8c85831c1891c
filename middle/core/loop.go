package core

// Loop runs Body again and again; Body's results are the next values of
// Params, and the last values are the loop's results. The type of a parameter
// may mention other parameters.
type Loop struct {
	Params []Param
	Init   []Operand
	// For counts Index from 0 below Bound; a While loop has no Index and runs
	// as long as its parameter While is true.
	Index Param
	Bound Operand
	While Var
	Body  *Body
}

// IsFor reports whether l counts.
func (e *Loop) IsFor() bool { return e.While == 0 }

func (*Loop) isControl() {}

func (e *Loop) parts(m Mapper) Exp {
	init := m.operands(e.Init)
	bound := e.Bound
	if e.IsFor() {
		bound = m.operand(bound)
	}
	params := m.Params(e.Params)
	index := e.Index
	index.Var = m.bind(index.Var)
	while, body := m.use(e.While), m.body(e.Body)
	if body == e.Body && sameSlice(params, e.Params) && sameSlice(init, e.Init) &&
		index.Var == e.Index.Var && bound == e.Bound && while == e.While {
		return e
	}
	return &Loop{Params: params, Init: init, Index: index, Bound: bound, While: while, Body: body}
}

func (e *Loop) binders() []Param {
	if e.IsFor() {
		return append(e.Params[:len(e.Params):len(e.Params)], e.Index)
	}
	return e.Params
}

func (*Loop) types(*Scope) ([]Type, bool) { return nil, false }
func (*Loop) reads() []Var                { return nil }

// consumes is empty: what overwrites a parameter is in the body, and aliases say what shares its memory.
func (*Loop) consumes() []Var { return nil }

func (e *Loop) aliases(dst []Param, may func(Param, Operand)) {
	mayEach(dst, Vars(ParamVars(e.Params)), may)
	mayEach(e.Params, e.Init, may)
	mayEach(e.Params, e.Body.Res, may)
}

func (*Loop) mayFail() bool      { return false }
func (*Loop) pure() bool         { return true }
func (*Loop) parallel() bool     { return false }
func (*Loop) allowed(place) bool { return true }

func (e *Loop) print(p *printer) {
	p.out.WriteString("loop (")
	for i, q := range e.Params {
		if i > 0 {
			p.out.WriteString(", ")
		}
		p.writef("%s = %s", p.param(q), p.op(e.Init[i]))
	}
	p.out.WriteString(") ")
	if e.IsFor() {
		p.writef("for %s < %s ", p.param(e.Index), p.op(e.Bound))
	} else {
		p.writef("while %s ", p.v(e.While))
	}
	p.body(e.Body)
}

// loop reads a loop; each parameter comes with its initial value.
func (p *parser) loop() Exp {
	e := &Loop{}
	list(p, "(", ")", func() bool {
		e.Params = append(e.Params, p.param())
		p.expect("=")
		e.Init = append(e.Init, p.op())
		return true
	})
	if p.accept("while") {
		e.While = p.v()
	} else {
		p.expect("for")
		e.Index = p.param()
		p.expect("<")
		e.Bound = p.op()
	}
	e.Body = p.body()
	return e
}

// verify checks that initial values and results fit the parameters, whose types may mention each other.
func (e *Loop) verify(v *verifier, s *Stm) {
	v.wantAll(e.Init, ParamTypes(e.Params), e.Params, "initial value")
	if len(s.Dst) != len(e.Params) {
		v.fail("%d results, not %d", len(s.Dst), len(e.Params))
	}
	mark := append([]bool(nil), v.visible...)
	v.bindAll(e.Params)
	if e.IsFor() {
		v.want(e.Bound, e.Index.Type, "bound")
		v.bindAll([]Param{e.Index})
	} else {
		v.want(V(e.While), BoolType, "condition")
	}
	v.body(e.Body, ParamTypes(e.Params), e.Params)
	v.visible = mark
}
