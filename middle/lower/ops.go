package lower

import (
	"math/bits"

	"skald/middle/core"
	"skald/middle/imp"
)

// operators are the operators of a reduction or scan, taken as one that
// combines all their values together.
type operators struct {
	ops         []core.Operator
	types       []imp.Type
	commutative bool
	looped      bool // the steps that join values are a loop
}

func (c *hostBuilder) operators(ops []core.Operator) operators {
	out := operators{ops: ops, commutative: true}
	for _, op := range ops {
		out.commutative = out.commutative && op.Commutes()
		for _, t := range op.Lambda.Ret {
			if !t.IsScalar() {
				c.l.limit(c.where, "a reduction or scan with an operator on arrays")
			}
			out.types = append(out.types, imp.Of(t.Elem))
		}
	}
	return out
}

// neutral are the neutral elements of all operators.
func (c *kernelBuilder) neutral(o operators) []value {
	var out []value
	for _, op := range o.ops {
		for _, n := range op.Neutral {
			out = append(out, c.operand(n))
		}
	}
	return out
}

// combine applies the operators to the values of two elements, left first.
func (c *kernelBuilder) combine(o operators, left, right []imp.Exp) []imp.Exp {
	var out []imp.Exp
	for _, op := range o.ops {
		n := len(op.Neutral)
		out = append(out, c.apply(op.Lambda, append(append([]imp.Exp{}, left[:n]...), right[:n]...))...)
		left, right = left[n:], right[n:]
	}
	return out
}

// apply generates the body of a lambda on scalars and returns its results, in the
// representation of their source types.
func (c *kernelBuilder) apply(l *core.Lambda, args []imp.Exp) []imp.Exp {
	for i, p := range l.Params {
		c.vals[p.Var] = unknown(args[i], imp.Of(p.Type.Elem))
	}
	return exps(c.body(l.Body))
}

// exps are values in the representation of their source types.
func exps(vals []value) []imp.Exp {
	out := make([]imp.Exp, len(vals))
	for i, v := range vals {
		out[i] = asPrim(v)
	}
	return out
}

// accs declares a variable for each value.
func (c *kernelBuilder) accVars(name string, types []imp.Type, vals []imp.Exp) []imp.Var {
	vs := make([]imp.Var, len(types))
	for i, t := range types {
		vs[i] = c.letVar(name, t, vals[i])
	}
	return vs
}

func uses(vs []imp.Var) []imp.Exp {
	out := make([]imp.Exp, len(vs))
	for i, v := range vs {
		out[i] = use(v)
	}
	return out
}

// setAll sets variables to expressions that may mention them.
func (c *kernelBuilder) setAll(vs []imp.Var, es []imp.Exp) {
	if len(vs) > 1 {
		es = append([]imp.Exp{}, es...)
		for i, e := range es {
			if !isConst(e) {
				es[i] = use(c.letVar("next", c.scope().TypeOf(e), e))
			}
		}
	}
	for i, v := range vs {
		c.set(v, es[i])
	}
}

// sharedArrays declares an array of workgroup memory for each type.
func (c *kernelBuilder) sharedArrays(types []imp.Type, count int) []imp.Mem {
	ms := make([]imp.Mem, len(types))
	for i, t := range types {
		ms[i] = c.shared("part", t, count)
	}
	return ms
}

// privateArrays declares an array for each type, of which each thread has its own.
func (c *kernelBuilder) privateArrays(name string, types []imp.Type, count int) []imp.Mem {
	ms := make([]imp.Mem, len(types))
	for i, t := range types {
		ms[i] = c.private(name, t.Prim(), count)
	}
	return ms
}

// loads reads element at of each array.
func (c *kernelBuilder) loads(ms []imp.Mem, at imp.Exp) []imp.Exp {
	out := make([]imp.Exp, len(ms))
	for i, m := range ms {
		out[i] = c.load("x", m, at).exp
	}
	return out
}

func (c *kernelBuilder) stores(ms []imp.Mem, at imp.Exp, xs []imp.Exp) {
	for i, m := range ms {
		c.store(m, at, xs[i])
	}
}

// treeReduce combines element 0 to n-1 of shared arrays, n a power of two, into
// element 0. All threads of the workgroup arrive; a barrier comes first. An
// operator that does not commute combines neighbours. The code of a large operator is
// in a loop over the steps.
func (c *kernelBuilder) treeReduce(o operators, ms []imp.Mem, n int) {
	one := func(pairs, apart imp.Exp) {
		c.emit(&imp.Barrier{})
		lid := id(imp.LocalID)
		at, with := mul(imp.Idx, lid, mul(imp.Idx, apart, idx(2))), apart
		if o.commutative {
			at, with = lid, pairs
		}
		c.ifThen(less(imp.Idx, lid, pairs), func() {
			at := c.let("at", imp.Idx, at)
			left := c.loads(ms, at)
			right := c.loads(ms, add(imp.Idx, at, with))
			c.stores(ms, at, c.combine(o, left, right))
		})
	}
	if o.looped {
		pairs := c.letVar("pairs", imp.Idx, idx(int64(n/2)))
		c.steps(n, func(step imp.Exp) {
			one(use(pairs), step)
			c.set(pairs, quot(imp.Idx, use(pairs), idx(2)))
		})
	} else {
		for step := 1; step < n; step *= 2 {
			one(idx(int64(n/(2*step))), idx(int64(step)))
		}
	}
	c.emit(&imp.Barrier{})
}

// steps is a loop over the powers of two below n.
func (c *kernelBuilder) steps(n int, f func(step imp.Exp)) {
	step := c.letVar("step", imp.Idx, idx(1))
	c.forLoop("level", idx(int64(bits.Len(uint(n))-1)), func(imp.Exp) {
		f(use(step))
		c.set(step, mul(imp.Idx, use(step), idx(2)))
	})
}
