package lower

import (
	"fmt"
	"slices"

	"skald/middle/choose"
	"skald/middle/core"
	"skald/middle/imp"
	"skald/runtime/prim"
)

// Note [Kernels of workgroups]
//
// A segmented map of workgroups becomes a kernel with a workgroup for each point. What its body computes each thread computes for
// itself; what writes memory one thread does, or all share; a segmented operation inside is a loop over its points in which each
// thread has every GroupSize-th. All threads take the same branches and rounds: a condition or bound that is not known to be the same
// in all of them, one that was loaded say, goes through a uniform load first.
//
// Barriers stand where what follows reads or writes memory that was written, or writes memory that was read, since the last one
// (access). Branches and loops begin and end without such memory.
//
// The arrays of a workgroup lie in one arena for each type of element, those with atomic operations apart, one behind the other: where
// each begins the host computes from the sizes, and how many elements there are at once. What a body allocates is free behind it. An
// arena is as large as needed where that is constant, and else as large as the launch says (package imp's Note [Rooms]). If the arrays do
// not fit the workgroup memory that there is, the branch that holds the launch is left for the other (core.Versions), or, without one,
// the program fails.

// group is the state of the kernel of a workgroup that is being lowered.
type group struct {
	size int // threads of a workgroup
	// factor is how many elements of an operation a thread takes at a time, and flight how many it copies: Note [Elements of a thread].
	factor, flight int
	// most is how many points an operation inside has at most: anyNumber where nothing is known.
	most int64
	// uniform are variables that have the same value in all threads and are bound once.
	uniform map[imp.Var]bool
	// read and written are the blocks that were, since the last barrier.
	read, written map[core.Var]bool
	// running is the operation that is being generated, and reader the one that has read a block since the last barrier; nil where there
	// were several: Note [Updates behind reads].
	running *core.Stm
	reader  map[core.Var]*core.Stm
	arenas  []*arena
	// atomics are the blocks whose elements are updated atomically.
	atomics map[core.Var]bool
	// at is where a block begins in its arena, of which arena it is part, count how many elements it has, and places the first block
	// that lay there.
	at     map[core.Var]imp.Exp
	of     map[core.Var]*arena
	count  map[core.Var]core.Operand
	places map[core.Var]core.Var
	// after are the blocks that are free behind statements: see Note [Lives of workgroup arrays].
	after map[*core.Stm][]core.Var
	// copied has copies that are generated together, by the last of them; none for the others: see Note [Copies side by side].
	copied map[*core.Stm][]arrayCopy
	// temps are arrays that operations use one after the other; busy says that some are read since the last barrier.
	temps map[tempKey]imp.Mem
	busy  bool
	// held are the blocks that threads hold, and ways the operations that touch them, with how elements go to threads; slot is which of
	// its elements a thread is at, and handed says that what a thread handed over is read since the last barrier: Note [Arrays that
	// threads hold].
	held   map[core.Var]sharing
	ways   map[*core.Stm]sharing
	slot   imp.Exp
	handed bool
	// over is an element that a thread has handed over and that no thread has read yet; nil for none.
	over *handedOver
	// overs is how many have been handed over.
	overs int
	// padded says behind how many elements of a block one is unused, and tiles are the blocks of the scans that have their tiles there.
	padded map[core.Var]int
	tiles  map[*core.Stm][]core.Var
}

// arena is an array of workgroup memory in which arrays of one type lie.
type arena struct {
	elem   prim.Type
	atomic bool
	mem    imp.Mem
	// used is where the next array begins, peak the most that was used: i64 numbers of the host.
	used, peak imp.Exp
	free       []slot
}

// tempKey tells temporary arrays apart.
type tempKey struct {
	t     imp.Type
	n     int // which one of its type
	count int
}

// groupMap generates a segmented map whose points are workgroups: kernels with few threads, and the memory that is enough for them, where
// no operation inside has more points, and with all.
func (c *hostBuilder) groupMap(s *core.Stm, e *core.SegMap) {
	points := c.let("points", imp.I64, c.total(e.Space.Sizes))
	if c.taken != 0 && c.l.spent(c.where) {
		c.tooLarge()
		return
	}
	chosen := c.l.forms(e.Choice.Forms, c.where)
	last := len(chosen) - 1
	forms := []*groupForm{c.groupForm(s, e, points, chosen[last])}
	if last > 0 {
		largest := c.largestInside(e.Body)
		for _, small := range slices.Backward(chosen[:last]) {
			if c.l.spent(c.where) {
				break
			}
			f := c.groupForm(s, e, points, small)
			f.cond = c.condition(small.When, unfolded, func(core.Measure) imp.Exp { return largest })
			forms = append(forms, f)
		}
	}
	rest := c.within(func() { c.tooLarge() })
	for _, f := range forms {
		rest = c.launchFitting(f, rest)
	}
	*c.out = append(*c.out, rest...)
}

// largestInside computes how many points the largest operation of a workgroup's body has.
func (c *hostBuilder) largestInside(b *core.Body) imp.Exp {
	largest := imp.Exp(nil)
	core.Walk(b, func(s *core.Stm) bool {
		e, ok := s.Exp.(core.Seg)
		if !ok {
			return true
		}
		n := c.total(e.SpaceOf().Sizes)
		if largest == nil {
			largest = n
		} else {
			largest = most(largest, n)
		}
		return false
	})
	return c.let("largest", imp.I64, largest)
}

// groupForm is a kernel of workgroups of one size, its launch, and on what conditions it runs, nil for always: cond is that of the choice,
// fits that all arrays fit; never says that they never do.
type groupForm struct {
	kernel     *imp.Kernel
	launch     *imp.Launch
	cond, fits imp.Exp
	never      bool
}

// groupForm makes the kernel of a form.
func (c *hostBuilder) groupForm(s *core.Stm, e *core.SegMap, points imp.Exp, form core.Form) *groupForm {
	g := &group{
		size: form.Group, factor: max(1, form.Factor), flight: form.Flight, most: mostInside(form),
		uniform: map[imp.Var]bool{}, reader: map[core.Var]*core.Stm{}, read: map[core.Var]bool{}, written: map[core.Var]bool{},
		at: map[core.Var]imp.Exp{}, of: map[core.Var]*arena{}, count: map[core.Var]core.Operand{}, places: map[core.Var]core.Var{},
		after: c.l.livesIn(e.Body), temps: map[tempKey]imp.Mem{}, copied: map[*core.Stm][]arrayCopy{}, atomics: atomicBlocks(c.l, e.Body),
	}
	c.l.holdArrays(g, e.Body)
	f := &groupForm{}
	stms := c.within(func() {
		c.kernel("intra", g.size, points, func(k *kernelBuilder, _ *imp.Launch) {
			k.group, k.together = g, true
			k.bindIds(e.Space, k.unflatten(k.let("point", imp.Idx, id(imp.GroupID)), e.Space.Sizes))
			k.stms(e.Body.Stms)
			k.groupKeep(s.Dst, e.Body.Res, k.idExps(e.Space))
			k.layArenas(f, form.Room)
		})
	})
	last := len(stms) - 1 // the launch, behind what the host computes for it
	*c.out = append(*c.out, stms[:last]...)
	kernels := c.l.prog.Kernels
	f.kernel, f.launch = kernels[len(kernels)-1], stms[last].(*imp.Launch)
	c.l.prog.Kernels = kernels[:len(kernels)-1]
	return f
}

// mostInside is how many points an operation inside of a workgroup has at most where a form runs.
func mostInside(f core.Form) int64 {
	if len(f.When) == 1 && len(f.When[0]) == 1 {
		if b := f.When[0][0]; b.X == core.MeasureLargest && b.Op == core.AtMost {
			return int64(b.By)
		}
	}
	return anyNumber
}

// launchFitting is the launch of a kernel where it runs, or else what rest is.
func (c *hostBuilder) launchFitting(f *groupForm, rest []imp.Stm) []imp.Stm {
	if f.never {
		return rest
	}
	c.l.prog.Kernels = append(c.l.prog.Kernels, f.kernel) // which has been counted when it was made
	cond := f.cond
	if f.fits != nil {
		cond = f.fits
		if f.cond != nil {
			cond = and(f.cond, f.fits)
		}
	}
	if cond == nil {
		return []imp.Stm{f.launch}
	}
	return []imp.Stm{&imp.If{Cond: cond, Then: []imp.Stm{f.launch}, Else: rest}}
}

// tooLarge generates what happens where the arrays of a workgroup do not fit: another version runs, or the program fails.
func (c *hostBuilder) tooLarge() {
	if c.taken != 0 {
		c.set(c.taken, boolConst(false))
		return
	}
	text := "The arrays of a workgroup do not fit its memory."
	c.emit(&imp.Assert{Cond: boolConst(false), Site: c.l.site(imp.Site{Where: siteText(c.where), Text: text})})
}

func boolConst(b bool) imp.Exp { return &imp.Const{Type: imp.Bool, Value: prim.MakeBool(b)} }

// idExps are the indices of a space that bindIds has bound.
func (c *kernelBuilder) idExps(s core.Space) []imp.Exp {
	is := make([]imp.Exp, len(s.Ids))
	for i, v := range s.Ids {
		is[i] = c.vals[v].exp
	}
	return is
}

// updates reports whether an operation may update elements atomically.
func updates(e core.Exp) bool {
	switch core.Match(e).(type) {
	case *core.SegHist, *core.WithAcc:
		return true
	default:
		return false
	}
}

// atomicBlocks finds the blocks whose elements a body updates atomically, by operators that can.
func atomicBlocks(l *lowerer, b *core.Body) map[core.Var]bool {
	found := map[core.Var]bool{}
	if !core.Any(b, updates) {
		return found
	}
	arrays := map[core.Var]core.Type{}
	note := func(ps []core.Param) {
		for _, p := range ps {
			arrays[p.Var] = p.Type
		}
	}
	mark := func(op *core.Lambda, vs []core.Var) {
		for _, v := range vs {
			if t, ok := arrays[v]; ok && op != nil && l.device.Atomic(op, choose.InShared) {
				found[t.Layout.Mem] = true
			}
		}
	}
	core.Walk(b, func(s *core.Stm) bool {
		switch e := core.Match(s.Exp).(type) {
		case *core.Loop:
			note(e.Params)
		case *core.SegHist:
			for _, op := range e.Ops {
				mark(op.Lambda, op.Dests)
			}
		case *core.WithAcc:
			for _, in := range e.Inputs {
				mark(in.Op, in.Arrays)
			}
		default:
		}
		note(s.Dst)
		return true
	})
	return found
}

// groupAlloc finds a block of a workgroup its place in an arena. Blocks begin at multiples of widestRead bytes: compilers join reads of
// neighbouring elements to reads of as many, which otherwise cover elements of the next block that another thread writes.
func (c *kernelBuilder) groupAlloc(v core.Var, e *core.Alloc) {
	g := c.group
	if g.held[v] != anyhow {
		c.mems[v] = c.private(c.l.memName(v), e.Elem, g.factor)
		return
	}
	a, n := c.arena(e.Elem, g.atomics[v]), e.Count
	if g.isTile(v) {
		n = core.Int(int64(g.size * g.factor))
	}
	c.mems[v], g.of[v], g.count[v] = a.mem, a, n
	if g.reuse(v, a, n) {
		return
	}
	count := asPrim(c.host.operand(n))
	if every := g.padded[v]; every > 0 {
		count = add(imp.I64, count, quot(imp.I64, count, i64(int64(every))))
	}
	at := a.used
	if apart := int64(widestRead / e.Elem.Size()); apart > 1 {
		at = c.host.let("at", imp.I64, roundUp(imp.I64, at, i64(apart)))
	}
	a.used = c.host.let("used", imp.I64, add(imp.I64, at, count))
	a.peak = c.host.let("peak", imp.I64, most(a.peak, a.used))
	if n, ok := intConst(at); !ok || n != 0 {
		g.at[v] = c.hostParam("at", at)
	}
}

// most is the larger one of two numbers of the host.
func most(x, y imp.Exp) imp.Exp { return bin(prim.Max, imp.I64, x, y) }

// arena is the arena of a type of element.
func (c *kernelBuilder) arena(elem prim.Type, atomic bool) *arena {
	g := c.group
	for _, a := range g.arenas {
		if a.elem == elem && a.atomic == atomic {
			return a
		}
	}
	a := &arena{elem: elem, atomic: atomic, mem: c.shared(fmt.Sprintf("arena_%d", len(g.arenas)), imp.Of(elem), 1), used: i64(0), peak: i64(0)}
	g.arenas = append(g.arenas, a)
	return a
}

// scoped runs f for a body: what it allocates is free again behind it.
func (c *kernelBuilder) scoped(f func()) {
	g := c.group
	marks := make([]arena, len(g.arenas))
	for i, a := range g.arenas {
		marks[i] = *a
		marks[i].free = slices.Clone(a.free)
	}
	f()
	for i, a := range g.arenas {
		a.used, a.free = i64(0), nil
		if i < len(marks) {
			a.used, a.free = marks[i].used, marks[i].free
		}
	}
}

// layArenas decides how large the arenas are: as large as needed where that is constant, else as each launch says, where they fit. room is
// the most bytes that those have, if it is not zero.
func (c *kernelBuilder) layArenas(f *groupForm, room int) {
	g, facts := c.group, c.l.facts
	left := facts.WideBytes
	for i, m := range c.k.Mems {
		isArena := slices.ContainsFunc(g.arenas, func(a *arena) bool { return int(a.mem) == i })
		if m.Space == imp.Shared && !isArena {
			left -= imp.AlignRoom(m.Count * facts.SharedSize(m.Elem)) // As devices place each.
		}
	}
	var sized []*arena
	for _, a := range g.arenas {
		n, ok := intConst(a.peak)
		if !ok {
			sized = append(sized, a)
			continue
		}
		size := facts.SharedSize(a.elem)
		n = min(max(n, 1), int64(left/size)+1)
		c.k.Mems[a.mem].Count = int(n)
		left -= imp.AlignRoom(int(n) * size)
	}
	if len(sized) > 0 && room > 0 {
		left = min(left, room)
	}
	if f.never = left < 0; !f.never && len(sized) > 0 {
		c.sizeArenas(f, sized, left)
	}
}

// sizeArenas has launches say how large arenas are, which have so many bytes together.
func (c *kernelBuilder) sizeArenas(f *groupForm, sized []*arena, left int) {
	room := left - imp.RoomAlign*len(sized) // Each begins aligned.
	if room <= 0 {
		f.never = true
		return
	}
	c.k.Room = room
	total := imp.Exp(nil)
	for _, a := range sized {
		m := &c.k.Mems[a.mem]
		m.Sized, m.Count = true, 0
		c.launch.Room = append(c.launch.Room, a.peak)
		size := int64(c.l.facts.SharedSize(a.elem))
		// Each by itself is small, so that the sum does not overflow.
		fits := lessEq(imp.I64, a.peak, i64(int64(room)/size))
		bytes := mul(imp.I64, a.peak, i64(size))
		if total == nil {
			f.fits, total = fits, bytes
			continue
		}
		f.fits, total = and(f.fits, fits), add(imp.I64, total, bytes)
	}
	if len(sized) > 1 {
		f.fits = and(f.fits, lessEq(imp.I64, total, i64(int64(room))))
	}
}

// ifVersions generates an If whose Then runs only if its kernels fit: see core.Versions.
func (c *hostBuilder) ifVersions(s *core.Stm, e *core.If) {
	cond := c.operand(e.Cond)
	outer := c.taken
	taken := c.letVar("taken", imp.Bool, cond.exp)
	c.taken = taken
	var thenVals, elseVals []value
	then := c.within(func() { thenVals = c.version(e, e.Then) })
	c.taken = outer
	other := c.within(func() { elseVals = c.body(e.Else) }) // It cannot be left out: the arrays of the other may not fit.
	js, types := c.join(s.Dst, [][]value{thenVals, elseVals}, nil)
	c.setJoined(&then, js, types, e.Then, thenVals)
	c.setJoined(&other, js, types, e.Else, elseVals)
	c.emit(&imp.If{Cond: use(taken), Then: then})
	not := &imp.Un{Op: prim.Not, Type: imp.Bool, X: use(taken)}
	c.emit(&imp.If{Cond: not, Then: other})
}
