package core

import "skald/runtime/prim"

func (v *verifier) exp(s *Stm) {
	switch e := s.Exp.(type) {
	case *Un:
		v.want(e.X, Scalar(e.Type), "operand")
	case *Bin:
		v.want(e.X, Scalar(e.Type), "operand")
		v.want(e.Y, Scalar(e.Type), "operand")
	case *Cmp:
		v.want(e.X, Scalar(e.Type), "operand")
		v.want(e.Y, Scalar(e.Type), "operand")
	case *Conv:
		v.want(e.X, Scalar(e.From), "operand")
	case *CallFunc:
		var ts []Type
		for _, t := range e.Func.Params(e.Type) {
			ts = append(ts, Scalar(t))
		}
		v.wantAll(e.Args, ts, nil, "argument")
	case *Assert:
		v.want(e.Cond, BoolType, "condition")
	case *If:
		v.want(e.Cond, BoolType, "condition")
		v.body(e.Then, ParamTypes(s.Dst), s.Dst)
		v.body(e.Else, ParamTypes(s.Dst), s.Dst)
	case *Switch:
		t := v.operand(e.On)
		for _, c := range e.Cases {
			v.want(C(c.Value), t, "case")
			v.body(c.Body, ParamTypes(s.Dst), s.Dst)
		}
		v.body(e.Default, ParamTypes(s.Dst), s.Dst)
	case *Loop:
		v.loop(s, e)
	case *Call:
		v.call(s, e)
	default:
		v.arrayExp(e)
	}
}

// loop checks that initial values and results fit the parameters, whose types may mention each other.
func (v *verifier) loop(s *Stm, e *Loop) {
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

func (v *verifier) call(s *Stm, e *Call) {
	f := v.prog.Fun(e.Fun)
	if f == nil {
		v.fail("no function %s", e.Fun)
	}
	v.wantAll(e.Args, ParamTypes(f.Params), f.Params, "argument")
	if len(s.Dst) != len(f.Ret) {
		v.fail("%d results, not %d", len(s.Dst), len(f.Ret))
	}
	sub := Subst{}
	for i, p := range f.Params {
		sub[p.Var] = e.Args[i]
	}
	for i, p := range f.Ret {
		sub[p.Var] = V(s.Dst[i].Var)
	}
	for i, p := range f.Ret {
		if t := sub.Type(p.Type); !t.Same(s.Dst[i].Type) {
			v.fail("%s should have type %s", v.name(s.Dst[i].Var), PrintType(v.fun, t))
		}
	}
}

// slice checks that a slice selects of an array of type t.
func (v *verifier) slice(t Type, sl Slice) {
	if len(sl) != len(t.Shape) {
		v.fail("slice of %d dimensions of an array of %d", len(sl), len(t.Shape))
	}
	for _, d := range sl {
		v.want(d.Off, I64, "index")
		if !d.Fix {
			v.want(d.Len, I64, "length")
			v.want(d.Stride, I64, "stride")
		}
	}
}

func (v *verifier) array(x Var) Type {
	t := v.use(x)
	if t.Kind != KindArray {
		v.fail("%s is not an array", v.name(x))
	}
	return t
}

func (v *verifier) arrayExp(e Exp) {
	switch e := e.(type) {
	case *ArrayLit:
		for _, x := range e.Elems {
			v.want(x, stripLayout(e.Row), "element")
		}
	case *Index:
		v.slice(v.array(e.Array), e.Slice)
	case *Update:
		t := v.array(e.Array)
		v.slice(t, e.Slice)
		v.want(e.Value, SliceType(t, e.Slice), "value")
	case *Concat:
		v.want(e.Size, I64, "size")
		for _, a := range e.Arrays {
			v.array(a)
		}
	case *Iota:
		v.want(e.N, I64, "length")
		v.want(e.Start, Scalar(e.Type), "start")
		v.want(e.Step, Scalar(e.Type), "step")
	case *Rearrange:
		if t := v.array(e.Array); len(e.Perm) != len(t.Shape) {
			v.fail("permutation of %d dimensions of an array of %d", len(e.Perm), len(t.Shape))
		}
	case *Screma:
		v.screma(e)
	case *Hist:
		v.histOps(e.Ops, nil)
		v.lambdaOn(e.Bucket, v.rows(e.Arrays, e.Size), nil)
	case *WithAcc:
		v.withAcc(e)
	case *UpdateAcc:
		if v.use(e.Acc).Kind != KindAcc {
			v.fail("%s is not an accumulator", v.name(e.Acc))
		}
		for _, i := range e.Index {
			v.want(i, I64, "index")
		}
		for _, x := range e.Values {
			v.operand(x)
		}
	case *SegMap:
		v.seg(e.Space, e.Body, e.Ret)
	case *SegRed:
		v.operators(e.Ops)
		v.seg(e.Space, e.Body, e.Ret)
	case *SegScan:
		v.operators(e.Ops)
		v.seg(e.Space, e.Body, e.Ret)
	case *SegHist:
		v.histOps(e.Ops, e.Space.Sizes[:len(e.Space.Sizes)-1])
		v.seg(e.Space, e.Body, e.Ret)
	default:
		MapOperands(e, func(o Operand) Operand { v.operand(o); return o })
	}
}

// rows gives the types of the elements of arrays of an outer size.
func (v *verifier) rows(arrays []Var, size Operand) []Type {
	v.want(size, I64, "size")
	var ts []Type
	for _, a := range arrays {
		t := v.array(a)
		if t.Shape[0] != size {
			v.fail("%s has outer size %s, not %s", v.name(a),
				(&printer{fun: v.fun}).op(t.Shape[0]), (&printer{fun: v.fun}).op(size))
		}
		ts = append(ts, t.Row(1))
	}
	return ts
}

// lambdaOn checks a lambda, the types of its arguments, and of its results
// when ret is not nil.
func (v *verifier) lambdaOn(l *Lambda, args, ret []Type) {
	if len(args) != len(l.Params) {
		v.fail("lambda of %d parameters applied to %d", len(l.Params), len(args))
	}
	for i, p := range l.Params {
		if !args[i].Same(p.Type) {
			v.fail("parameter %s should have type %s", v.name(p.Var), PrintType(v.fun, args[i]))
		}
	}
	for i, t := range ret {
		if !t.Same(l.Ret[i]) {
			v.fail("result %d of a lambda should have type %s", i, PrintType(v.fun, t))
		}
	}
	mark := append([]bool(nil), v.visible...)
	v.bindAll(l.Params)
	outer := v.stm
	v.body(l.Body, l.Ret, nil)
	v.stm, v.visible = outer, mark
}

func (v *verifier) operators(ops []Operator) {
	for _, op := range ops {
		var ts []Type
		for _, n := range op.Neutral {
			ts = append(ts, stripLayout(v.operand(n)))
		}
		outer := v.inKernel
		v.inKernel = v.prog.Stage != StageSOACS
		v.lambdaOn(op.Lambda, append(append([]Type(nil), ts...), ts...), ts)
		v.inKernel = outer
	}
}

// histOps checks destinations, which have the segments' sizes in front, and operators.
func (v *verifier) histOps(ops []HistOp, segments []Operand) {
	for _, op := range ops {
		for i, d := range op.Dests {
			want := ArrayOf(op.Lambda.Ret[i], append(append([]Operand(nil), segments...), op.Shape...)...)
			v.want(V(d), want, "destination")
		}
		v.operators([]Operator{{Lambda: op.Lambda, Neutral: op.Neutral}})
	}
}

// screma checks a combinator: the lambda on the elements, the operators, and the post lambda on what they leave.
func (v *verifier) screma(e *Screma) {
	v.lambdaOn(e.Map, v.rows(e.Arrays, e.Size), nil)
	v.operators(e.Scans)
	v.operators(e.Reds)
	if e.Post != nil {
		ns := Width(e.Scans)
		args := append(append([]Type(nil), e.Map.Ret[:ns]...), e.Map.Ret[ns+Width(e.Reds):]...)
		v.lambdaOn(e.Post, args, nil)
	}
}

func (v *verifier) withAcc(e *WithAcc) {
	for _, in := range e.Inputs {
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

// seg checks the space and the body of a segmented operation.
func (v *verifier) seg(s Space, b *Body, ret []Type) {
	mark := append([]bool(nil), v.visible...)
	for i, id := range s.Ids {
		v.want(s.Sizes[i], I64, "size")
		v.bindAll([]Param{{Var: id, Type: Scalar(prim.I64)}})
	}
	if s.Slot != 0 {
		v.want(s.Slots, I64, "number of slots")
		v.bindAll([]Param{{Var: s.Slot, Type: Scalar(prim.I64)}})
	}
	v.inKernel = true
	v.body(b, ret, nil)
	v.inKernel = false
	v.visible = mark
}
