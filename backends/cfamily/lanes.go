package cfamily

import (
	"fmt"

	"skald/middle/imp"
	"skald/runtime/prim"
)

// Note [Lanes]
//
// A compiler of C vectorises innermost loops, which in the body of a parallel loop are the sequential ones: their iterations wait for each
// other, while those of the loop around them do not. So where all iterations of a parallel loop run an inner loop equally often, some of
// them, the lanes, run it together: the body is split at such loops into runs of statements, each of which is a loop over the lanes, and
// the inner loops stand around these. A variable that one run leaves for another is an array of one element a lane, but for what is
// computed from the lane's number by adding: each run computes that again, so that the compiler sees which accesses are neighbours. An
// assertion is a place to split, too: first a loop without branches finds whether any lane fails, and only then one that says which.
//
//	parallel for j < n {                      for (base = 0; base < n; base += LANES) {
//	  let acc = 0                               for (lane …) { acc[lane] = 0; }
//	  for k < m {                               for (k = 0; k < m; k++) {
//	    acc = acc + a[k] * b[k * n + j]           for (lane …) { acc[lane] = acc[lane] + a[k] * b[k * n + base + lane]; }
//	  }                                         }
//	  c[j] = acc                                for (lane …) { c[base + lane] = acc[lane]; }
//	}                                         }
//
// It is done where the loops over the lanes that are in inner loops can be vectorised, and neighbouring lanes access the same element or
// neighbouring ones there (Printer.together): else a parallel loop is printed as it is. What runs once an iteration costs no more in a
// loop over lanes of its own than it did before.

// laneIndex is the variable of loops over lanes.
const laneIndex = "lane_i"

// mostPrivate is the most bytes of private arrays that lanes have together.
const mostPrivate = 1 << 16

// lanes is what is known while a parallel loop is printed.
type lanes struct {
	iteration map[imp.Mem]bool // private arrays that are an iteration's own
	perLane   map[imp.Mem]bool // those of which each lane has one
	inLanes   map[imp.Var]bool // variables that are arrays, of one element a lane
	split     *imp.Strides     // of the loop that is printed by lanes, nil outside of such
	// laneCount and laneBase name how many lanes there are and the iteration of the first.
	laneCount, laneBase string
	linear              []*imp.Let // what each loop over lanes computes again
}

func (l *lanes) init() {
	l.iteration, l.perLane, l.inLanes = map[imp.Mem]bool{}, map[imp.Mem]bool{}, map[imp.Var]bool{}
}

// parallelFor prints a loop whose iterations are independent.
func (p *Printer) parallelFor(s *imp.For) {
	private := p.privateOf(s)
	split := p.together(s, private)
	if split == nil {
		p.ownArrays(s, private)
		return
	}
	p.byLanes(split, private)
}

// privateOf lists the private arrays that only the body of a loop mentions.
func (p *Printer) privateOf(s *imp.For) []imp.Mem {
	inside, all := mentions(s.Body), mentions(p.Kernel.Body)
	var out []imp.Mem
	for i, d := range p.Kernel.Mems {
		if m := imp.Mem(i); d.Space == imp.Private && inside[m] > 0 && inside[m] == all[m] && !p.iteration[m] {
			out = append(out, m)
		}
	}
	return out
}

// mentions counts how often arrays are accessed.
func mentions(body []imp.Stm) map[imp.Mem]int {
	n := map[imp.Mem]int{}
	imp.EachAccess(body, func(m imp.Mem) { n[m]++ })
	return n
}

// ownArrays prints a parallel loop as it is: private arrays are declared in its body.
func (p *Printer) ownArrays(s *imp.For, private []imp.Mem) {
	if p.lang.Parallel != "" && !imp.Any(s.Body, imp.MayLoop) {
		p.Line("%s", p.lang.Parallel)
	}
	p.ForHead(s)
	p.EnterLoop(s)
	p.Depth++
	for _, m := range private {
		p.iteration[m] = true
		p.Line("%s %s[%d];", MemType(p.Kernel.Mems[m].Elem), p.Mems[m], max(p.Kernel.Mems[m].Count, 1))
	}
	p.Stms(s.Body)
	p.Depth--
	p.Line("}")
}

// together says how lanes of a parallel loop run together; nil if they do not.
func (p *Printer) together(s *imp.For, private []imp.Mem) *imp.Strides {
	bytes := 0
	for _, m := range private {
		bytes += p.Kernel.Mems[m].Count * p.Kernel.Mems[m].Elem.Size() * p.lang.Lanes
	}
	out := imp.StridesOf(p.Kernel, s)
	if p.Function != nil || p.InRegion || bytes > mostPrivate || !p.collectSplit(out, s.Body, straightLine) || !p.splits(out, s.Body) {
		return nil
	}
	return out
}

// Arguments of collectSplit: whether the statements are the body of an inner loop.
const (
	innerLoop    = true
	straightLine = false
)

// collectSplit notes what the statements that lanes run together bind, outside of branches and loops of single lanes, and reports whether
// loops over lanes can be vectorised: those in inner loops, of which repeated says that the body is one.
func (p *Printer) collectSplit(l *imp.Strides, body []imp.Stm, repeated bool) bool {
	for _, s := range body {
		switch s := imp.MatchStm(s).(type) {
		case *imp.Let:
			if !p.Mutable[s.Var] {
				l.Defs[s.Var] = s.Exp
			}
		case *imp.For:
			if s.Parallel || !l.Uniform(s.Bound) || !p.collectSplit(l, s.Body, innerLoop) {
				return false
			}
			continue
		case *imp.If:
			if p.splitsAt(l, s) {
				if !p.collectSplit(l, s.Then, repeated) || !p.collectSplit(l, s.Else, repeated) {
					return false
				}
				continue
			}
		default:
		}
		if !p.laneStraight(s) || repeated && !p.vectorisable(l, s) {
			return false
		}
	}
	return true
}

// laneStraight reports whether a loop over lanes may have a statement: it is one without loops, and nothing in it waits for other lanes.
func (p *Printer) laneStraight(s imp.Stm) bool {
	ok := true
	imp.Walk([]imp.Stm{s}, func(in imp.Stm) bool {
		switch in := imp.MatchStm(in).(type) {
		case *imp.Let, *imp.Set, *imp.If, *imp.Comment:
		case *imp.Assert:
			ok = ok && imp.Stm(in) == s // within a branch it would be one in the loop
		case *imp.Store:
			ok = ok && !p.shared[in.Mem]
		case *imp.StoreVec:
			ok = ok && !p.shared[in.Mem]
		default:
			ok = false
		}
		return ok
	})
	return ok
}

// vectorisable reports whether compilers vectorise a statement in a loop over lanes.
func (p *Printer) vectorisable(l *imp.Strides, s imp.Stm) bool {
	ok := true
	imp.Walk([]imp.Stm{s}, func(in imp.Stm) bool {
		imp.WalkExps(in, func(e imp.Exp) { ok = ok && p.inline(l, e) })
		switch in := imp.MatchStm(in).(type) {
		case *imp.Store:
			ok = ok && p.near(l, in.Mem, in.Index)
		case *imp.StoreVec:
			ok = false
		default:
		}
		return ok
	})
	return ok
}

// inline reports whether an expression, without those in it, is instructions of the processor for several lanes.
func (p *Printer) inline(l *imp.Strides, e imp.Exp) bool {
	switch e := imp.Match(e).(type) {
	case *imp.Load:
		return p.near(l, e.Mem, e.Index)
	case *imp.CallFunc:
		return inlineFuncs[e.Func]
	case *imp.Bin:
		switch e.Op { //nolint:exhaustive // the others are instructions
		case prim.Pow:
			return false
		case prim.Div:
			return !e.Type.IsInt() || p.constantDivisor(e)
		case prim.Mod, prim.Quot, prim.Rem:
			return p.constantDivisor(e)
		default:
		}
	default:
	}
	return true
}

// constantDivisor reports whether a quotient or remainder is multiplications that processors have for several lanes: by a constant, in
// at most 32 bits.
func (p *Printer) constantDivisor(e *imp.Bin) bool {
	_, constant := e.Y.(*imp.Const)
	return constant && e.Type.IsInt() && p.prim(e.Type).Bits() <= 32
}

// inlineFuncs are the functions that C compilers have instructions for.
var inlineFuncs = map[prim.Func]bool{
	prim.Sqrt: true, prim.Floor: true, prim.Ceil: true, prim.Round: true, prim.Trunc: true, prim.Fma: true, prim.Recip: true,
	prim.IsNaN: true, prim.IsInf: true, prim.ToBits: true, prim.FromBits: true, prim.CopySign: true,
}

// near reports whether lanes access the same element, or neighbouring lanes neighbouring ones. Private arrays lie so.
func (p *Printer) near(l *imp.Strides, m imp.Mem, index imp.Exp) bool {
	if p.Kernel.Mems[m].Space == imp.Private {
		_, ok := l.Of(index)
		return ok
	}
	n, ok := l.Of(index)
	return ok && (n == 0 || n == 1) && !p.shared[m]
}

// splits reports whether there is a loop or an assertion to split a body at.
func (p *Printer) splits(l *imp.Strides, body []imp.Stm) bool {
	for _, s := range body {
		if p.splitsAt(l, s) {
			return true
		}
	}
	return false
}

// splitsAt reports whether all lanes run a statement together.
func (p *Printer) splitsAt(l *imp.Strides, s imp.Stm) bool {
	switch s := imp.MatchStm(s).(type) {
	case *imp.For, *imp.Assert:
		return true
	case *imp.If:
		return l.Uniform(s.Cond) && (imp.Any(s.Then, imp.MayLoop) || imp.Any(s.Else, imp.MayLoop))
	default:
		return false
	}
}

// byLanes prints a parallel loop by lanes.
func (p *Printer) byLanes(l *imp.Strides, private []imp.Mem) {
	count, base := p.Temp("lanes"), p.Temp("base")
	bound := p.Temp("bound")
	saved := p.Vars[l.Loop.Var]
	p.Line("{")
	p.Depth++
	p.Line("const %s %s = %s;", p.lang.Idx, bound, p.Plain(l.Loop.Bound))
	for _, v := range p.crossing(l) {
		p.Line("%s %s[%d];", p.RegType(p.Kernel.Vars[v].Type), p.Vars[v], p.lang.Lanes)
		p.Vars[v] += "[" + laneIndex + "]"
		p.Hoisted[v] = true // it is declared
		p.inLanes[v] = true
	}
	for _, m := range private {
		p.iteration[m], p.perLane[m] = true, true
		p.Line("%s %s[%d];", MemType(p.Kernel.Mems[m].Elem), p.Mems[m], max(p.Kernel.Mems[m].Count, 1)*p.lang.Lanes)
	}
	p.Line("for (%[1]s %[2]s = 0; %[2]s < %[3]s; %[2]s += %[4]d) {", p.lang.Idx, base, bound, p.lang.Lanes)
	p.Depth++
	p.poll()
	p.Line("const %s %s = %s - %s < %d ? %s - %s : %d;", p.lang.Idx, count, bound, base, p.lang.Lanes, bound, base, p.lang.Lanes)
	p.split, p.laneCount, p.laneBase = l, count, base
	p.laneStms(l.Loop.Body)
	p.split = nil
	p.Depth--
	p.Line("}")
	p.Depth--
	p.Line("}")
	p.Vars[l.Loop.Var] = saved
}

// laneStms prints statements that all lanes run together: runs of those that each lane runs by itself, and what is between.
func (p *Printer) laneStms(body []imp.Stm) {
	var run []imp.Stm
	outer := p.linear
	defer func() { p.linear = outer }()
	end := func() {
		if len(run) > 0 {
			p.laneLoop(func() { p.Stms(run) })
		}
		run = nil
	}
	for _, s := range body {
		let, isLet := s.(*imp.Let)
		switch {
		case isLet && p.once(p.split, let):
			p.Stm(s) // before the run, which it does not depend on
		case isLet && p.again(p.split, let):
			p.linear = append(p.linear[:len(p.linear):len(p.linear)], let)
		case p.splitsAt(p.split, s):
			end()
			p.laneStm(s)
		default:
			run = append(run, s)
		}
	}
	end()
}

// once reports whether a variable is computed once for all lanes.
func (p *Printer) once(l *imp.Strides, s *imp.Let) bool {
	_, known := l.Defs[s.Var]
	return known && l.Uniform(s.Exp)
}

// again reports whether a variable is the number of a lane plus what is the same for all.
func (p *Printer) again(l *imp.Strides, s *imp.Let) bool {
	_, known := l.Defs[s.Var]
	n, ok := l.Of(s.Exp)
	return known && ok && n != 0
}

// laneLoop prints a loop over the lanes.
func (p *Printer) laneLoop(body func()) {
	p.Line("%s", p.lang.Parallel)
	p.Line("for (%[1]s %[2]s = 0; %[2]s < %[3]s; %[2]s++) {", p.lang.Idx, laneIndex, p.laneCount)
	p.Depth++
	p.Line("const %s %s = %s + %s;", p.lang.Idx, p.Vars[p.split.Loop.Var], p.laneBase, laneIndex)
	for _, s := range p.linear {
		p.Stm(s)
	}
	body()
	p.Depth--
	p.Line("}")
}

// laneStm prints a statement that all lanes run together.
func (p *Printer) laneStm(s imp.Stm) {
	switch s := imp.MatchStm(s).(type) {
	case *imp.For:
		p.laneFor(s)
	case *imp.If:
		p.If(s, p.laneStms)
	case *imp.Assert:
		p.laneAssert(s)
	default:
		panic(fmt.Sprintf("cfamily: lanes do not run %T together", s))
	}
}

// unrolled is how many iterations of a loop each lane runs in a row, where they are short: what it loads and stores for all of them stays
// in a register meanwhile. shortBody bounds the statements of such a loop.
const (
	unrolled  = 4
	shortBody = 32
)

// laneFor prints a loop that all lanes run together.
func (p *Printer) laneFor(s *imp.For) {
	short := !imp.Any(s.Body, func(in imp.Stm) bool { return p.splitsAt(p.split, in) })
	n := 0
	imp.Walk(s.Body, func(imp.Stm) bool { n++; return true })
	if !short || n > shortBody {
		p.ForHead(s)
		p.Depth++
		p.laneStms(s.Body)
		p.Depth--
		p.Line("}")
		return
	}
	v, idx, bound, at := p.Vars[s.Var], p.lang.Idx, p.Temp("bound"), p.Temp("at")
	p.Line("const %s %s = %s;", idx, bound, p.Plain(s.Bound))
	p.Line("%s %s = 0;", idx, at)
	p.Line("for (; %[1]s + %[2]d <= %[3]s; %[1]s += %[2]d) {", at, unrolled, bound)
	p.Depth++
	p.laneLoop(func() {
		for u := range unrolled {
			p.Line("{")
			p.Depth++
			p.Line("const %s %s = %s + %d;", idx, v, at, u)
			p.Stms(s.Body)
			p.Depth--
			p.Line("}")
		}
	})
	p.Depth--
	p.Line("}")
	p.Line("for (; %[1]s < %[2]s; %[1]s++) {", at, bound)
	p.Depth++
	p.Line("const %s %s = %s;", idx, v, at)
	p.laneStms(s.Body)
	p.Depth--
	p.Line("}")
}

// laneAssert prints an assertion of all lanes.
func (p *Printer) laneAssert(s *imp.Assert) {
	failed := p.Temp("failed")
	p.Line("u32 %s = 0;", failed)
	p.laneLoop(func() { p.Line("%s |= %s ? 0u : 1u;", failed, p.Exp(s.Cond)) })
	p.Line("if (%s != 0) {", failed)
	p.Depth++
	p.laneLoop(func() { p.Assert(s) })
	p.Line("return;")
	p.Depth--
	p.Line("}")
}

// crossing lists the variables that one loop over lanes leaves for another.
func (p *Printer) crossing(l *imp.Strides) []imp.Var {
	c := &crossings{p: p, l: l, boundIn: map[imp.Var]int{}, crosses: map[imp.Var]bool{}}
	c.stms(l.Loop.Body)
	var out []imp.Var
	for v := range p.Vars { // in the order of their numbers
		if c.crosses[imp.Var(v)] {
			out = append(out, imp.Var(v))
		}
	}
	return out
}

// crossings follows the runs of a loop that is split.
type crossings struct {
	p       *Printer
	l       *imp.Strides
	run     int // the number of the current one
	boundIn map[imp.Var]int
	crosses map[imp.Var]bool
}

func (c *crossings) stms(body []imp.Stm) {
	inRun := false
	for _, s := range body {
		let, isLet := s.(*imp.Let)
		switch {
		case isLet && (c.p.once(c.l, let) || c.p.again(c.l, let)):
		case c.p.splitsAt(c.l, s):
			inRun = false
			c.run++
			c.uses(s, headOnly)
			for _, b := range imp.Bodies(s) {
				c.stms(b)
			}
			c.run++
		default:
			if !inRun {
				c.run++
				inRun = true
			}
			c.binds(s)
			c.uses(s, withBodies)
		}
	}
}

// binds notes where variables are bound.
func (c *crossings) binds(s imp.Stm) {
	imp.Walk([]imp.Stm{s}, func(s imp.Stm) bool {
		for _, v := range imp.Binds(s) {
			c.boundIn[v] = c.run
		}
		return true
	})
}

// Arguments of uses: whether the bodies of a statement count.
const (
	withBodies = true
	headOnly   = false
)

// uses notes which variables of other runs a statement mentions, with the statements in it if deep.
func (c *crossings) uses(s imp.Stm, deep bool) {
	imp.Walk([]imp.Stm{s}, func(s imp.Stm) bool {
		if set, ok := s.(*imp.Set); ok {
			c.use(set.Var)
		}
		imp.WalkExps(s, func(e imp.Exp) {
			if v, ok := e.(*imp.VarExp); ok {
				c.use(v.Var)
			}
		})
		return deep
	})
}

func (c *crossings) use(v imp.Var) {
	if run, ok := c.boundIn[v]; ok && run != c.run {
		c.crosses[v] = true
	}
}
