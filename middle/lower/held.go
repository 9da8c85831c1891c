package lower

import (
	"slices"

	"skald/middle/choose"
	"skald/middle/core"
	"skald/middle/imp"
	"skald/runtime/prim"
)

// Note [Arrays that threads hold]
//
// An array of a workgroup whose elements only their own thread writes and reads needs no workgroup memory: each thread holds its elements,
// as many as the factor of the form, in a private array, which the pass registers keeps in registers. So more workgroups run side by side,
// and what is handed from operation to operation takes no memory access and no barrier.
//
//	let (rs, cs) = segscan (i < m) ... {…}          thread: scan; r[u] = …; c[u] = …
//	let ys = segmap (i < m) {… rs[i] … cs[i] …}     thread: … r[u] … c[u] …
//
// All operations that touch such an array have as many points as it has elements, of one dimension, and read and write element i at point
// i alone; no round or tile comes twice, as the form is for no more points; and the elements go to the threads alike:
//
//   - by turns, where an operation reads or writes device memory;
//   - neighbours to one thread, in scans that do not, which then need no tile (scan.neighbours), and in maps of what these scans return.
//
// A single element that all threads read, as the last one of a scan, its thread hands over in workgroup memory.
//
// Arrays that remain there, and that threads go through as neighbours, have an unused element behind every so many, as tiles have (Note
// [Elements of a thread]). So have those that a scan by turns returns: they are its tile.

// sharing is how the elements of an operation go to the threads of a workgroup.
type sharing int

const (
	anyhow     sharing = iota // as the other operations on its arrays say
	byTurns                   // thread t has t, t + threads, t + 2*threads, …
	neighbours                // thread t has factor*t, factor*t + 1, …
	notHeld                   // threads hold none of its arrays
)

// heldArrays finds the arrays that the threads of a workgroup hold.
type heldArrays struct {
	l      *lowerer
	g      *group
	blocks map[core.Var]core.Operand // that may be held, with how many elements they have
	elems  map[core.Var]prim.Type    // of all blocks of workgroup memory
	types  map[core.Var]core.Type    // of arrays and blocks inside
	accs   map[core.Var][]core.Var   // the arrays that accumulators update
	ops    []heldOperation
}

// heldOperation is an operation, and the blocks that may be held and that it reads or writes.
type heldOperation struct {
	stm     *core.Stm
	way     sharing
	touched []core.Var
	// near are the blocks of which it reads or writes its own points, and results, of a scan, are those that a tile could lie in.
	near, results []core.Var
}

// mostHeld is the largest factor of which threads hold elements.
const mostHeld = 16

// holdArrays finds them for the body of a workgroup: the blocks, and how the operations that touch them are shared.
func (l *lowerer) holdArrays(g *group, b *core.Body) {
	g.padded, g.tiles = map[core.Var]int{}, map[*core.Stm][]core.Var{}
	g.held, g.ways, g.slot = map[core.Var]sharing{}, map[*core.Stm]sharing{}, idx(0)
	if g.factor > mostHeld {
		return
	}
	h := &heldArrays{
		l: l, g: g, blocks: map[core.Var]core.Operand{}, elems: map[core.Var]prim.Type{},
		types: map[core.Var]core.Type{}, accs: map[core.Var][]core.Var{},
	}
	h.body(b)
	h.agree()
	for _, op := range h.ops {
		for _, m := range op.touched {
			if _, ok := h.blocks[m]; ok {
				g.held[m], g.ways[op.stm] = op.way, op.way
			}
		}
	}
	if g.factor > 1 {
		h.padded()
	}
	h.diagonals(b)
}

// padded finds the blocks that threads go through side by side, each its own elements, and those in which scans have their tiles.
func (h *heldArrays) padded() {
	g := h.g
	pad := func(m core.Var) {
		if g.held[m] == anyhow && !g.atomics[m] {
			g.padded[m] = paddingOf(g.factor, imp.Of(h.elems[m]))
		}
	}
	for _, op := range h.ops {
		if g.ways[op.stm] == neighbours {
			for _, m := range op.near {
				pad(m)
			}
		}
	}
	for _, op := range h.ops {
		left := func(m core.Var) bool { return g.held[m] == anyhow && !g.atomics[m] && h.elems[m].Size() <= 4 }
		if op.way == byTurns && op.results != nil && !slices.ContainsFunc(op.results, func(m core.Var) bool { return !left(m) }) {
			g.tiles[op.stm] = op.results
			for _, m := range op.results {
				pad(m)
			}
		}
	}
}

// diagonals finds the blocks that the operations of loops read along diagonals: threads that are a row and a column apart meet in one bank
// where rows have one element more than there are banks, or than a multiple of them, as a matrix with a border has.
func (h *heldArrays) diagonals(b *core.Body) {
	core.Walk(b, func(s *core.Stm) bool {
		if _, loop := s.Exp.(*core.Loop); loop {
			core.MapBodies(s.Exp, func(b *core.Body) *core.Body {
				core.Walk(b, func(s *core.Stm) bool {
					if e, ok := s.Exp.(*core.SegMap); ok && len(e.Space.Ids) == 1 {
						h.diagonalsOf(e)
					}
					return true
				})
				return b
			})
		}
		_, seg := s.Exp.(core.Seg)
		return !seg
	})
}

func (h *heldArrays) diagonalsOf(e *core.SegMap) {
	p := &passing{first: e, second: e, defs: map[core.Var]definition{}}
	core.Walk(e.Body, func(s *core.Stm) bool {
		for i, d := range s.Dst {
			p.defs[d.Var] = definition{s, i}
		}
		_, control := s.Exp.(*core.If)
		read, ok := s.Exp.(*core.Index)
		if !ok || !s.Dst[0].Type.IsScalar() || len(read.Slice) < 2 {
			return control || ok
		}
		m := layoutMem(h.typeOf(read.Array))
		if elem, inside := h.elems[m]; inside && !h.g.atomics[m] && h.g.held[m] == anyhow && p.diagonal(offsets(read.Slice)) {
			h.g.padded[m] = paddingOf(2, imp.Of(elem))
		}
		return true
	})
}

// diagonal reports whether points read elements in different rows and columns.
func (p *passing) diagonal(at []core.Operand) bool {
	all, ok := p.element(at)
	return ok && slices.ContainsFunc(all, func(at []line) bool {
		varies := 0
		for _, l := range at {
			if l.point != 0 {
				varies++
			}
		}
		return varies > 1
	})
}

// resultsOf are the blocks of what a scan returns, if its tile could lie there: others than it reads, each with one result.
func (h *heldArrays) resultsOf(s *core.Stm) []core.Var {
	e, ok := s.Exp.(*core.SegScan)
	if !ok || e.Post != nil {
		return nil
	}
	var out, read []core.Var
	for _, v := range core.FreeInExp(e).List() {
		read = append(read, layoutMem(h.typeOf(v)))
	}
	for _, p := range s.Dst[:core.Width(e.Ops)] {
		m, whole := h.block(p.Var)
		if !whole || slices.Contains(out, m) || slices.Contains(read, m) {
			return nil
		}
		out = append(out, m)
	}
	return out
}

// bind notes the types of variables.
func (h *heldArrays) bind(ps []core.Param) {
	for _, p := range ps {
		if !p.Type.IsScalar() {
			h.types[p.Var] = p.Type
		}
	}
}

func (h *heldArrays) typeOf(v core.Var) core.Type {
	if t, ok := h.types[v]; ok {
		return t
	}
	return h.l.typeOf(v)
}

// body looks at what a body does that all threads run together.
func (h *heldArrays) body(b *core.Body) {
	for _, s := range b.Stms {
		h.bind(s.Dst)
		switch e := core.Match(s.Exp).(type) {
		case *core.Alloc:
			if e.Space == core.SpaceGroup {
				h.blocks[s.Dst[0].Var], h.elems[s.Dst[0].Var] = e.Count, e.Elem
			}
		case core.Seg:
			h.operation(s, e)
		default:
			h.other(s)
		}
	}
	for _, r := range b.Res {
		h.leave(r.Var)
	}
}

// other looks at a statement that is no operation: it may read one element.
func (h *heldArrays) other(s *core.Stm) {
	switch e := core.Match(s.Exp).(type) {
	case *core.Loop:
		h.bind(e.Params)
	case *core.WithAcc:
		for i, in := range e.Inputs {
			h.accs[e.Lambda.Params[i].Var] = in.Arrays
		}
		h.bind(e.Lambda.Params)
	case *core.Index:
		if _, whole := h.block(e.Array); whole && s.Dst[0].Type.IsScalar() {
			return
		}
	default:
	}
	core.Mapper{Operand: h.leaves}.VisitStm(s)
	core.MapBodies(s.Exp, func(b *core.Body) *core.Body { h.body(b); return b })
}

// block is where an array lies that is all of a block which may be held.
func (h *heldArrays) block(a core.Var) (core.Var, bool) {
	t := h.typeOf(a)
	if !t.IsArray() || len(t.Shape) != 1 {
		return 0, false
	}
	l := t.Layout
	n, ok := h.blocks[l.Mem]
	return l.Mem, ok && t.Shape[0] == n && len(l.Offset.Terms) == 0 && l.Strides[0].Equal(core.PolyConst(1))
}

// leave leaves a block, or that of an array, in workgroup memory.
func (h *heldArrays) leave(v core.Var) {
	delete(h.blocks, v)
	delete(h.blocks, layoutMem(h.typeOf(v)))
}

func (h *heldArrays) leaves(o core.Operand) core.Operand {
	h.leave(o.Var)
	return o
}

// operation looks at an operation.
func (h *heldArrays) operation(s *core.Stm, e core.Seg) {
	op, space := heldOperation{stm: s, way: h.wayOf(s, e)}, e.SpaceOf()
	if op.way == notHeld {
		for _, p := range s.Dst {
			h.leave(p.Var)
		}
		for _, v := range core.FreeInStm(s).List() {
			h.leave(v)
		}
		return
	}
	op.results = h.resultsOf(s)
	touch := func(a core.Var) {
		m := layoutMem(h.typeOf(a))
		if _, inside := h.elems[m]; inside {
			op.near = append(op.near, m)
		}
		if m, whole := h.block(a); whole && h.blocks[m] == space.Sizes[0] {
			op.touched = append(op.touched, m)
		} else {
			h.leave(a)
		}
	}
	for _, p := range s.Dst {
		if p.Type.IsArray() {
			touch(p.Var)
		}
	}
	ends := func(b *core.Body) *core.Body {
		for _, r := range b.Res {
			h.leave(r.Var)
		}
		return b
	}
	core.MapBodies(e, func(b *core.Body) *core.Body {
		core.Walk(b, func(s *core.Stm) bool {
			if e, ok := s.Exp.(*core.Index); ok && choose.OwnPoint(e.Slice, space) {
				touch(e.Array)
			} else {
				core.Mapper{Operand: h.leaves, Body: ends}.VisitStm(s)
			}
			return true
		})
		return b
	})
	h.ops = append(h.ops, op)
}

// wayOf is how the elements of an operation must go to the threads if they are to hold arrays.
func (h *heldArrays) wayOf(s *core.Stm, e core.Seg) sharing {
	n := e.SpaceOf().Sizes
	if len(n) != 1 || core.ChoiceOf(e).Forms[0].Sequential {
		return notHeld
	}
	most, known := h.l.most.Of(n[0])
	if !known || most > h.g.most {
		most = h.g.most
	}
	loops := func(e core.Exp) bool { _, ok := e.(*core.Loop); return ok }
	if most > int64(h.g.size*h.g.factor) || h.g.factor > 1 && s.Any(loops) {
		return notHeld
	}
	switch core.Match(e).(type) {
	case *core.SegMap:
		if slices.ContainsFunc(s.Dst, func(p core.Param) bool { return p.Type.IsArray() && len(p.Type.Shape) != 1 }) {
			return notHeld
		}
		if h.outside(s) {
			return byTurns
		}
		return anyhow
	case *core.SegScan:
		if h.outside(s) {
			return byTurns
		}
		return neighbours
	case *core.SegRed:
		if h.g.factor == 1 {
			return byTurns
		}
	default:
	}
	return notHeld
}

// outside reports whether an operation reads or writes device memory.
func (h *heldArrays) outside(s *core.Stm) bool {
	device := func(v core.Var) bool { return h.typeOf(layoutMem(h.typeOf(v))).Space == core.SpaceDevice }
	for _, p := range s.Dst {
		if p.Type.IsArray() && device(p.Var) {
			return true
		}
	}
	return slices.ContainsFunc(core.FreeInStm(s).List(), func(v core.Var) bool {
		switch t := h.typeOf(v); t.Kind { //nolint:exhaustive // others are no memory
		case core.KindArray:
			return device(v)
		case core.KindAcc:
			arrays, ok := h.accs[t.Acc]
			return !ok || slices.ContainsFunc(arrays, device)
		default:
			return false
		}
	})
}

// agree leaves blocks where they are whose operations share their elements in several ways. Maps that may do it anyhow do as the scans
// do whose results they read.
func (h *heldArrays) agree() {
	apart := map[core.Var]bool{} // blocks whose elements go to threads as neighbours
	for i := range h.ops {
		op := &h.ops[i]
		if op.way == anyhow || h.g.factor == 1 {
			op.way = byTurns
			if slices.ContainsFunc(op.touched, func(m core.Var) bool { return apart[m] }) {
				op.way = neighbours
			}
		}
		for _, m := range op.touched {
			apart[m] = apart[m] || op.way == neighbours
		}
	}
	for _, op := range h.ops {
		for _, m := range op.touched {
			if apart[m] != (op.way == neighbours) {
				delete(h.blocks, m)
			}
		}
	}
}

// isTile reports whether a scan has its tile in a block.
func (g *group) isTile(m core.Var) bool {
	for _, blocks := range g.tiles {
		if slices.Contains(blocks, m) {
			return true
		}
	}
	return false
}

// heldPoints runs f for the points of an operation on arrays that threads hold; f generates what computes a point, and returns what stores
// the results.
func (c *kernelBuilder) heldPoints(way sharing, n imp.Exp, f func(j imp.Exp) (store func())) {
	c.byThread(func() {
		c.whole(way, n, func(isElement elementTest) {
			c.forLoop("u", idx(int64(c.group.factor)), func(u imp.Exp) {
				j := c.let("j", imp.Idx, c.heldElement(way, u))
				isElement(j, func() { f(j)() })
			})
		})
	})
}

// elementTest runs f if a thread has element j.
type elementTest func(j imp.Exp, f func())

// whole generates code for threads that have all of their elements, which test nothing so that loads of several elements are under way
// together, and for others.
func (c *kernelBuilder) whole(way sharing, n imp.Exp, f func(isElement elementTest)) {
	saved := c.group.slot
	last := c.let("last", imp.Idx, c.heldElement(way, idx(int64(c.group.factor-1))))
	c.group.slot = saved
	all := c.within(func() { f(func(_ imp.Exp, g func()) { g() }) })
	some := c.within(func() { f(func(j imp.Exp, g func()) { c.ifThen(less(imp.Idx, j, n), g) }) })
	c.emit(&imp.If{Cond: less(imp.Idx, last, n), Then: all, Else: some})
}

// heldElement is the number of the thread's element u, at which it is from now on.
func (c *kernelBuilder) heldElement(way sharing, u imp.Exp) imp.Exp {
	c.slot(u)
	lid := id(imp.LocalID)
	if way == neighbours {
		return add(imp.Idx, mul(imp.Idx, lid, idx(int64(c.group.factor))), u)
	}
	return add(imp.Idx, mul(imp.Idx, u, idx(int64(c.group.size))), lid)
}

// handOver reads an element of an array that threads hold, for all threads.
func (c *kernelBuilder) handOver(dst core.Var, e *core.Index) {
	l := c.l.typeOf(e.Array).Layout
	if c.group.over != nil {
		c.takeOver()
	}
	n := c.group.overs
	c.group.overs++
	if n >= mostHanded && c.group.handed { // Another element was there.
		c.sync()
	}
	m := c.mem(l.Mem)
	t := imp.Of(c.k.Mems[m].Elem)
	slot, at := c.temp(t, -1-n%mostHanded, 1), c.let("at", imp.Idx, c.index(e.Slice[0].Off))
	way, factor := c.group.held[l.Mem], int64(c.group.factor)
	own := func() {
		c.forLoop("u", idx(factor), func(u imp.Exp) {
			mine := same(c.heldElement(way, u), at)
			c.ifThen(mine, func() { c.store(slot, idx(0), c.load("x", m, u).exp) })
		})
	}
	c.byThread(func() {
		if way != neighbours || factor == 1 {
			own()
			return
		}
		first := c.let("first", imp.Idx, c.heldElement(way, idx(0)))
		near := and(lessEq(imp.Idx, first, at), less(imp.Idx, at, add(imp.Idx, first, idx(factor))))
		c.ifThen(near, own) // Most threads compare once.
	})
	c.group.over = &handedOver{dst: dst, slot: slot}
}

// handedOver is an element that a thread has handed over: dst is its name, slot where it lies, and arrived says that there was a barrier
// since.
type handedOver struct {
	dst     core.Var
	slot    imp.Mem
	arrived bool
}

// takeOver reads what a thread has handed over, in all threads. It waits until something needs that: there may be a barrier before.
func (c *kernelBuilder) takeOver() {
	over := c.group.over
	c.group.over = nil
	if !over.arrived {
		c.sync()
	}
	c.group.handed = true
	c.vals[over.dst] = c.load(c.l.fun.Base(over.dst), over.slot, idx(0))
}

// mostHanded is how many temporary arrays there are in which elements are handed over: those with negative numbers.
const mostHanded = 16

// neighbours scans a segment of n elements of which each thread has neighbours: it computes its own and combines them, and goes over them
// again from what is before them.
func (sc *scan) neighbours(k *kernelBuilder, n imp.Exp) {
	factor := k.group.factor
	count, part := idx(int64(factor)), sc.sharedParts(k)
	xs, kept := k.privateArrays("own", sc.o.types, factor), k.privateArrays("kept", sc.keptTypes(), factor)
	point := func(u imp.Exp) imp.Exp { return k.let("j", imp.Idx, k.heldElement(neighbours, u)) }
	k.whole(neighbours, n, func(isElement elementTest) {
		k.forLoop("u", count, func(u imp.Exp) {
			j, x := point(u), k.accVars("x", sc.o.types, exps(k.neutral(sc.o)))
			isElement(j, func() {
				own, more := sc.element(k, []imp.Exp{j}, keeping)
				k.setAll(x, own)
				k.stores(kept, u, more)
			})
			k.stores(xs, u, uses(x))
		})
	})
	own := sc.foldOwn(k, xs, factor)
	sc.begin(k, own)
	acc := sc.before(k, part, own, nil)
	k.whole(neighbours, n, func(isElement elementTest) {
		k.forLoop("u", count, func(u imp.Exp) {
			j := point(u)
			k.setAll(acc, k.combine(sc.o, uses(acc), k.loads(xs, u)))
			isElement(j, func() { sc.result(k, []imp.Exp{j}, uses(acc), k.loads(kept, u)) })
		})
	})
}

// foldOwn combines the elements of private arrays, in order.
func (sc *scan) foldOwn(k *kernelBuilder, xs []imp.Mem, count int) []imp.Var {
	acc := k.accVars("run", sc.o.types, k.loads(xs, idx(0)))
	k.forLoop("i", idx(int64(count-1)), func(i imp.Exp) {
		k.setAll(acc, k.combine(sc.o, uses(acc), k.loads(xs, add(imp.Idx, i, idx(1)))))
	})
	return acc
}

// slot says which of its elements a thread is at.
func (c *kernelBuilder) slot(u imp.Exp) {
	if c.group != nil {
		c.group.slot = u
	}
}
