package core

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

// rows returns the types of the elements of arrays of an outer size.
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

func (v *verifier) sizes(os []Operand) {
	for _, n := range os {
		v.want(n, I64, "size")
	}
}

// wantBoth checks the operands of a binary operator.
func (v *verifier) wantBoth(x, y Operand, t Type) {
	v.want(x, t, "operand")
	v.want(y, t, "operand")
}
