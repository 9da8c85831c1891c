package eval

import (
	"skald/middle/imp"
)

// compiler compiles one function or kernel.
type compiler struct {
	name            string
	scope           imp.Scope
	prog            *Prog                                   // of host code
	ending          *ending                                 // of host code
	rounds          *roundReads                             // of host code: what the loop at hand reads for several rounds
	tunes           map[imp.Var]int                         // of host code: variables that are tuning parameters
	groupSize       int64                                   // of a kernel
	deviceFunctions map[*imp.DeviceFunction]*deviceFunction // those that have been compiled

	unit *unit

	// The rest is of kernels whose blocks have several lanes: see Note [Lockstep].
	width   int
	classes *classes
	regs    *registers
	level   int   // temporaries in use
	levels  int   // at most
	out     []vec // what was compiled of a statement for the active lanes
}

// lockstep says whether blocks have several lanes.
func (c *compiler) lockstep() bool { return c.classes != nil }

// agreed reports whether all active lanes hold the same value in v, which then has no register.
func (c *compiler) agreed(v imp.Var) bool { return c.lockstep() && !c.classes.varying[v] }

// reg is where the register of v is among those of a thread.
func (c *compiler) reg(v imp.Var) int {
	if c.regs == nil {
		return int(v)
	}
	return c.regs.of[v] * c.width
}

// seq compiles statements to one.
func (c *compiler) seq(body []imp.Stm) code {
	if c.ending != nil {
		return code{one: c.hostSeq(body)}
	}
	one := make([]stm, 0, len(body))
	var lanes []vec
	for _, s := range body {
		f := c.stm(s)
		if f.one != nil {
			one = append(one, f.one)
		}
		if f.all != nil {
			lanes = append(lanes, f.all)
		}
	}
	return code{all(one), allLanes(lanes)}
}

// all runs statements one after the other.
func all(code []stm) stm {
	switch len(code) {
	case 0:
		return func(*thread) bool { return true }
	case 1:
		return code[0]
	case 2:
		f, g := code[0], code[1]
		return func(t *thread) bool { return f(t) && g(t) }
	case 3:
		f, g, h := code[0], code[1], code[2]
		return func(t *thread) bool { return f(t) && g(t) && h(t) }
	}
	f, g, h, rest := code[0], code[1], code[2], all(code[3:])
	return func(t *thread) bool { return f(t) && g(t) && h(t) && rest(t) }
}

// stm compiles a statement that holds no barrier; nil has no effect.
func (c *compiler) stm(s imp.Stm) code {
	switch s := s.(type) {
	case *imp.If:
		return c.ifStm(s)
	case *imp.For:
		return c.forStm(s)
	case *imp.While:
		return c.whileStm(s)
	case *imp.Comment:
		return code{}
	case *imp.Let, *imp.Set, *imp.Assert, imp.KernelStm, imp.HostStm:
	}
	one := c.simple(s)
	if !c.lockstep() {
		return code{one: one}
	}
	return code{one, c.inLanes(s, one)}
}

// unknownNode is what switches over expressions and statements end with, which have a case for each.
const unknownNode = "eval: no known expression or statement"

// simple compiles a statement that holds no others, or an AtomicUpdate, for one thread.
func (c *compiler) simple(s imp.Stm) stm {
	switch s := s.(type) {
	case *imp.Let:
		return c.set(s.Var, s.Exp)
	case *imp.Set:
		return c.set(s.Var, s.Exp)
	case *imp.Assert:
		return c.assert(s)
	case *imp.Store:
		a := c.array(s.Mem)
		index := c.exp(s.Index)
		if s.Own {
			return c.watchStm(a, 1, store(a, c.trackedOwn(a, index), c.exp(s.Value)))
		}
		return c.watchStm(a, 1, store(a, c.tracked(a, writes, index), c.exp(s.Value)))
	case *imp.LoadVec:
		return c.watchStm(c.array(s.Mem), len(s.Vars), c.loadVec(s))
	case *imp.StoreVec:
		return c.watchStm(c.array(s.Mem), len(s.Values), c.storeVec(s))
	case *imp.Atomic:
		return c.watchStm(c.array(s.Mem), 1, c.atomic(s))
	case *imp.AtomicUpdate:
		return c.watchStm(c.array(s.Mem), 1, c.atomicUpdate(s))
	case imp.HostStm:
		return c.host(s)
	case *imp.Invoke:
		return c.invoke(s)
	case *imp.Barrier, *imp.Subgroup, *imp.SubgroupUpdate, *imp.UniformLoad:
		panic("eval: collective statement in divergent code of " + c.name)
	case *imp.If, *imp.For, *imp.While, *imp.Comment:
	}
	panic(unknownNode)
}

func (c *compiler) set(v imp.Var, value imp.Exp) stm {
	e := c.exp(value)
	if c.scope.Vars[v].Type == imp.Block {
		return setBlock(v, e)
	}
	if c.agreed(v) {
		return func(t *thread) bool {
			t.same[v] = e(t)
			return true
		}
	}
	r := c.reg(v)
	if from := c.plain(value); from != 0 {
		return func(t *thread) bool {
			t.regs[r] = t.regs[from]
			return true
		}
	}
	return func(t *thread) bool {
		t.regs[r] = e(t)
		return true
	}
}

func (c *compiler) ifStm(s *imp.If) code {
	var then, other code
	divergent := c.lockstep() && !c.classes.uniform(s.Cond)
	c.enter(region{s, false}, divergent, func() { then = c.seq(s.Then) })
	c.enter(region{s, true}, divergent, func() { other = c.seq(s.Else) })
	var out code
	if c.lockstep() {
		out.all = c.ifLanes(s, then, other)
	}
	cond, yes, no := c.exp(s.Cond), then.one, other.one
	if len(s.Else) == 0 {
		out.one = func(t *thread) bool { return cond(t) == 0 || yes(t) }
		return out
	}
	out.one = func(t *thread) bool {
		if cond(t) != 0 {
			return yes(t)
		}
		return no(t)
	}
	return out
}

// An argument of enter: whether fewer lanes than before run the body.
const someLanes = true

// enter compiles a body.
func (c *compiler) enter(r region, divergent bool, compile func()) {
	if !c.lockstep() {
		compile()
		return
	}
	c.classes.enter(r, divergent, compile)
}

func (c *compiler) forStm(s *imp.For) code {
	var body code
	if c.ending != nil {
		outer := c.rounds
		defer func() { c.rounds = outer }()
		if c.rounds = c.roundReads(s); c.rounds != nil {
			return code{one: c.countForRounds(s, c.rounds, c.seq(s.Body).one)}
		}
	}
	if !c.lockstep() {
		body = c.seq(s.Body)
		return code{one: c.count(s, body.one)}
	}
	level := c.level
	defer func() { c.level = level }()
	if c.classes.uniform(s.Bound) {
		body = c.seq(s.Body)
		return code{c.count(s, body.one), c.forLanes(s, body)}
	}
	run, bounds := c.bounds(s)
	c.enter(region{s, false}, someLanes, func() { body = c.seq(s.Body) })
	return code{c.count(s, body.one), c.forBounds(s, run, bounds, body)}
}

// count is a For of one thread.
func (c *compiler) count(s *imp.For, body stm) stm {
	bound, v, r := c.exp(s.Bound), s.Var, c.reg(s.Var)
	if c.agreed(v) {
		return func(t *thread) bool {
			n := int64(bound(t))
			for i := int64(0); i < n; i++ {
				t.same[v] = uint64(i)
				if !body(t) || t.stopped() {
					return false
				}
			}
			return true
		}
	}
	return func(t *thread) bool {
		n := int64(bound(t))
		for i := int64(0); i < n; i++ {
			t.regs[r] = uint64(i)
			if !body(t) || t.stopped() {
				return false
			}
		}
		return true
	}
}

func (c *compiler) whileStm(s *imp.While) code {
	var body code
	c.enter(region{s, false}, c.lockstep() && !c.classes.uniform(s.Cond), func() { body = c.seq(s.Body) })
	cond, once := c.exp(s.Cond), body.one
	out := code{one: func(t *thread) bool {
		for cond(t) != 0 {
			if !once(t) || t.stopped() {
				return false
			}
		}
		return true
	}}
	if c.lockstep() {
		out.all = c.whileLanes(s, out.one, body)
	}
	if s.Ahead > 0 {
		out.one = c.ahead(s, out.one, once)
	}
	return out
}

func (c *compiler) assert(s *imp.Assert) stm {
	cond, values := c.exp(s.Cond), c.exps(s.Values)
	return func(t *thread) bool {
		if cond(t) != 0 {
			return true
		}
		vs := make([]uint64, len(values))
		for i, v := range values {
			vs[i] = v(t)
		}
		t.fail().Set(int32(s.Site), vs)
		return false
	}
}

func (t *thread) fail() *Failure {
	if t.group == nil {
		return t.host.Failure()
	}
	return t.group.fail
}

func (c *compiler) loadVec(s *imp.LoadVec) stm {
	a, index, to := c.array(s.Mem), c.exp(s.Index), c.registersOf(s.Vars)
	base := c.tracked(a, reads, func(t *thread) uint64 { return t.regs[0] })
	ld := load(a, base)
	n := int64(len(s.Vars))
	return func(t *thread) bool {
		i := int64(index(t))
		if i%n != 0 {
			faultf("kernel %s reads %d elements of %s at %d, which is not aligned", a.kernel, n, a.name, i)
		}
		for j, r := range to {
			t.regs[0] = uint64(i + int64(j))
			t.regs[r] = ld(t)
		}
		return true
	}
}

func (c *compiler) storeVec(s *imp.StoreVec) stm {
	a, index, values := c.array(s.Mem), c.exp(s.Index), c.exps(s.Values)
	n := int64(len(values))
	stores := make([]stm, n)
	for j, v := range values {
		j := uint64(j)
		stores[j] = store(a, c.tracked(a, writes, func(t *thread) uint64 { return index(t) + j }), v)
	}
	return func(t *thread) bool {
		if i := int64(index(t)); i%n != 0 {
			faultf("kernel %s writes %d elements of %s at %d, which is not aligned", a.kernel, n, a.name, i)
		}
		for _, st := range stores {
			st(t)
		}
		return true
	}
}

func (c *compiler) exps(es []imp.Exp) []exp {
	out := make([]exp, len(es))
	for i, e := range es {
		out[i] = c.exp(e)
	}
	return out
}
