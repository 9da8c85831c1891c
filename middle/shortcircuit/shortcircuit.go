package shortcircuit

import (
	"slices"

	"skald/middle/core"
	"skald/middle/expand"
	"skald/middle/functions"
	"skald/middle/pass"
)

// Pass makes arrays where they are copied to.
var Pass = pass.Pass[*core.Prog, *core.Prog]{
	Name: "short-circuit",
	Doc:  "make arrays where updates, concatenations, literals and copies put them",
	Run: func(ctx *pass.Context, p *core.Prog) *core.Prog {
		return functions.Map(p, func(f *core.Fun) *core.Fun { return function(ctx, f) })
	},
}

// circuit works on one function. Its scope has the types with the layouts that have been decided so far.
type circuit struct {
	fun    *core.Fun // for names of its own
	ctx    *pass.Context
	scope  *core.Scope
	blocks blocks
	counts map[core.Var]core.Operand // how many elements blocks have that are allocated
	made   map[core.Var][]made       // what lies in a block, in the order of the program, by block
	facts  facts
	guard  map[core.Var][]core.Var // assertions that the regions exist which arrays have been put into
}

// made is an array and the statement that binds it, as a result or as a parameter.
type made struct {
	array core.Var
	by    *core.Stm
}

func function(ctx *pass.Context, f *core.Fun) *core.Fun {
	if f.DeviceFunction {
		return f
	}
	g := *f
	g.Names = slices.Clip(f.Names)
	c := newCircuit(&g)
	c.ctx = ctx
	g.Body = c.body(f.Body)
	return &g
}

func newCircuit(f *core.Fun) *circuit {
	c := &circuit{
		fun: f, scope: &core.Scope{}, blocks: blocks{}, counts: map[core.Var]core.Operand{}, made: map[core.Var][]made{},
		facts: newFacts(), guard: map[core.Var][]core.Var{},
	}
	for _, g := range f.Globals {
		c.scope.Bind(g.Param)
	}
	c.scope.BindAll(f.Params)
	c.scope.BindBody(f.Body)
	for _, q := range f.Params {
		c.facts.param(q)
	}
	c.look(f.Body)
	return c
}

// look collects what lies in each block, which blocks may be one, and what is known of sizes.
func (c *circuit) look(b *core.Body) {
	for _, s := range b.Stms {
		c.blocks.join(s)
		c.facts.stm(s)
		c.lies(s, s.Dst)
		switch e := core.Match(s.Exp).(type) {
		case *core.Loop:
			c.lies(s, e.Params)
		case *core.Alloc:
			c.counts[s.Dst[0].Var] = e.Count
		default:
		}
		core.MapBodies(s.Exp, func(in *core.Body) *core.Body { c.look(in); return in })
	}
}

func (c *circuit) lies(s *core.Stm, ps []core.Param) {
	for _, q := range ps {
		c.facts.param(q)
		if q.Type.IsArray() {
			mem := q.Type.Layout.Mem
			c.made[mem] = append(c.made[mem], made{q.Var, s})
		}
	}
}

// body decides for a body, and then for those inside.
func (c *circuit) body(b *core.Body) *core.Body {
	out := &core.Body{Stms: slices.Clone(c.decide(b)), Res: b.Res}
	for i, s := range out.Stms {
		out.Stms[i] = c.stm(s)
	}
	return out
}

// stm is a statement with what has been decided for it.
func (c *circuit) stm(s *core.Stm) *core.Stm {
	n := *s
	n.Exp = core.MapBodies(s.Exp, c.body)
	n.Dst = c.placed(s.Dst)
	if e, ok := n.Exp.(*core.Loop); ok {
		l := *e
		l.Params = c.placed(e.Params)
		n.Exp = &l
	}
	return &n
}

func (c *circuit) placed(ps []core.Param) []core.Param {
	out := slices.Clone(ps)
	for i, q := range ps {
		out[i].Type.Layout = c.scope.TypeOf(q.Var).Layout
	}
	return out
}

// decide finds the copies of a body that can be saved, the last first, and returns its statements in their new order.
func (c *circuit) decide(b *core.Body) []*core.Stm {
	d := c.newOrder(b)
	for m, s := range slices.Backward(b.Stms) {
		switch e := core.Match(s.Exp).(type) {
		case *core.Update:
			d.copied(m, e.Value.Var, e.Array, func() *core.Layout { return c.layout(e.Array).Sliced(e.Slice) })
		case *core.Copy:
			d.copied(m, e.Array, s.Dst[0].Var, func() *core.Layout { return c.layout(s.Dst[0].Var) })
		case *core.ArrayLit:
			for k, x := range slices.Backward(e.Elems) {
				d.copied(m, x.Var, s.Dst[0].Var, func() *core.Layout {
					t := c.scope.TypeOf(s.Dst[0].Var)
					return t.Layout.Sliced(core.FullSlice(t, core.Int(int64(k))))
				})
			}
		default:
		}
	}
	return d.stms()
}

func (c *circuit) layout(v core.Var) *core.Layout { return c.scope.TypeOf(v).Layout }

// copied makes an array that statement m copies to a region of another there, if that can be.
func (d *order) copied(m int, v, whole core.Var, region func() *core.Layout) {
	if v == 0 || !d.scope.TypeOf(v).IsArray() {
		return
	}
	block := d.layout(v).Mem
	_, fresh := d.allocs[block]
	branch := d.branch(block)
	if !fresh && !branch || d.gone[block] {
		return
	}
	to := region()
	if to.Mem == block || !d.suits(v, to) || branch && d.blocks.mayBeOne(to.Mem, block) {
		return
	}
	uses := d.uses()[block]
	if len(uses) == 0 || m-uses[0] > mostBetween || branch && !d.returnsOne(d.body.Stms[uses[0]], block) ||
		d.isFaster(block, to.Mem) && d.isRead(m, block) {
		return
	}
	certs, ok := d.guards(whole, uses[0])
	if !ok {
		return
	}
	certs = slices.Concat(certs, d.body.Stms[m].Aux.Certs)
	moves, ok := d.moves(uses[0], to, certs)
	if !ok {
		return
	}
	layouts, placed := d.layouts(v, to)
	there := core.Type{Kind: core.KindArray, Shape: d.scope.TypeOf(v).Shape, Layout: to}
	if !placed || d.conflicts(m, block, there, layouts) || !d.cheap(m, block, layouts) {
		return
	}
	d.move(moves, uses[0])
	for _, a := range d.made[block] {
		d.guard[a.array] = certs
	}
	if branch {
		d.copyInside(block, layouts)
	}
	d.replace(block, to.Mem, layouts)
}

// mostBetween is how many statements there may be between the making of an array and its copy: it bounds what is looked at for one copy.
const mostBetween = 512

// suits reports whether an array may be in a region at all: in memory of the same kind, and with elements that words hold one of, as a
// word at the edge of the region would belong to two threads.
func (d *order) suits(v core.Var, to *core.Layout) bool {
	from, into := d.scope.TypeOf(d.layout(v).Mem), d.scope.TypeOf(to.Mem)
	if from.Elem != into.Elem || from.Space != into.Space {
		return false
	}
	return from.Elem.Size() >= 4 || from.Space != core.SpaceDevice
}

// ofGrid says that an array may be one of a thread of the grid.
const ofGrid = true

// isFaster reports whether a block of a kernel's points will lie in private memory, and another will not (package expand).
func (d *order) isFaster(block, other core.Var) bool {
	private := func(v core.Var) bool {
		t := core.ArrayOf(core.ScalarType(d.scope.TypeOf(v).Elem), d.counts[v])
		return expand.IsPrivate(d.ctx, t, ofGrid)
	}
	return d.scope.TypeOf(block).Space == core.SpacePrivate && private(block) && !private(other)
}

// replace puts all that lies in a block into another.
func (d *order) replace(block, into core.Var, layouts map[core.Var]*core.Layout) {
	for _, a := range d.made[block] {
		t := d.scope.TypeOf(a.array)
		t.Layout = layouts[a.array]
		d.scope.Bind(core.Param{Var: a.array, Type: t})
	}
	d.made[into] = append(d.made[into], d.made[block]...)
	delete(d.made, block)
	d.gone[block] = true
	merged := slices.Concat(d.used[into], d.used[block])
	slices.Sort(merged)
	d.used[into] = slices.Compact(merged)
	delete(d.used, block)
}
