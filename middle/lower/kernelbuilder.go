package lower

import (
	"fmt"

	"skald/middle/core"
	"skald/middle/imp"
	"skald/runtime/prim"
)

// kernelBuilder generates the code of one kernel, or of a device function that kernels call.
type kernelBuilder struct {
	code
	k        *imp.Kernel
	host     *hostBuilder // the host code that launches the kernel; nil in a device function
	launch   *imp.Launch  // its arguments grow with what the code needs; nil in a device function
	mems     map[core.Var]imp.Mem
	ids      []core.Var // of the space that the kernel runs over
	prologue []imp.Stm  // what the kernel starts with
	// sequential says that loops over points are not to be vectorised.
	sequential bool
	// group is, in the kernel of a workgroup, what is known of it; together says that all of its threads run the code here.
	group    *group
	together bool
	// combines says that threads may combine what reductions have left at the start; combined is what they do of it, to these values.
	combines bool
	combined []*leftovers
	values   [][]imp.Var
	// needs are how much launches need of tables.
	needs []tableNeed
	// While a body is repeated over a vector: the elements of this lane.
	vector vector
	loaded map[core.Var]value
}

// newKernelBuilder makes the builder of a kernel that may come from about so many statements of core IR, zero if that is not known.
func newKernelBuilder(l *lowerer, k *imp.Kernel, stms int) *kernelBuilder {
	c := &kernelBuilder{
		code: code{l: l, out: &k.Body, vals: make(map[core.Var]value, stms)},
		k:    k, mems: map[core.Var]imp.Mem{},
	}
	c.level = c
	return c
}

func (c *kernelBuilder) integer() imp.Type { return imp.Idx }

func (c *kernelBuilder) fresh(name string, t imp.Type) imp.Var { return c.k.Fresh(name, t) }

func (c *kernelBuilder) scope() imp.Scope { return c.k.Scope() }

func (c *kernelBuilder) placed(mem core.Var, at imp.Exp) imp.Exp {
	g := c.group
	switch {
	case g == nil:
		return at
	case g.held[mem] != anyhow:
		return g.slot
	}
	if every := g.padded[mem]; every > 0 {
		at = padded(c.let("at", imp.Idx, at), every)
	}
	return from(g.at[mem], at)
}

func (c *kernelBuilder) bound(v imp.Var, e imp.Exp) {
	if c.together && c.uniform(e) {
		c.group.uniform[v] = true
	}
}

// own generates statements that all threads of a workgroup run together.
func (c *kernelBuilder) own(s *core.Stm) bool {
	if c.together {
		c.groupStm(s)
	}
	return c.together
}

// variable is the value of a scalar variable. One that is bound outside becomes a parameter.
func (c *kernelBuilder) variable(v core.Var) value {
	if val, ok := c.vals[v]; ok {
		return val
	}
	if c.host == nil {
		panic(fmt.Sprintf("lower: %s_%d has no value", c.l.fun.Base(v), v))
	}
	if c.together && c.group.over != nil && c.group.over.dst == v { // a result of the body
		c.takeOver()
		return c.vals[v]
	}
	if p, ok := c.host.pending[v]; ok && c.host.vals[v].exp == nil {
		c.vals[v] = c.takePending(v, p)
		return c.vals[v]
	}
	if r, ok := c.host.recomputed[v]; ok && c.host.vals[v].exp == nil {
		return c.recompute(v, r)
	}
	outer := c.host.variable(v)
	if _, ok := outer.exp.(*imp.Const); ok {
		c.vals[v] = outer
		return outer
	}
	if e := c.l.narrowSum(v); e != nil && c.narrows() {
		c.vals[v] = c.sum(v, e)
		return c.vals[v]
	}
	val := c.param(c.l.fun.Base(v), outer, c.l.sizes[v])
	c.vals[v] = val
	return val
}

// narrowSum is the sum or difference of sizes and constants that a variable is which is no size itself; nil if it is none.
func (l *lowerer) narrowSum(v core.Var) *core.Bin {
	e := l.sums[v]
	narrow := func(o core.Operand) bool {
		n, ok := o.ConstInt()
		return l.sizes[o.Var] || ok && -maxSize < n && n < maxSize
	}
	if e == nil || l.sizes[v] || !narrow(e.X) || !narrow(e.Y) {
		return nil
	}
	return e
}

// sum computes a sum of sizes at the start of a kernel, where it is known to be narrow, which a parameter is not.
func (c *kernelBuilder) sum(v core.Var, e *core.Bin) value {
	val := c.bin(e.Op, c.operand(e.X), c.operand(e.Y))
	x := c.fresh(c.l.fun.Base(v), val.typ)
	c.prologue = append(c.prologue, &imp.Let{Var: x, Exp: val.exp})
	if c.group != nil {
		c.group.uniform[x] = true
	}
	val.exp = use(x)
	return val
}

// tune is the value of a tuning parameter, which the host hands over.
func (c *kernelBuilder) tune(e *core.Tune) value { return c.param(e.Name, c.host.tune(e), asScalar) }

// takePending computes a pending scalar at the start of a kernel.
func (c *kernelBuilder) takePending(v core.Var, p pending) value {
	if p.left == nil {
		return c.loadPending(v, p)
	}
	if !c.combines {
		c.host.launchLast(p.left)
		return c.loadPending(v, p)
	}
	return unknown(use(c.combineLeft(p.left)[p.nth]), imp.Of(c.l.typeOf(v).Elem))
}

// loadPending reads a pending scalar at the start of a kernel.
func (c *kernelBuilder) loadPending(v core.Var, p pending) value {
	p.readByKernel()
	elem, name := c.l.typeOf(v).Elem, c.l.fun.Base(v)
	x := c.fresh(name, imp.Of(elem))
	c.prologue = append(c.prologue, &imp.Let{Var: x, Exp: &imp.Load{Mem: c.global(name, elem, p.block), Index: idx(0)}})
	return unknown(use(x), imp.Of(elem))
}

// Arguments of param.
const (
	asSize   = true
	asScalar = false
)

// param makes a parameter of a kernel for a value of its host. One that is a
// size is narrow, which the launch checks.
func (c *kernelBuilder) param(name string, outer value, size bool) value {
	t, arg := outer.typ, outer.exp
	val := unknown(nil, t)
	if t == imp.I64 && size {
		c.launch.Fits = append(c.launch.Fits, arg)
		t, arg = imp.Idx, &imp.Conv{From: imp.I64, To: imp.Idx, X: arg}
		val = value{typ: imp.Idx, lo: 0, hi: maxSize - 1}
	}
	p := c.k.Fresh(name, t)
	c.k.Params = append(c.k.Params, p)
	c.launch.Args = append(c.launch.Args, arg)
	val.exp = use(p)
	return val
}

// hostParam makes a narrow parameter of an i64 expression of host code.
func (c *kernelBuilder) hostParam(name string, e imp.Exp) imp.Exp {
	if n, ok := intConst(e); ok {
		return idx(n)
	}
	return c.param(name, unknown(e, imp.I64), asSize).exp
}

// mem is the kernel's array for a block of memory that its host knows.
func (c *kernelBuilder) mem(v core.Var) imp.Mem {
	if m, ok := c.mems[v]; ok {
		return m
	}
	if c.host == nil {
		panic(fmt.Sprintf("lower: %s_%d is no block here", c.l.fun.Base(v), v))
	}
	m := c.global(c.l.memName(v), c.l.typeOf(v).Elem, c.host.block(v))
	c.mems[v] = m
	return m
}

// global adds a global array to the kernel.
func (c *kernelBuilder) global(name string, elem prim.Type, block imp.Var) imp.Mem {
	c.k.Mems = append(c.k.Mems, imp.MemDecl{Name: name, Elem: elem})
	c.launch.Blocks = append(c.launch.Blocks, block)
	return imp.Mem(len(c.k.Mems) - 1)
}

// load reads an element of a kernel's array into a variable.
func (c *kernelBuilder) load(name string, m imp.Mem, at imp.Exp) value {
	t := imp.Of(c.k.Mems[m].Elem)
	return unknown(c.let(name, t, &imp.Load{Mem: m, Index: at}), t)
}

func (c *kernelBuilder) store(m imp.Mem, at, x imp.Exp) {
	c.written(m)
	c.emit(&imp.Store{Mem: m, Index: at, Value: x})
}

// storeOwn stores an element that shares its word with none that another thread writes.
func (c *kernelBuilder) storeOwn(m imp.Mem, at, x imp.Exp) {
	c.written(m)
	c.emit(&imp.Store{Mem: m, Index: at, Value: x, Own: true})
}

// written notes that the kernel writes an array.
func (c *kernelBuilder) written(m imp.Mem) {
	if c.k.Mems[m].Access == imp.Read {
		c.k.Mems[m].Access = imp.Write
	}
}

func (c *kernelBuilder) renameScalar(dst core.Param, x core.Operand) { c.vals[dst.Var] = c.operand(x) }

func (c *kernelBuilder) rename(dst, src core.Var) { c.mems[dst] = c.mem(src) }

// joinBlock declares nothing: all alternatives must give one block.
func (c *kernelBuilder) joinBlock(core.Var) imp.Var { return 0 }

func (c *kernelBuilder) setJoinedBlock(j joined, res core.Var) { c.sameMem(j.param.Var, res) }

func (c *kernelBuilder) loopBlock(p, init core.Var) imp.Var {
	c.mems[p] = c.mem(init)
	return 0
}

// nextBlock sets nothing: arrays that lie in another block are copied.
func (c *kernelBuilder) nextBlock(js []joined, i int, b *core.Body) imp.Exp {
	if p := js[i].param.Var; c.mem(b.Res[i].Var) != c.mems[p] {
		c.carryArrays(js, b, p, b.Res[i].Var)
	}
	return nil
}

func (c *kernelBuilder) leaveLoop(dst core.Var, j joined) { c.mems[dst] = c.mems[j.param.Var] }

// sameMem makes a block that a branch in a kernel returns a name of the one block
// that all alternatives give.
func (c *kernelBuilder) sameMem(dst, res core.Var) {
	m := c.mem(res)
	if old, ok := c.mems[dst]; ok && old != m {
		c.l.limit(c.where, "the branches of an if inside a kernel give arrays in different memory")
	}
	c.mems[dst] = m
}

// carryArrays copies the arrays that a loop's body leaves in block from into
// the block of the loop's parameter to, which a kernel cannot exchange.
func (c *kernelBuilder) carryArrays(js []joined, b *core.Body, to, from core.Var) {
	for i, j := range js {
		if t := j.param.Type; t.IsArray() && t.Layout.Mem == to {
			res := c.l.typeOf(b.Res[i].Var)
			if res.Layout.Mem == from {
				c.copyArray(t, res)
			}
		}
	}
}

// seg is a limit: segmented operations are launches, which only host code has.
func (c *kernelBuilder) seg(_ *core.Stm, e core.Seg) { c.l.limit(c.where, "%T inside a kernel", e) }
