package flatten

import (
	"slices"

	"skald/middle/core"
)

// closedHist is a histogram whose operators have been made the same at all points (Note [Operators of points]), but for its destinations.
type closedHist struct {
	ops []*pointOperator
	res []core.Operand // what points return: indices, then values
	ret []core.Type
}

// width is how many values points return.
func (c *closedHist) width() int {
	w := 0
	for _, p := range c.ops {
		w += len(p.closed.Neutral)
	}
	return w
}

// closeHist makes the operators of a histogram inside n the same at all points.
func (f *flattener) closeHist(n *nest, e *core.Hist) (c *closedHist, ok bool) {
	at := 0
	for _, op := range e.Ops {
		at += len(op.Shape)
	}
	c = &closedHist{res: slices.Clip(e.Bucket.Body.Res[:at]), ret: slices.Clip(e.Bucket.Ret[:at])}
	values := e.Bucket.Body.Res[at:]
	for _, op := range e.Ops {
		p, ok := f.closeOperator(n, core.Operator{Lambda: op.Lambda, Neutral: op.Neutral})
		if !ok {
			return nil, false
		}
		k := len(op.Dests)
		c.ops = append(c.ops, p)
		c.res, c.ret = append(c.res, p.packed(values[:k])...), append(c.ret, p.closed.Lambda.Ret...)
		values = values[k:]
	}
	return c, true
}

// marks are arrays of what elements have beside their values, at all points of n, and in all elements of a shape there.
func (f *flattener) marks(n *nest, shape []core.Operand, p *pointOperator) []core.Var {
	if !p.flagged {
		return nil
	}
	sizes := slices.Concat(n.sizes, shape)
	for _, size := range shape {
		n = n.extend(f.Param("i", core.I64).Var, size)
	}
	marks := append([]core.Operand{core.Bool(true)}, core.Vars(p.captured)...)
	outs := make([]core.Param, len(marks))
	for i, t := range p.closed.Lambda.Ret[:len(marks)] {
		outs[i] = f.Param("mark", core.ArrayOf(t, sizes...))
	}
	f.segMap(n, nil, marks, outs)
	return core.ParamVars(outs)
}

// operatorOf is the operator of a segmented histogram with destinations for all points.
func (f *flattener) operatorOf(p *pointOperator, r *core.Renamer, shape []core.Operand, dests []core.Var) core.HistOp {
	l := r.Lambda(f.sequentialLambda(p.closed.Lambda))
	f.Scope.BindLambda(l)
	f.checkPlaceable(l)
	return core.HistOp{Shape: shape, Dests: dests, Neutral: p.closed.Neutral, Lambda: l}
}

// hist makes a segmented histogram. Inside a nest the destinations become arrays of their own over the nest.
func (f *flattener) hist(n *nest, e *core.Hist, outs []core.Param) {
	c, ok := f.closeHist(n, e)
	if !ok {
		f.byPoints(n, e, outs)
		return
	}
	var dests []core.Var
	for _, op := range e.Ops {
		dests = append(dests, op.Dests...)
	}
	if n.depth() > 0 {
		dests = f.consumed(n, dests)
	}
	marks := make([][]core.Var, len(e.Ops))
	for i, p := range c.ops {
		marks[i] = f.marks(n, e.Ops[i].Shape, p)
	}
	m := f.level(n, e.Size, e.Bucket.Params, e.Arrays)
	sp, body, r := f.kernel(m, e.Bucket.Body.Stms, c.res)
	ops := make([]core.HistOp, len(e.Ops))
	var all []core.Param
	for i, op := range e.Ops {
		k := len(op.Dests)
		ops[i] = f.operatorOf(c.ops[i], r, op.Shape, slices.Concat(marks[i], dests[:k]))
		all = append(append(all, f.likeAll(marks[i])...), outs[:k]...)
		dests, outs = dests[k:], outs[k:]
	}
	f.Bind(all, &core.SegHist{Level: f.kernelLevel(), Space: sp, Ops: ops, Body: body, Ret: c.ret})
}

// likeAll are variables of the types of others.
func (f *flattener) likeAll(vs []core.Var) []core.Param {
	out := make([]core.Param, len(vs))
	for i, v := range vs {
		out[i] = f.Param(f.Fun.Base(v), f.TypeOf(core.V(v)))
	}
	return out
}
