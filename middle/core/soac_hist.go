package core

// Hist is several generalised histograms over the same input. For each index
// below Size, Bucket maps the elements of Arrays to, first, the bin indices of
// all Ops (as many i64 as each has sizes in Shape), then the values for all
// Ops. A value is combined into its bin by the operator; one whose index is
// outside Shape is dropped. Dests are consumed; the results are they, updated.
type Hist struct {
	Size   Operand
	Arrays []Var
	Ops    []HistOp
	Bucket *Lambda
}

// HistOp is one histogram: an associative and commutative operator, and
// destinations that have Shape in front of the type of their elements.
type HistOp struct {
	Shape   []Operand
	Dests   []Var
	Neutral []Operand
	Lambda  *Lambda
}

func (*Hist) isSOAC() {}

func (e *Hist) parts(m Mapper) Exp {
	size, arrays, ops, bucket := m.operand(e.Size), m.uses(e.Arrays), m.histOps(e.Ops), m.lambda(e.Bucket)
	if size == e.Size && sameSlice(arrays, e.Arrays) && sameSlice(ops, e.Ops) && bucket == e.Bucket {
		return e
	}
	return &Hist{size, arrays, ops, bucket}
}

func (*Hist) binders() []Param                { return nil }
func (e *Hist) types(s *Scope) ([]Type, bool) { return s.destTypes(e.Ops), true }
func (e *Hist) reads() []Var {
	return append(e.Arrays[:len(e.Arrays):len(e.Arrays)], destsOf(e.Ops)...)
}
func (e *Hist) consumes() []Var { return destsOf(e.Ops) }

func (e *Hist) aliases(dst []Param, may func(Param, Operand)) {
	mayEach(e.Bucket.Params, Vars(e.Arrays), may)
	mayHistOps(dst, e.Ops, may)
}

func (*Hist) mayFail() bool         { return false }
func (*Hist) pure() bool            { return false }
func (*Hist) parallel() bool        { return true }
func (*Hist) allowed(at place) bool { return at.stage == StageSOACS }

func (e *Hist) print(p *printer) {
	p.writef("hist %s (%s) ops", p.op(e.Size), p.vars(e.Arrays))
	p.histOps(e.Ops)
	p.out.WriteString("bucket ")
	p.lambda(e.Bucket)
}

func (p *parser) hist() Exp {
	e := &Hist{Size: p.op(), Arrays: p.vars()}
	p.expect("ops")
	e.Ops = p.histOps()
	p.expect("bucket")
	e.Bucket = p.lambda()
	return e
}

func (e *Hist) verify(v *verifier, _ *Stm) {
	v.histOps(e.Ops, nil)
	v.lambdaOn(e.Bucket, v.rows(e.Arrays, e.Size), nil)
}

// What histograms and their segmented form share.

// destsOf lists the destinations of all operators.
func destsOf(ops []HistOp) []Var {
	var dests []Var
	for _, op := range ops {
		dests = append(dests, op.Dests...)
	}
	return dests
}

func (s *Scope) destTypes(ops []HistOp) []Type {
	var ts []Type
	for _, d := range destsOf(ops) {
		ts = append(ts, s.bare(d))
	}
	return ts
}

// mayHistOps tells what operators on arrays may share; the results are the destinations.
func mayHistOps(dst []Param, ops []HistOp, may func(Param, Operand)) {
	for _, op := range ops {
		mayOperators([]Operator{{Lambda: op.Lambda, Neutral: op.Neutral}}, may)
	}
	mayEach(dst, Vars(destsOf(ops)), may)
}

func (m Mapper) histOps(ops []HistOp) []HistOp {
	return mapSlice(ops, func(op HistOp) HistOp {
		return HistOp{
			Shape: m.operands(op.Shape), Dests: m.uses(op.Dests),
			Neutral: m.operands(op.Neutral), Lambda: m.lambda(op.Lambda),
		}
	}, func(x, y HistOp) bool {
		return x.Lambda == y.Lambda && sameSlice(x.Shape, y.Shape) && sameSlice(x.Dests, y.Dests) && sameSlice(x.Neutral, y.Neutral)
	})
}

func (p *printer) histOps(ops []HistOp) {
	p.out.WriteString(" (")
	for i, op := range ops {
		if i > 0 {
			p.out.WriteString(", ")
		}
		p.writef("[%s] (%s) neutral (%s) ", p.ops(op.Shape), p.vars(op.Dests), p.ops(op.Neutral))
		p.lambda(op.Lambda)
	}
	p.out.WriteString(") ")
}

func (p *parser) histOps() []HistOp {
	return list(p, "(", ")", func() HistOp {
		op := HistOp{Shape: p.sizes(), Dests: p.vars()}
		p.expect("neutral")
		op.Neutral = p.ops()
		op.Lambda = p.lambda()
		return op
	})
}

// histOps checks destinations, which have the segments' sizes in front, and operators.
func (v *verifier) histOps(ops []HistOp, segments []Operand) {
	for _, op := range ops {
		v.sizes(op.Shape)
		for i, d := range op.Dests {
			want := ArrayOf(op.Lambda.Ret[i], append(append([]Operand(nil), segments...), op.Shape...)...)
			v.want(V(d), want, "destination")
		}
		v.operators([]Operator{{Lambda: op.Lambda, Neutral: op.Neutral}})
	}
}
