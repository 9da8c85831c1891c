package core

import "slices"

// Note [Workgroup kernels]
//
// A SegMap of LevelGroup has a workgroup for each point. Its body is code that all threads of the workgroup run together: they agree on
// every scalar, on what branches and loops do, and each array that the code makes belongs to the workgroup. Segmented operations of
// LevelInGroup in it, at any depth of branches, loops and WithAcc lambdas, share their points among the threads; the code inside
// of these is sequential, as in other kernels. What one operation writes the next ones see.

// Level says which hardware parallelism runs a segmented operation.
type Level uint8

const (
	// LevelGrid has a thread of the grid for each point of the space.
	LevelGrid Level = iota
	// LevelGroup has a whole workgroup for each point of the space; the body
	// then holds operations of LevelInGroup.
	LevelGroup
	// LevelInGroup shares the points among the threads of one workgroup.
	LevelInGroup
)

// Space is the index space of a segmented operation, outermost first. Ids are
// bound, as i64, in its body.
//
// A SegMap whose points share memory has Slot, which is bound as well: at most
// Slots points run side by side, and those have different numbers below Slots
// for their Slot. Elsewhere Slot is zero.
type Space struct {
	Ids   []Var
	Sizes []Operand
	Slot  Var
	Slots Operand
}

// ChoiceOf is how the device runs an operation; nil before the stage of choices.
func ChoiceOf(e Seg) *Choice { return e.choice() }

// Binds are the variables that a space binds.
func (s Space) Binds() []Var {
	if s.Slot == 0 {
		return s.Ids
	}
	return append(slices.Clip(s.Ids), s.Slot)
}

// params are the variables that a space binds, with their type.
func (s Space) params() []Param {
	ps := make([]Param, 0, len(s.Ids)+1)
	for _, v := range s.Binds() {
		ps = append(ps, Param{Var: v, Type: I64})
	}
	return ps
}

func (m Mapper) space(s Space) Space {
	out := Space{Sizes: m.operands(s.Sizes)}
	if s.Slot != 0 {
		out.Slots, out.Slot = m.operand(s.Slots), m.bind(s.Slot)
	}
	out.Ids = mapSlice(s.Ids, m.bind, equal)
	return out
}

func sameSpace(s, t Space) bool {
	return sameSlice(s.Sizes, t.Sizes) && sameSlice(s.Ids, t.Ids) && s.Slots == t.Slots && s.Slot == t.Slot
}

// mayAccs tells which accumulators results are: other results are written to arrays of their own.
func mayAccs(dst []Param, b *Body, may func(Param, Operand)) {
	for i, p := range dst {
		if p.Type.Kind == KindAcc {
			may(p, b.Res[i])
		}
	}
}

func (p *printer) segHead(name string, l Level, s Space, ret []Type, c *Choice) {
	p.writef("%s.%s (", name, l)
	for i, id := range s.Ids {
		if i > 0 {
			p.out.WriteString(", ")
		}
		p.writef("%s < %s", p.v(id), p.op(s.Sizes[i]))
	}
	p.out.WriteString(")")
	if s.Slot != 0 {
		p.writef(" slots (%s < %s)", p.v(s.Slot), p.op(s.Slots))
	}
	p.writef(" (%s) ", p.types(ret))
	p.choice(c)
}

// segOps writes a segmented operation with operators.
func (p *printer) segOps(name string, l Level, s Space, ret []Type, c *Choice, ops []Operator, b *Body) {
	p.segHead(name, l, s, ret, c)
	p.out.WriteString("ops ")
	p.operators(ops)
	p.out.WriteByte(' ')
	p.body(b)
}

// seg reads a segmented operation after its name and level.
func (p *parser) seg(name, levelName string) Exp {
	level := Level(0)
	for i, n := range levelNames {
		if n == levelName {
			level = Level(i)
		}
	}
	space := p.space()
	ret := p.typesList()
	choice := p.choice()
	switch name {
	case "segmap":
		tiling := p.tiling()
		return &SegMap{level, space, p.body(), ret, tiling, choice}
	case "seghist":
		p.expect("ops")
		ops := p.histOps()
		return &SegHist{level, space, ops, p.body(), ret, choice}
	}
	p.expect("ops")
	ops := p.operators()
	if name == "segred" {
		return &SegRed{level, space, ops, p.body(), ret, choice}
	}
	scan := &SegScan{Level: level, Space: space, Ops: ops, Body: p.body(), Ret: ret, Choice: choice}
	if p.accept("post") {
		scan.Post = p.lambda()
	}
	return scan
}

func (p *parser) space() Space {
	var space Space
	list(p, "(", ")", func() bool {
		space.Ids = append(space.Ids, p.v())
		p.expect("<")
		space.Sizes = append(space.Sizes, p.op())
		return true
	})
	if p.accept("slots") {
		p.expect("(")
		space.Slot = p.v()
		p.expect("<")
		space.Slots = p.op()
		p.expect(")")
	}
	return space
}

// seg checks the space and the body of a segmented operation.
func (v *verifier) seg(l Level, s Space, b *Body, ret []Type) {
	mark := append([]bool(nil), v.visible...)
	for i, id := range s.Ids {
		v.want(s.Sizes[i], I64, "size")
		v.bindAll([]Param{{Var: id, Type: I64}})
	}
	if s.Slot != 0 {
		v.want(s.Slots, I64, "number of slots")
		v.bindAll([]Param{{Var: s.Slot, Type: I64}})
	}
	kernel, group := v.inKernel, v.inGroup
	v.inKernel, v.inGroup = l != LevelGroup, l != LevelGrid
	v.body(b, ret, nil)
	v.inKernel, v.inGroup = kernel, group
	v.visible = mark
}

// segPost checks the map of a scan's results, after the rest of the scan.
func (v *verifier) segPost(l Level, s Space, post *Lambda, args []Type) {
	for _, t := range append(slices.Clone(args), post.Ret...) {
		if t.Kind != KindScalar && t.Kind != KindAcc {
			v.fail("a map of what a scan returns has a result, or a parameter, that is an array")
		}
	}
	mark := append([]bool(nil), v.visible...)
	for _, id := range s.Ids {
		v.visible[id] = true
	}
	kernel, group := v.inKernel, v.inGroup
	v.inKernel, v.inGroup = true, l != LevelGrid
	v.lambdaOn(post, args, nil)
	v.inKernel, v.inGroup = kernel, group
	v.visible = mark
}
