package interp

import (
	"slices"

	"skald/frontend/types"
	"skald/runtime/prim"
)

// Note [Differentiation]
//
// Numbers under differentiation carry a dual (forward mode) or a tapeVar (reverse mode) in Value.ref; every scalar
// operator that meets one calls differentiate. Differential operators nest: each has a depth, counted from 1, and what
// it attaches to a number is marked with that depth, so that the derivatives of different operators are not confused.
// An operator of depth d looks through the outermost layer of its operands, those that are of depth d, and computes
// with what is inside, which may have derivatives of lesser depth itself. The word of a Value is always the innermost,
// undifferentiated value.
//
// In reverse mode, each operation appends a node to the tape of its depth: the operands that are on the tape, and the
// partial derivative by each. The return sweep walks the tape from the end.

// dual is a number in forward mode: its value and its derivative in the direction of interest. See Note [Differentiation].
type dual struct {
	depth           int
	primal, tangent Value
}

// tapeVar is a number in reverse mode: its value, and the node of the tape that computed it. See Note [Differentiation].
type tapeVar struct {
	depth  int
	primal Value
	node   int
}

func (*dual) isRef()    {}
func (*tapeVar) isRef() {}

// differentiation is the state of all differential operators that are being evaluated.
type differentiation struct {
	// tapes has an entry for each depth; nil for forward mode.
	tapes []*tape
}

// reset forgets operators that a run-time error has left.
func (d *differentiation) reset(calls int) {
	if calls == 0 {
		d.tapes = nil
	}
}

// tape records operations for the return sweep.
type tape struct{ nodes []tapeNode }

// tapeNode is an operation on the tape.
type tapeNode struct {
	t      prim.Type // of the result
	inputs []tapeInput
	// custom is set for the node in front of the results of types.WithVJP.
	custom *customNode
}

// tapeInput is an operand that is on the tape.
type tapeInput struct {
	node    int
	t       prim.Type // of the operand
	partial Value
	// inverse is set where the operation is a conversion: it takes sensitivities back, in place of the partial
	// derivative.
	inverse *types.ScalarOp
}

// depthOf is the depth of the outermost derivative that v carries; 0 for none.
func depthOf(v Value) int {
	switch r := v.ref.(type) {
	case *dual:
		return r.depth
	case *tapeVar:
		return r.depth
	default:
		return 0
	}
}

// lower is v without what it carries of the given depth.
func lower(v Value, depth int) Value {
	switch r := v.ref.(type) {
	case *dual:
		if r.depth == depth {
			return r.primal
		}
	case *tapeVar:
		if r.depth == depth {
			return r.primal
		}
	default:
	}
	return v
}

// scalar applies an operator to values that may carry derivatives.
func (m *machine) scalar(op types.ScalarOp, args ...Value) Value {
	for _, a := range args {
		if a.ref != nil {
			return m.differentiate(op, args...)
		}
	}
	switch len(args) {
	case 1:
		return Value{word: wordOp1(op)(args[0].word)}
	case 2:
		if op.Kind == types.BinaryOp && prim.BinFailure(op.Bin, op.Type, args[1].word) != nil {
			return Value{}
		}
		return Value{word: wordOp2(op)(args[0].word, args[1].word)}
	default:
		g, _ := prim.FuncWord3(op.Func, op.Type)
		return Value{word: g(args[0].word, args[1].word, args[2].word)}
	}
}

// resultType is the type of what op computes.
func resultType(op types.ScalarOp) prim.Type {
	switch op.Kind {
	case types.ConvertOp:
		return op.To
	case types.CompareOp:
		return prim.Bool
	case types.FuncOp:
		return op.Func.Result(op.Type)
	default:
		return op.Type
	}
}

// differentiate applies an operator to operands of which at least one carries derivatives: see Note [Differentiation].
func (m *machine) differentiate(op types.ScalarOp, args ...Value) Value {
	depth := 0
	for _, a := range args {
		depth = max(depth, depthOf(a))
	}
	inner := make([]Value, len(args))
	for i, a := range args {
		inner[i] = lower(a, depth)
	}
	result := m.scalar(op, inner...)
	t := resultType(op)
	if !isDifferentiable(op) || depth > len(m.ad.tapes) {
		// Of depth: what a derivative by the programmer uses is from an operator that has ended.
		return result
	}
	if tape := m.ad.tapes[depth-1]; tape != nil {
		return m.record(tape, depth, op, args, inner, result)
	}
	tangent := Value{}
	for i, a := range args {
		if d, ok := a.ref.(*dual); ok && d.depth == depth {
			tangent = m.binary(prim.Add, t, tangent, m.forward(op, inner, result, i, d.tangent))
		}
	}
	return Value{word: result.word, ref: &dual{depth, result, tangent}}
}

// forward is what the i-th operand, whose tangent is given, contributes to the tangent of the result.
func (m *machine) forward(op types.ScalarOp, inner []Value, result Value, i int, tangent Value) Value {
	if inverse(op) != nil {
		return m.scalar(op, tangent)
	}
	return m.binary(prim.Mul, resultType(op), m.partial(op, inner, result, i), tangent)
}

// record puts an operation on the tape.
func (m *machine) record(tp *tape, depth int, op types.ScalarOp, args, inner []Value, result Value) Value {
	node := tapeNode{t: resultType(op)}
	for i, a := range args {
		v, ok := a.ref.(*tapeVar)
		if !ok || v.depth != depth {
			continue
		}
		in := tapeInput{node: v.node, t: node.t, inverse: inverse(op)}
		if in.inverse != nil {
			in.t = resultType(*in.inverse)
		} else {
			in.partial = m.partial(op, inner, result, i)
		}
		node.inputs = append(node.inputs, in)
	}
	return tp.add(depth, node, result)
}

// add appends a node whose value is v.
func (tp *tape) add(depth int, node tapeNode, v Value) Value {
	tp.nodes = append(tp.nodes, node)
	return Value{word: v.word, ref: &tapeVar{depth, v, len(tp.nodes) - 1}}
}

// sweep propagates sensitivities from results to operands. Entries are zero values where nothing flows.
func (m *machine) sweep(tp *tape, adjoints []Value) {
	for i := len(tp.nodes) - 1; i >= 0; i-- {
		node := &tp.nodes[i]
		if node.custom != nil {
			node.custom.sweep(m, adjoints, i)
			continue
		}
		if len(node.inputs) == 0 || isZero(adjoints[i], node.t) {
			continue
		}
		for _, in := range node.inputs {
			var s Value
			if in.inverse != nil {
				s = m.scalar(*in.inverse, adjoints[i])
			} else {
				s = m.binary(prim.Mul, node.t, in.partial, adjoints[i])
			}
			adjoints[in.node] = m.binary(prim.Add, in.t, adjoints[in.node], s)
		}
	}
}

// isZero reports whether a sensitivity cannot matter.
func isZero(v Value, t prim.Type) bool { return v.ref == nil && prim.FromWord(t, v.word).IsZero() }

// inverse is the conversion back, if op is a conversion: derivatives are converted as the numbers themselves are.
func inverse(op types.ScalarOp) *types.ScalarOp {
	switch {
	case op.Kind == types.ConvertOp:
		return &types.ScalarOp{Kind: types.ConvertOp, Type: op.To, To: op.Type}
	case op.Kind == types.FuncOp && op.Func == prim.ToBits:
		return &types.ScalarOp{Kind: types.FuncOp, Type: op.Type, Func: prim.FromBits}
	case op.Kind == types.FuncOp && op.Func == prim.FromBits:
		return &types.ScalarOp{Kind: types.FuncOp, Type: op.Type, Func: prim.ToBits}
	default:
		return nil
	}
}

// binary applies an operator. Of truth values, the sum is `or` and the product is `and`.
func (m *machine) binary(op prim.BinOp, t prim.Type, x, y Value) Value {
	if t == prim.Bool {
		op = map[prim.BinOp]prim.BinOp{prim.Add: prim.LogOr, prim.Mul: prim.LogAnd}[op]
	}
	return m.scalar(types.ScalarOp{Kind: types.BinaryOp, Type: t, Bin: op}, x, y)
}

// enter begins a differential operator and returns its depth.
func (m *machine) enter(tp *tape) int {
	m.ad.tapes = append(m.ad.tapes, tp)
	return len(m.ad.tapes)
}

func (m *machine) leave() { m.ad.tapes = m.ad.tapes[:len(m.ad.tapes)-1] }

// jvp is forward mode: f, x, and the direction. It returns the value and the derivative.
func (m *machine) jvp(o operands) Value {
	y, dy := m.forwardMode(o, o.args[2])
	return tuple(y, dy)
}

func (m *machine) forwardMode(o operands, direction Value) (y, dy Value) {
	depth := m.enter(nil)
	x := mapNumbers(o.elem(0), o.args[1], &direction, func(_ prim.Type, v, d Value) Value {
		return Value{word: v.word, ref: &dual{depth, v, d}}
	})
	result := m.call(o.args[0], o.site.at, x)
	m.leave()
	y = m.strip(o.elem(1), result, depth)
	dy = mapNumbers(o.elem(1), result, nil, func(_ prim.Type, v, _ Value) Value {
		if d, ok := v.ref.(*dual); ok && d.depth == depth {
			return d.tangent
		}
		return Value{}
	})
	return y, dy
}

// strip removes the derivatives of one depth from all numbers of a value.
func (m *machine) strip(t *rtype, v Value, depth int) Value {
	return mapNumbers(t, v, nil, func(_ prim.Type, v, _ Value) Value { return lower(v, depth) })
}

// recording is a function's evaluation in reverse mode.
type recording struct {
	tape   *tape
	depth  int
	x      Value // the argument, as it was
	xType  *rtype
	y      Value // the result, with its places on the tape
	yType  *rtype
	result Value // the result without them
}

// reverseMode evaluates f x and records it.
func (m *machine) reverseMode(o operands) *recording {
	r := &recording{tape: &tape{}, x: o.args[1], xType: o.elem(0), yType: o.elem(1)}
	r.depth = m.enter(r.tape)
	x := mapNumbers(r.xType, r.x, nil, func(t prim.Type, v, _ Value) Value {
		return r.tape.add(r.depth, tapeNode{t: t}, v)
	})
	r.y = m.call(o.args[0], o.site.at, x)
	m.leave()
	r.result = m.strip(r.yType, r.y, r.depth)
	return r
}

// back computes the sensitivity of the argument from that of the result.
func (m *machine) back(r *recording, dy Value) Value {
	adjoints := make([]Value, len(r.tape.nodes))
	mapNumbers(r.yType, r.y, &dy, func(t prim.Type, v, s Value) Value {
		if tv, ok := v.ref.(*tapeVar); ok && tv.depth == r.depth {
			adjoints[tv.node] = m.binary(prim.Add, t, adjoints[tv.node], s)
		}
		return v
	})
	m.sweep(r.tape, adjoints)
	next := 0 // the numbers of the argument come first on the tape
	return mapNumbers(r.xType, r.x, nil, func(prim.Type, Value, Value) Value {
		next++
		return adjoints[next-1]
	})
}

// vjp is reverse mode: f, x, and the sensitivity to the result. It returns the value and the sensitivity to x.
func (m *machine) vjp(o operands) Value {
	r := m.reverseMode(o)
	return tuple(r.result, m.back(r, o.args[2]))
}

// jmp is jvp for each of several directions.
func (m *machine) jmp(o operands) Value {
	y := m.call(o.args[0], o.site.at, o.args[1])
	directions := o.array(2)
	out := newArrayOf(directions.len(), o.elem(1), y)
	for i := range directions.len() {
		_, dy := m.forwardMode(o, directions.at(i))
		m.store(out, i, dy, o.site)
	}
	return tuple(y, Value{ref: out})
}

// mjp is vjp for each of several sensitivities.
func (m *machine) mjp(o operands) Value {
	r := m.reverseMode(o)
	seeds := o.array(2)
	out := newArrayOf(seeds.len(), o.elem(0), o.args[1])
	for i := range seeds.len() {
		m.store(out, i, m.back(r, seeds.at(i)), o.site)
	}
	return tuple(r.result, Value{ref: out})
}

// customNode is what types.WithVJP leaves on the tape. The results' nodes follow it.
type customNode struct {
	derivative   Value // of the result and its sensitivity
	y            Value
	xType, yType *rtype
	xNodes       []int // the tape's nodes of the argument's numbers; -1 for constants
	at           operands
}

// withVJP is `f x`; where x is under differentiation in reverse mode, it has the derivative given.
func (m *machine) withVJP(o operands) Value {
	x := o.args[2]
	depth := 0
	mapNumbers(o.elem(0), x, nil, func(_ prim.Type, v, _ Value) Value { depth = max(depth, depthOf(v)); return v })
	if depth == 0 || m.ad.tapes[depth-1] == nil {
		return m.call(o.args[0], o.site.at, x)
	}
	tp := m.ad.tapes[depth-1]
	node := &customNode{derivative: o.args[1], xType: o.elem(0), yType: o.elem(1), at: o}
	inner := mapNumbers(o.elem(0), x, nil, func(_ prim.Type, v, _ Value) Value {
		place := -1
		if tv, ok := v.ref.(*tapeVar); ok && tv.depth == depth {
			place = tv.node
		}
		node.xNodes = append(node.xNodes, place)
		return lower(v, depth)
	})
	lowered := operands{o.types, slices.Clone(o.args), o.site}
	lowered.args[2] = inner
	node.y = m.strip(o.elem(1), m.withVJP(lowered), depth)
	tp.nodes = append(tp.nodes, tapeNode{custom: node})
	return mapNumbers(o.elem(1), node.y, nil, func(t prim.Type, v, _ Value) Value {
		return tp.add(depth, tapeNode{t: t}, v)
	})
}

// sweep passes the sensitivities of the results, which stand on the tape behind the node, on to the argument.
func (c *customNode) sweep(m *machine, adjoints []Value, at int) {
	next := at
	dy := mapNumbers(c.yType, c.y, nil, func(prim.Type, Value, Value) Value {
		next++
		return adjoints[next]
	})
	dx := m.call(c.derivative, c.at.site.at, c.y, dy)
	i := 0
	mapNumbers(c.xType, dx, nil, func(t prim.Type, s, _ Value) Value {
		if place := c.xNodes[i]; place >= 0 {
			adjoints[place] = m.binary(prim.Add, t, adjoints[place], s)
		}
		i++
		return s
	})
}

// mapNumbers makes a copy of v, of type t, in which f has been applied to every number. If w is not nil, it is a value
// of the same structure whose numbers are f's second operand.
func mapNumbers(t *rtype, v Value, w *Value, f func(t prim.Type, v, w Value) Value) Value {
	switch t.kind {
	case primType:
		if w != nil {
			return f(t.prim, v, *w)
		}
		return f(t.prim, v, Value{})
	case recordType:
		var other *record
		if w != nil {
			other = w.record()
		}
		fields := make([]Value, len(t.fields))
		for i, field := range t.fields {
			var x *Value
			if other != nil {
				x = &other.fields[i]
			}
			fields[i] = mapNumbers(field, v.record().fields[i], x, f)
		}
		return Value{ref: &record{fields}}
	case arrayType:
		var other *array
		if w != nil {
			other = w.array()
		}
		return Value{ref: mapArrayNumbers(t, v.array(), other, f)}
	case sumType:
		return mapSumNumbers(t, v.ref.(*sum), w, f)
	default:
		return v
	}
}

func mapSumNumbers(t *rtype, u *sum, w *Value, f func(t prim.Type, v, w Value) Value) Value {
	args := make([]Value, len(u.args))
	for i, arg := range t.ctors[u.ctor] {
		var x *Value
		if w != nil {
			if other := w.ref.(*sum); other.ctor == u.ctor {
				x = &other.args[i]
			}
		}
		args[i] = mapNumbers(arg, u.args[i], x, f)
	}
	return Value{ref: &sum{u.ctor, args}}
}

func mapArrayNumbers(t *rtype, a, w *array, f func(t prim.Type, v, w Value) Value) *array {
	for t.kind == arrayType {
		t = t.elem
	}
	out := a.fresh(nil, 0)
	if a.buf == nil {
		for i, field := range a.fields {
			var x *array
			if w != nil {
				x = w.fields[i]
			}
			out.fields[i] = mapArrayNumbers(t.fields[i], field, x, f)
		}
		return out
	}
	for i := range product(a.shape) {
		var x *Value
		if w != nil {
			y := w.buf.get(w.off + i)
			x = &y
		}
		out.buf.put(i, mapNumbers(t, a.buf.get(a.off+i), x, f))
	}
	return out
}
