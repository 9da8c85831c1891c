package lower

import (
	"maps"
	"math"
	"slices"

	"skald/middle/core"
	"skald/middle/imp"
	"skald/runtime/prim"
)

// groupStm generates a statement that all threads of a workgroup run together.
func (c *kernelBuilder) groupStm(s *core.Stm) {
	if over := c.group.over; over != nil {
		if _, control := s.Exp.(core.Control); control || core.FreeInStm(s).Has(over.dst) {
			c.takeOver()
		}
	}
	switch e := s.Exp.(type) {
	case core.Scalar:
		c.bind(s.Dst[0].Var, c.scalar(e))
	case core.View:
		c.groupView(s.Dst[0], e)
	case core.Memory:
		c.groupMemory(s, e)
	case core.Control:
		c.groupControl(s, e)
	case core.SOAC:
		c.groupSOAC(s, e)
	case core.Seg:
		c.inGroup(s, e)
	}
	c.group.release(c.group.after[s])
}

// byThread generates code that threads run by themselves: each the same, or what is its own.
func (c *kernelBuilder) byThread(f func()) {
	outer := c.together
	c.together = false
	f()
	c.together = outer
}

// byFirst generates code that the first thread runs.
func (c *kernelBuilder) byFirst(f func()) {
	c.byThread(func() { c.ifThen(same(id(imp.LocalID), idx(0)), f) })
}

func (c *kernelBuilder) groupView(dst core.Param, e core.View) {
	if e, ok := core.Match(e).(*core.Index); ok && dst.Type.IsScalar() {
		if c.group.held[c.l.typeOf(e.Array).Layout.Mem] != anyhow {
			c.handOver(dst.Var, e)
			return
		}
		c.access([]core.Var{c.l.typeOf(e.Array).Layout.Mem}, nil)
	}
	c.view(dst, e)
}

func (c *kernelBuilder) groupMemory(s *core.Stm, e core.Memory) {
	dst := s.Dst[0]
	switch e := e.(type) {
	case *core.Update:
		t := c.l.typeOf(e.Array)
		if !e.Value.IsConst() && c.l.typeOf(e.Value.Var).IsArray() {
			c.groupCopies([]arrayCopy{{src: c.l.typeOf(e.Value.Var), dst: sliceLayout(t, e.Slice)}})
			return
		}
		c.access(nil, []core.Var{t.Layout.Mem})
		c.byFirst(func() { c.update(e) })
	case *core.Copy:
		c.groupCopy(s, e)
	case *core.ArrayLit:
		c.groupLit(dst.Type, e)
	case *core.Scratch:
		// The layout of the result says all.
	case *core.Alloc:
		if e.Space == core.SpaceGroup {
			c.groupAlloc(dst.Var, e)
		} else {
			c.alloc(dst.Var, e)
		}
	case *core.Iota, *core.Replicate, *core.Concat:
		bugAt(e)
	}
}

// groupLit writes an array literal: scalars by the first thread, rows by all.
func (c *kernelBuilder) groupLit(t core.Type, e *core.ArrayLit) {
	if len(t.Shape) == 1 {
		c.access(nil, []core.Var{t.Layout.Mem})
		c.byFirst(func() { c.arrayLit(t, e) })
		return
	}
	for i, x := range e.Elems {
		c.groupCopies([]arrayCopy{{src: c.l.typeOf(x.Var), dst: sliceLayout(t, core.FullSlice(t, core.Int(int64(i))))}})
	}
}

// share runs f at the points of a shape, each thread of the workgroup at every GroupSize-th: in rounds, as many for all. There are at most
// so many points.
func (c *kernelBuilder) share(shape []core.Operand, most int64, f func(is []imp.Exp)) {
	c.rounds(c.product(shape), most, func(j imp.Exp) { f(c.unflatten(j, shape)) })
}

// anyNumber says that nothing is known of a number of points.
const anyNumber = math.MaxInt64

// mostPoints is how many points an operation of a workgroup has at most.
func (c *kernelBuilder) mostPoints(shape ...core.Operand) int64 {
	return min(c.mostElements(shape), c.group.most)
}

// mostElements is how many elements an array has at most.
func (c *kernelBuilder) mostElements(shape []core.Operand) int64 {
	if n, ok := c.l.most.OfShape(shape); ok {
		return n
	}
	return anyNumber
}

// rounds runs f for the numbers below n, which are at most so many, each thread of the workgroup for every GroupSize-th.
func (c *kernelBuilder) rounds(n imp.Exp, most int64, f func(j imp.Exp)) {
	size := int64(c.group.size)
	whole := false // no thread has nothing to do
	if k, ok := intConst(n); ok {
		whole, most = k > 0 && k%size == 0, k
	}
	one := func(j imp.Exp) {
		if whole {
			f(j)
			return
		}
		c.ifThen(less(imp.Idx, j, n), func() { f(j) })
	}
	if most <= size {
		c.byThread(func() { one(c.let("j", imp.Idx, id(imp.LocalID))) })
		return
	}
	count := c.let("rounds", imp.Idx, ceilDiv(imp.Idx, n, idx(size)))
	c.byThread(func() {
		c.forLoop("round", count, func(r imp.Exp) {
			one(c.let("j", imp.Idx, add(imp.Idx, mul(imp.Idx, r, idx(size)), id(imp.LocalID))))
		})
	})
}

// access notes that what follows reads and writes blocks, after a barrier if they depend on others' work.
func (c *kernelBuilder) access(reads, writes []core.Var) {
	g := c.group
	wait := false
	for _, m := range reads {
		wait = wait || g.written[g.place(m)]
	}
	for _, m := range writes {
		at := g.place(m)
		wait = wait || g.written[at] || g.read[at] && !c.mayPass(g.reader[at], g.running, m)
	}
	if wait {
		c.sync()
	}
	c.note(reads, writes)
}

// note notes that blocks are being read and written.
func (c *kernelBuilder) note(reads, writes []core.Var) {
	g := c.group
	for _, m := range reads {
		if g.held[m] == anyhow {
			at := g.place(m)
			if g.read[at] && g.reader[at] != g.running {
				g.reader[at] = nil
			} else {
				g.reader[at] = g.running
			}
			g.read[at] = true
		}
	}
	for _, m := range writes {
		if g.held[m] == anyhow {
			g.written[g.place(m)] = true
		}
	}
}

// sync is a barrier, after which no memory is under way.
func (c *kernelBuilder) sync() {
	g := c.group
	global := false
	for m := range g.written {
		global = global || c.l.typeOf(m).Space == core.SpaceDevice
	}
	c.emit(&imp.Barrier{Global: global})
	clear(g.read)
	clear(g.written)
	g.busy, g.handed = false, false
	if g.over != nil {
		g.over.arrived = true
	}
}

// passed notes that there was a barrier for workgroup memory in what was generated, behind which temporary arrays were read.
func (c *kernelBuilder) passed() {
	for _, under := range []map[core.Var]bool{c.group.read, c.group.written} {
		maps.DeleteFunc(under, func(m core.Var, _ bool) bool { return c.l.typeOf(m).Space != core.SpaceDevice })
	}
}

// awaitTemps is a barrier if a temporary array may still be read.
func (c *kernelBuilder) awaitTemps() {
	if c.group.busy {
		c.sync()
	}
}

// settle is a barrier if any memory is under way.
func (c *kernelBuilder) settle() {
	if c.group.over != nil {
		c.takeOver()
	}
	if g := c.group; g.busy || g.handed || len(g.read)+len(g.written) > 0 {
		c.sync()
	}
}

// uniform reports whether an expression is the same in all threads of a workgroup, as imp sees it.
func (c *kernelBuilder) uniform(e imp.Exp) bool {
	ok := true
	imp.WalkExp(e, func(e imp.Exp) {
		switch e := imp.Match(e).(type) {
		case *imp.VarExp:
			ok = ok && (c.group.uniform[e.Var] || slices.Contains(c.k.Params, e.Var))
		case *imp.Load:
			ok = false
		case *imp.Id:
			ok = ok && e.Kind.Uniform()
		default:
		}
	})
	return ok
}

// agreed is the value of an expression, the same in all threads, in a form that is known to be so.
func (c *kernelBuilder) agreed(e imp.Exp) imp.Exp {
	t := c.k.Scope().TypeOf(e)
	if c.uniform(e) {
		return e
	}
	if t == imp.Idx {
		return convert(c.agreed(convert(e, imp.Idx, imp.I64)), imp.I64, imp.Idx)
	}
	slot := c.temp(t, 0, 1)
	c.byFirst(func() { c.store(slot, idx(0), e) })
	return c.uniformLoad("agreed", slot, idx(0))
}

// uniformLoad reads an element of workgroup memory for all threads; a barrier comes before and after.
func (c *kernelBuilder) uniformLoad(name string, m imp.Mem, at imp.Exp) imp.Exp {
	v := c.fresh(name, imp.Of(c.k.Mems[m].Elem))
	c.emit(&imp.UniformLoad{Var: v, Mem: m, Index: at})
	c.group.uniform[v] = true
	return use(v)
}

// temps are arrays, one for each type, that an operation may use until a barrier behind it.
func (c *kernelBuilder) temps(types []imp.Type, count int) []imp.Mem {
	ms := make([]imp.Mem, len(types))
	for i, t := range types {
		ms[i] = c.temp(t, i+1, count)
	}
	return ms
}

// temp is array number n of a type that an operation may use until a barrier behind it.
func (c *kernelBuilder) temp(t imp.Type, n, count int) imp.Mem {
	k := tempKey{t, n, count}
	m, ok := c.group.temps[k]
	if !ok {
		m = c.shared("part", t, count)
		c.group.temps[k] = m
	}
	return m
}

func (c *kernelBuilder) groupControl(s *core.Stm, e core.Control) {
	holds := func(m core.Var) bool { return c.group.held[m] != anyhow }
	if reads, ok := c.l.onlyComputes(s); ok && !slices.ContainsFunc(reads, holds) {
		c.access(reads, nil)
		c.byThread(func() { c.control(s, e) })
		return
	}
	switch e := e.(type) {
	case *core.If:
		c.settle()
		cond := c.agreed(c.operand(e.Cond).exp)
		c.alternatives(s, []imp.Exp{cond}, []*core.Body{e.Then, e.Else})
	case *core.Switch:
		c.groupSwitch(s, e)
	case *core.Loop:
		c.settle()
		c.groupLoop(s, e)
	case *core.Assert, *core.Trace, *core.Call, *core.Derivative, *core.WithVjp:
		bugAt(e) // the first three only compute
	}
}

// onlyComputes reports whether a statement computes scalars and does nothing that others see, and which blocks it reads: then each
// thread may run it by itself.
func (l *lowerer) onlyComputes(s *core.Stm) (reads []core.Var, ok bool) {
	ok = true
	private := map[core.Var]bool{}
	arrays := map[core.Var]core.Type{}
	typeOf := func(v core.Var) core.Type {
		if t, ok := arrays[v]; ok {
			return t
		}
		return l.typeOf(v)
	}
	core.Walk(&core.Body{Stms: []*core.Stm{s}}, func(s *core.Stm) bool {
		if e, is := s.Exp.(*core.Loop); is {
			for _, p := range e.Params {
				arrays[p.Var] = p.Type
			}
		}
		for _, p := range s.Dst {
			arrays[p.Var] = p.Type
		}
		switch e := core.Match(s.Exp).(type) {
		case *core.Alloc:
			private[s.Dst[0].Var] = e.Space == core.SpacePrivate
		case *core.WithAcc, *core.UpdateAcc, core.Seg:
			ok = false
		default:
		}
		for _, v := range core.Reads(s.Exp) {
			if t := typeOf(v); t.IsArray() && !private[t.Layout.Mem] {
				reads = append(reads, t.Layout.Mem)
			}
		}
		if _, memory := s.Exp.(core.Memory); memory {
			for _, p := range s.Dst {
				ok = ok && (!p.Type.IsArray() || private[p.Type.Layout.Mem])
			}
			if a, is := s.Exp.(*core.Alloc); is {
				ok = ok && a.Space == core.SpacePrivate
			}
		}
		return ok
	})
	return reads, ok
}

// alternatives generates bodies of which the first is taken whose condition holds, or else the last. All threads agree.
func (c *kernelBuilder) alternatives(s *core.Stm, conds []imp.Exp, bodies []*core.Body) {
	alts, outs := make([][]value, len(bodies)), make([][]imp.Stm, len(bodies))
	for i, b := range bodies {
		outs[i] = c.within(func() { c.scoped(func() { alts[i] = c.body(b); c.settle() }) })
	}
	js, types := c.join(s.Dst, alts, nil)
	for i, b := range bodies {
		c.setJoined(&outs[i], js, types, b, alts[i])
	}
	rest := outs[len(conds)]
	for i, cond := range slices.Backward(conds) {
		rest = []imp.Stm{&imp.If{Cond: cond, Then: outs[i], Else: rest}}
	}
	*c.out = append(*c.out, rest...)
}

func (c *kernelBuilder) groupSwitch(s *core.Stm, e *core.Switch) {
	c.settle()
	on := c.operand(e.On)
	on.exp = c.let("on", on.typ, c.agreed(on.exp))
	var conds []imp.Exp
	for _, k := range e.Cases {
		v := constant(k.Value)
		conds = append(conds, &imp.Cmp{Op: prim.Eq, Type: on.typ, X: on.exp, Y: convert(v.exp, v.typ, on.typ)})
	}
	c.alternatives(s, conds, e.Bodies())
}

// groupLoop generates a loop that all threads run together.
func (c *kernelBuilder) groupLoop(s *core.Stm, e *core.Loop) {
	js := c.enterLoop(e)
	iterate := func() {
		c.scoped(func() {
			vals := c.body(e.Body)
			c.nextValues(js, e.Body, vals)
			c.settle()
		})
	}
	if e.IsFor() {
		c.groupCounted(e, iterate)
	} else {
		goes := c.letVar("goes", imp.Bool, c.agreed(c.variable(e.While).exp))
		body := c.within(func() {
			iterate()
			c.set(goes, c.agreed(c.variable(e.While).exp))
		})
		c.emit(&imp.While{Cond: use(goes), Body: body})
	}
	for i, d := range s.Dst {
		if d.Type.IsScalar() {
			c.vals[d.Var] = c.vals[e.Params[i].Var]
		}
	}
}

// groupCounted counts e.Index, which all threads agree on.
func (c *kernelBuilder) groupCounted(e *core.Loop, iterate func()) {
	bound := c.operand(e.Bound)
	t := imp.Of(e.Index.Type.Elem)
	ix := e.Index.Var
	name := c.l.fun.Base(ix)
	if fits32(bound.lo, bound.hi) {
		limit := c.let("bound", imp.Idx, c.agreed(c.asIndex(bound)))
		v := c.fresh(name, imp.Idx)
		c.group.uniform[v] = true
		body := c.within(func() {
			if t == imp.I64 {
				c.vals[ix] = value{exp: use(v), typ: imp.Idx, hi: max(0, bound.hi-1)}
			} else {
				c.bind(ix, unknown(convert(use(v), imp.Idx, t), t))
			}
			iterate()
		})
		c.emit(&imp.For{Var: v, Bound: limit, Body: body})
		return
	}
	limit := c.let("bound", t, c.agreed(asPrim(bound)))
	v := c.letVar(name, t, zero(t))
	c.group.uniform[v] = true // it is set from itself alone
	body := c.within(func() {
		c.vals[ix] = unknown(use(v), t)
		iterate()
		one := &imp.Const{Type: t, Value: prim.One(t.Prim())}
		c.set(v, &imp.Bin{Op: prim.Add, Type: t, X: use(v), Y: one})
	})
	c.emit(&imp.While{Cond: less(t, use(v), limit), Body: body})
}
