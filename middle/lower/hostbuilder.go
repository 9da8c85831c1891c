package lower

import (
	"fmt"

	"skald/middle/core"
	"skald/middle/imp"
	"skald/runtime/prim"
)

// hostBuilder generates the code of one host function.
type hostBuilder struct {
	code
	fn     *imp.Fun
	blocks map[core.Var]imp.Var
	// pending are the scalars that are still on the device.
	pending map[core.Var]pending
	// results are the allocations of blocks for scalars that kernels leave.
	results map[imp.Var]*imp.Alloc
	// recomputed are those that nobody has computed yet, as each reader does.
	recomputed map[core.Var]recomputed
	// taken is, in code that may give way to another version, the variable that says whether it does not: see ifVersions.
	taken imp.Var
	// products are the variables that are bound to products of sizes.
	products map[imp.Var]*imp.Bin
	// fills are the maps that make destinations of histograms, which these generate; delayed are the same by themselves.
	fills   map[*core.SegHist][]*core.Stm
	delayed map[*core.Stm]bool
	// once are kernels by their texts: those that are made now and have the text of another are that one. Nil where all kernels are new.
	once map[string]string
	// making is what a kernel is for that is made now.
	making making
}

// making is what a kernel is for: a map or not, and the map itself if its kernel may be generated beside host code.
type making struct {
	mapping bool
	beside  *core.Stm
}

// makingFor calls generate, which makes kernels for m.
func (c *hostBuilder) makingFor(m making, generate func()) {
	outer := c.making
	c.making = m
	generate()
	c.making = outer
}

func newHostBuilder(l *lowerer, fn *imp.Fun) *hostBuilder {
	c := &hostBuilder{
		code: code{l: l, out: &fn.Body, vals: map[core.Var]value{}},
		fn:   fn, blocks: map[core.Var]imp.Var{}, pending: map[core.Var]pending{}, recomputed: map[core.Var]recomputed{},
		results: map[imp.Var]*imp.Alloc{}, products: map[imp.Var]*imp.Bin{},
		fills: map[*core.SegHist][]*core.Stm{}, delayed: map[*core.Stm]bool{},
	}
	c.level = c
	return c
}

func (c *hostBuilder) integer() imp.Type { return imp.I64 }

func (c *hostBuilder) fresh(name string, t imp.Type) imp.Var { return c.fn.Fresh(name, t) }

func (c *hostBuilder) scope() imp.Scope { return c.fn.Scope() }

func (c *hostBuilder) placed(_ core.Var, at imp.Exp) imp.Exp { return at }

func (c *hostBuilder) bound(v imp.Var, e imp.Exp) {
	if b, ok := e.(*imp.Bin); ok && b.Op == prim.Mul && b.Type == imp.I64 {
		c.products[v] = b
	}
}

// ahead looks for what histograms generate themselves: see Note [Destinations that are neutral].
func (c *hostBuilder) ahead(stms []*core.Stm) { c.delayFills(stms) }

// own generates branches that choose between versions, and nothing of what histograms generate.
func (c *hostBuilder) own(s *core.Stm) bool {
	if c.delayed[s] {
		return true
	}
	e, is := core.Match(s.Exp).(*core.If)
	return is && c.choice(s, e)
}

// variable is the value of a scalar variable, which is read back if it is on the device.
func (c *hostBuilder) variable(v core.Var) value {
	if val, ok := c.vals[v]; ok {
		return val
	}
	if r, ok := c.recomputed[v]; ok {
		return c.recompute(v, r)
	}
	return c.readPending(v)
}

// tune is the value of a tuning parameter, which is bound at the start of the function.
func (c *hostBuilder) tune(e *core.Tune) value { return unknown(use(c.l.tuneVar(c, e)), imp.I64) }

// pending is a scalar that a kernel has left in the only element of a block,
// and the statements in which it is bound. See Note [Scalars on the device].
type pending struct {
	block imp.Var
	alloc *imp.Alloc // of the block; nil where kernels combine what is left
	out   *[]imp.Stm
	// left are the partial results that the scalar, the nth of its reduction, is made of; nil if it is in the block in any case.
	left *leftovers
	nth  int
}

// Note [Scalars on the device]
//
// The result of a reduction, or of a map over no dimensions, is read back only where host code computes with
// it; a kernel that uses it reads the block. Host code reads it again when the
// first read is in a branch or loop. A block that no kernel reads is mapped: where memory of the host can be written by the device
// (runtime/cuda) the kernel writes it there, and nothing is copied. What each workgroup reads stays in the device's own memory.

// readPending reads a pending scalar back: see Note [Scalars on the device].
func (c *hostBuilder) readPending(v core.Var) value {
	p, ok := c.pending[v]
	if !ok {
		panic(fmt.Sprintf("lower: %s_%d has no value", c.l.fun.Base(v), v))
	}
	if p.left != nil {
		c.launchLast(p.left)
	}
	elem := c.l.typeOf(v).Elem
	x := c.fresh(c.l.fun.Base(v), imp.Of(elem))
	c.emit(&imp.ReadScalar{Var: x, Elem: elem, Block: p.block, Index: i64(0)})
	val := unknown(use(x), imp.Of(elem))
	if c.out == p.out {
		c.vals[v] = val
	}
	return val
}

// block is the host variable of a block of memory.
func (c *hostBuilder) block(v core.Var) imp.Var {
	b, ok := c.blocks[v]
	if !ok {
		panic(fmt.Sprintf("lower: block %s_%d is not bound", c.l.fun.Base(v), v))
	}
	return b
}

// renameScalar leaves on the device what is there.
func (c *hostBuilder) renameScalar(dst core.Param, x core.Operand) {
	if p, ok := c.pending[x.Var]; ok && c.vals[x.Var].exp == nil {
		c.pending[dst.Var] = p
		return
	}
	if r, ok := c.recomputed[x.Var]; ok && c.vals[x.Var].exp == nil {
		c.recomputed[dst.Var] = r
		return
	}
	c.vals[dst.Var] = c.operand(x)
}

func (c *hostBuilder) rename(dst, src core.Var) { c.blocks[dst] = c.block(src) }

func (c *hostBuilder) joinBlock(dst core.Var) imp.Var {
	v := c.letVar(c.l.fun.Base(dst), imp.Block, imp.NoBlock())
	c.blocks[dst] = v
	return v
}

func (c *hostBuilder) setJoinedBlock(j joined, res core.Var) { c.set(j.v, use(c.block(res))) }

func (c *hostBuilder) loopBlock(p, init core.Var) imp.Var {
	v := c.letVar(c.l.fun.Base(p), imp.Block, use(c.block(init)))
	c.blocks[p] = v
	return v
}

func (c *hostBuilder) nextBlock(_ []joined, i int, b *core.Body) imp.Exp {
	return use(c.block(b.Res[i].Var))
}

func (c *hostBuilder) leaveLoop(dst core.Var, j joined) { c.blocks[dst] = j.v }

// updateAcc never comes: flattening puts what updates accumulators into kernels.
func (c *hostBuilder) updateAcc(e *core.UpdateAcc) { bugAt(e) }
