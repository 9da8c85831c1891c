package lower

import (
	"skald/middle/choose"
	"skald/middle/core"
	"skald/middle/imp"
	"skald/runtime/prim"
)

// atomicOps maps operators to atomic operations: see Note [Updates of shared elements] of package choose.
var atomicOps = map[prim.BinOp]imp.AtomicOp{
	prim.Add: imp.AtomicAdd, prim.Min: imp.AtomicMin, prim.Max: imp.AtomicMax,
	prim.And: imp.AtomicAnd, prim.Or: imp.AtomicOr, prim.Xor: imp.AtomicXor,
}

// updateAt combines x into an element of a kernel's array, atomically.
func (c *kernelBuilder) updateAt(f *core.Lambda, m imp.Mem, at, x imp.Exp) {
	if c.k.Mems[m].Space == imp.Global {
		c.k.Mems[m].Access = imp.AtomicAccess
	}
	if op, ok := c.l.device.Hardware(f); ok {
		c.emit(&imp.Atomic{Op: atomicOps[op], Mem: m, Index: at, Value: x})
		return
	}
	t := f.Ret[0].Elem
	at, x = c.let("at", imp.Idx, at), c.let("x", imp.Of(t), x)
	s := &imp.AtomicUpdate{Old: c.fresh("old", imp.Of(t)), Mem: m, Index: at}
	s.Body = c.within(func() { s.New = c.apply(f, []imp.Exp{use(s.Old), x})[0] })
	c.emit(s)
}

// inBounds says that indices lie within a shape: as i64 where they are.
func (c *kernelBuilder) inBounds(is []value, shape []core.Operand) imp.Exp {
	var cond imp.Exp
	for d, i := range is {
		n := c.operand(shape[d])
		t := imp.I64
		x, y := asPrim(i), asPrim(n)
		if fits32(i.lo, i.hi) && fits32(n.lo, n.hi) {
			t, x, y = imp.Idx, c.asIndex(i), c.asIndex(n)
		}
		below := less(t, x, y)
		if i.lo < 0 {
			nonneg := lessEq(t, &imp.Const{Type: t, Value: prim.MakeI64(0)}, x)
			if t == imp.I64 {
				// One unsigned comparison does for both.
				u := imp.Of(prim.U64)
				below = less(u, convertTo(x, imp.I64, u), convertTo(y, imp.I64, u))
			} else {
				below = and(nonneg, below)
			}
		}
		if cond == nil {
			cond = below
		} else {
			cond = and(cond, below)
		}
	}
	if cond == nil {
		return &imp.Const{Type: imp.Bool, Value: prim.MakeBool(true)}
	}
	return cond
}

func convertTo(e imp.Exp, from, to imp.Type) imp.Exp { return &imp.Conv{From: from, To: to, X: e} }

// accumulator is what an accumulator variable of a WithAcc updates.
type accumulator struct {
	input core.AccInput
	types []core.Type // of its arrays
	owner owner
}

// owner says who updates the arrays of an accumulator.
type owner int

const (
	allThreads  owner = iota
	threadAlone       // arrays that a thread of a kernel has to itself
)

func (c *hostBuilder) withAcc(s *core.Stm, e *core.WithAcc) { c.accumulate(s, e, allThreads) }

// withAcc updates arrays of the thread, or of the workgroup whose threads run together here.
func (c *kernelBuilder) withAcc(s *core.Stm, e *core.WithAcc) {
	if c.together {
		c.accumulate(s, e, allThreads)
		return
	}
	c.accumulate(s, e, threadAlone)
}

// accumulate generates the lambda, whose updates go to the arrays in place.
func (c *code) accumulate(s *core.Stm, e *core.WithAcc, who owner) {
	for i, in := range e.Inputs {
		a := &accumulator{input: in, owner: who}
		for _, v := range in.Arrays {
			a.types = append(a.types, c.l.typeOf(v))
		}
		c.l.accs[e.Lambda.Params[i].Var] = a
	}
	c.stms(e.Lambda.Body.Stms)
	// Results: mems and arrays of the inputs share the inputs' memory.
	skip := len(s.Dst) - (len(e.Lambda.Body.Res) - len(e.Inputs))
	for i, d := range s.Dst {
		if i < skip || d.Type.Kind == core.KindAcc {
			continue
		}
		r := e.Lambda.Body.Res[i-skip+len(e.Inputs)]
		switch d.Type.Kind {
		case core.KindScalar:
			c.renameScalar(d, r)
		case core.KindMem:
			c.rename(d.Var, r.Var)
		default:
		}
	}
}

// accumulator is what an accumulator variable of a type updates.
func (l *lowerer) accumulator(t core.Type, v core.Var) *accumulator {
	if a := l.accs[t.Acc]; a != nil {
		return a
	}
	return l.accs[v]
}

// atomicParts are the operators that update the elements of each of an accumulator's arrays atomically; nil if there are none.
func (l *lowerer) atomicParts(a *accumulator) []*core.Lambda {
	parts := choose.Apart(a.input.Op)
	for k, part := range parts {
		if !l.atomicOn(part, a.types[k]) {
			return nil
		}
	}
	return parts
}

// updateAcc generates one update; an index outside the shape does nothing.
func (c *kernelBuilder) updateAcc(e *core.UpdateAcc) {
	a := c.l.accumulator(c.l.typeOf(e.Acc), e.Acc)
	is := make([]value, len(e.Index))
	for d, o := range e.Index {
		is[d] = c.operand(o)
	}
	c.ifThen(c.inBounds(is, a.input.Shape), func() {
		at := make([]imp.Exp, len(is))
		for d, i := range is {
			at[d] = c.let("i", c.integer(), c.asIndex(i))
		}
		if a.input.Op == nil {
			for k, t := range a.types {
				c.keepOne(t, e.Values[k], at)
			}
			return
		}
		var parts []*core.Lambda
		if a.owner == allThreads && !c.l.ownElements(e) {
			parts = c.l.atomicParts(a)
		}
		for k, part := range parts {
			l := a.types[k].Layout
			c.updateAt(part, c.mem(l.Mem), c.place(l, at), asPrim(c.operand(e.Values[k])))
		}
		if parts == nil {
			c.updatePlain(a, at, e.Values)
		}
	})
}

// ownElements reports whether the points of the map here update different elements of an accumulator.
func (l *lowerer) ownElements(e *core.UpdateAcc) bool {
	return l.mapped != nil && choose.OwnElements(l.mapped, l.typeOf(e.Acc).Acc)
}

// updatePlain combines values into elements that no other thread touches.
func (c *kernelBuilder) updatePlain(a *accumulator, at []imp.Exp, values []core.Operand) {
	var args []imp.Exp
	for _, t := range a.types {
		args = append(args, c.load("old", c.mem(t.Layout.Mem), c.place(t.Layout, at)).exp)
	}
	for _, v := range values {
		args = append(args, asPrim(c.operand(v)))
	}
	for k, x := range c.apply(a.input.Op, args) {
		c.store(c.mem(a.types[k].Layout.Mem), c.place(a.types[k].Layout, at), x)
	}
}
