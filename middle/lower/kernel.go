package lower

import (
	"fmt"
	"slices"

	"skald/middle/choose"
	"skald/middle/core"
	"skald/middle/imp"
	"skald/runtime/prim"
)

// kernel generates a kernel of workgroups of size threads, and its launch on
// groups workgroups, which f may change.
func (c *hostBuilder) kernel(name string, size int, groups imp.Exp, f func(k *kernelBuilder, l *imp.Launch)) {
	k := &imp.Kernel{Name: c.l.kernelName(name), GroupSize: size, Where: siteText(c.where), Vars: make([]imp.VarDecl, 1)}
	l := &imp.Launch{Kernel: k.Name, Groups: groups}
	host, stms := c, 0
	if c.making.beside != nil {
		stms = core.CountStms(&core.Body{Stms: []*core.Stm{c.making.beside}})
		if own := c.apart(c.making.beside); own != nil {
			host = own
		}
	}
	k.Vars = slices.Grow(k.Vars, stms)
	kc := newKernelBuilder(host.l, k, stms)
	kc.host, kc.launch, kc.where, kc.combines = host, l, c.where, c.making.mapping && size >= fewReaders
	generate := func() {
		f(kc, l)
		kc.makeRoom()
		k.Body = append(kc.prologue, k.Body...)
		imp.SortMems(k)
	}
	if host != c {
		c.l.beside(k, c.where, stms, host.l, generate)
		c.emit(l)
		return
	}
	generate()
	if l.Kernel = c.equalKernel(k); l.Kernel == k.Name {
		c.l.add(k, c.where)
	}
	c.combineBefore(l, kc.combined)
	c.emit(l)
}

// equalKernel is the name of the kernel that is equal to k, which is the last one, among those that are made once; else the name of k.
func (c *hostBuilder) equalKernel(k *imp.Kernel) string {
	if c.once == nil {
		return k.Name
	}
	unnamed := *k
	unnamed.Name = ""
	text := imp.PrintKernel(&unnamed)
	if _, ok := c.once[text]; !ok {
		c.once[text] = k.Name
	} else {
		c.l.kernels--
	}
	return c.once[text]
}

// points generates a kernel that runs f for each index of a shape, in a form: in a thread each, in tasks, or in one thread.
func (c *hostBuilder) points(form core.Form, name string, shape []core.Operand, f func(k *kernelBuilder, is []imp.Exp)) {
	size := form.Group
	total := c.let("points", imp.I64, c.total(shape))
	if form.Sequential {
		c.kernel(name+"_sequential", 1, i64(1), func(k *kernelBuilder, _ *imp.Launch) {
			k.forLoop("point", k.hostParam("points", total), func(i imp.Exp) { f(k, k.unflatten(i, shape)) })
		})
		return
	}
	if form.Tasks > 0 {
		c.taskPoints(form, name, shape, f)
		return
	}
	c.kernel(name, size, ceilDiv(imp.I64, total, i64(int64(size))), func(k *kernelBuilder, _ *imp.Launch) {
		i := k.let("point", imp.Idx, id(imp.ThreadID))
		k.ifThen(less(imp.Idx, i, k.hostParam("points", total)), func() { f(k, k.unflatten(i, shape)) })
	})
}

// slots generates a kernel whose threads are the slots of a space; each takes points as far apart as there are slots.
func (c *hostBuilder) slots(form core.Form, sp core.Space, f func(k *kernelBuilder, is []imp.Exp)) {
	if form.Tasks > 0 {
		c.taskSlots(sp, f)
		return
	}
	total := c.let("points", imp.I64, c.total(sp.Sizes))
	slots := asPrim(c.operand(sp.Slots))
	c.points(form, "map", []core.Operand{sp.Slots}, func(k *kernelBuilder, is []imp.Exp) {
		k.vals[sp.Slot] = index(is[0], maxSize-1)
		n, step := k.hostParam("points", total), k.hostParam("slots", slots)
		k.stride("point", is[0], step, n, func(i imp.Exp) { f(k, k.unflatten(i, sp.Sizes)) })
	})
}

// unflatten takes a flat index apart, the last dimension varying fastest.
func (c *kernelBuilder) unflatten(i imp.Exp, shape []core.Operand) []imp.Exp {
	is := make([]imp.Exp, len(shape))
	for d := len(shape) - 1; d > 0; d-- {
		n := c.index(shape[d])
		is[d] = c.let("i", imp.Idx, rem(imp.Idx, i, n))
		i = c.let("i", imp.Idx, quot(imp.Idx, i, n))
	}
	if len(shape) > 0 {
		is[0] = i
	}
	return is
}

// bindIds binds a space's ids.
func (c *kernelBuilder) bindIds(s core.Space, is []imp.Exp) {
	c.ids = s.Ids
	for d, v := range s.Ids {
		c.vals[v] = below(is[d], s.Sizes[d])
	}
}

// shared declares an array of workgroup memory.
func (c *kernelBuilder) shared(name string, t imp.Type, count int) imp.Mem {
	c.k.Mems = append(c.k.Mems, imp.MemDecl{Name: name, Space: imp.Shared, Elem: t.Prim(), Count: count})
	return imp.Mem(len(c.k.Mems) - 1)
}

// private declares an array that each thread has to itself.
func (c *kernelBuilder) private(name string, elem prim.Type, count int) imp.Mem {
	c.k.Mems = append(c.k.Mems, imp.MemDecl{Name: name, Space: imp.Private, Elem: elem, Count: count})
	return imp.Mem(len(c.k.Mems) - 1)
}

// Note [Rooms of tables]
//
// How much of a table a histogram needs is often known only where it runs: 256 counters of the 58,000 that a workgroup has memory for. On
// devices that take sizes with each launch a table then is as large as needed, so that more workgroups run side by side, and the rest of
// the memory is the cache through which loads come.

// table declares an array of workgroup memory that has most elements, of which a launch needs as many as host code says: see Note [Rooms of
// tables].
func (c *kernelBuilder) table(name string, t imp.Type, most int, need imp.Exp) imp.Mem {
	m := c.shared(name, t, most)
	if _, known := intConst(need); c.l.facts.Rooms && !known {
		c.needs = append(c.needs, tableNeed{m, need})
	}
	return m
}

// tables is table for values of some types.
func (c *kernelBuilder) tables(types []imp.Type, most int, need imp.Exp) []imp.Mem {
	ms := make([]imp.Mem, len(types))
	for i, t := range types {
		ms[i] = c.table("part", t, most, need)
	}
	return ms
}

// tableNeed is how many elements a launch needs of an array of workgroup memory.
type tableNeed struct {
	mem   imp.Mem
	count imp.Exp
}

// makeRoom has launches say how large tables are, if these and what is between them fit where they are largest.
func (c *kernelBuilder) makeRoom() {
	bytes, room := 0, 0
	for i, m := range c.k.Mems {
		switch {
		case m.Space != imp.Shared:
		case slices.ContainsFunc(c.needs, func(n tableNeed) bool { return int(n.mem) == i }):
			room += imp.AlignRoom(m.Count * m.Elem.Size())
		default:
			bytes += m.Count * m.Elem.Size()
		}
	}
	if len(c.needs) == 0 || imp.AlignRoom(bytes)+room+imp.RoomAlign*(len(c.needs)-1) > c.l.facts.WideBytes {
		return
	}
	c.k.Room = room
	for _, n := range c.needs {
		m := &c.k.Mems[n.mem]
		m.Sized, m.Count = true, 0
		c.launch.Room = append(c.launch.Room, n.count)
	}
}

func (l *lowerer) kernelName(base string) string {
	l.kernels++
	return fmt.Sprintf("%s_%s_%d", l.fun.Name, base, l.kernels)
}

// segMap generates a segmented map.
func (c *hostBuilder) segMap(s *core.Stm, e *core.SegMap) {
	if e.Level == core.LevelGroup {
		c.groupMap(s, e)
		return
	}
	c.l.mapped = e
	c.mapForms(s, e, c.l.forms(e.Choice.Forms, c.where), nil)
	c.l.mapped = nil
}

// mapForms generates a segmented map in the first of some forms that suits the sizes; t is the plan of its tiles, if there is one already.
func (c *hostBuilder) mapForms(s *core.Stm, e *core.SegMap, forms []core.Form, t *tiledMap) {
	rest := func() { c.mapForms(s, e, forms[1:], t) }
	switch f := forms[0]; f.Way { //nolint:exhaustive // the verifier knows which forms maps have
	case core.WayTranspose:
		src, _ := choose.MapCopies(s, e, c.l.typeOf)
		c.transposed(f, s.Dst[0].Type, src, rest)
	case core.WayTile:
		if t == nil {
			t = c.tiledMap(s, e)
		}
		t.shape(c, f, rest)
	case core.WayChainUpdates:
		c.mapByChains(s, e, f, rest)
	default:
		if f.Side > 1 {
			c.mapBlocks(s, e, f, rest)
			return
		}
		if len(f.When) == 0 {
			c.mapPoints(s, e, f)
			return
		}
		few := c.condition(f.When, folding, func(core.Measure) imp.Exp { return c.total(e.Space.Sizes) })
		c.choose(few, func() { c.mapPoints(s, e, f) }, rest)
	}
}

// mapPoints generates a segmented map whose points do not work together.
func (c *hostBuilder) mapPoints(s *core.Stm, e *core.SegMap, f core.Form) {
	if f.Vector > 1 {
		c.makingFor(making{mapping: true}, func() { c.mapVectors(s, e, f) })
		return
	}
	c.mapOnce(s, func() {
		run := func(k *kernelBuilder, is []imp.Exp) { k.mapBody(s, e, is) }
		if e.Space.Slot != 0 {
			c.slots(f, e.Space, run)
		} else {
			c.points(f, "map", e.Space.Sizes, run)
		}
	})
}

// mapOnce generates the kernel of a segmented map of which each thread has a point, maybe beside host code.
func (c *hostBuilder) mapOnce(s *core.Stm, generate func()) {
	c.makingFor(making{mapping: true, beside: s}, generate)
}

// mapBody generates the body of a segmented map at the point with indices is.
func (c *kernelBuilder) mapBody(s *core.Stm, e *core.SegMap, is []imp.Exp) {
	c.bindIds(e.Space, is)
	c.body(&core.Body{Stms: e.Body.Stms})
	c.keep(s.Dst, e.Body.Res, is)
}

// keep writes the results of a body at one point to the arrays dst.
func (c *kernelBuilder) keep(dst []core.Param, res []core.Operand, is []imp.Exp) {
	for i, d := range dst {
		if d.Type.Kind == core.KindArray {
			c.keepOne(d.Type, res[i], is)
		}
	}
}

// keepOne writes one result, a scalar or an array, at the point is of an array
// of type t.
func (c *kernelBuilder) keepOne(t core.Type, res core.Operand, is []imp.Exp) {
	if res.IsConst() || c.l.typeOf(res.Var).IsScalar() {
		c.store(c.mem(t.Layout.Mem), c.place(t.Layout, is), asPrim(c.operand(res)))
		return
	}
	from := c.l.typeOf(res.Var)
	if c.writtenInPlace(t, from, is) {
		return
	}
	src, dst := c.mem(from.Layout.Mem), c.mem(t.Layout.Mem)
	c.eachElement(from.Shape, nil, func(js []imp.Exp) {
		x := c.load("x", src, c.place(from.Layout, js))
		at := append(append([]imp.Exp{}, is...), js...)
		c.store(dst, c.place(t.Layout, at), x.exp)
	})
}

// writtenInPlace reports whether an array of a point lies where the result has
// it: its offset is the point's, written with the ids of the space.
func (c *kernelBuilder) writtenInPlace(t, from core.Type, is []imp.Exp) bool {
	if t.Layout.Mem != from.Layout.Mem {
		return false
	}
	offset := t.Layout.Offset
	for d, i := range is {
		v, ok := c.idVar(i)
		if !ok {
			return false
		}
		offset = offset.Add(core.PolyVar(v).Mul(t.Layout.Strides[d]))
	}
	inner := &core.Layout{Mem: t.Layout.Mem, Offset: offset, Strides: t.Layout.Strides[len(is):]}
	return inner.Equal(from.Layout)
}

// idVar finds the source variable that is the index i.
func (c *kernelBuilder) idVar(i imp.Exp) (core.Var, bool) {
	for _, v := range c.ids {
		if c.vals[v].exp == i {
			return v, true
		}
	}
	return 0, false
}
