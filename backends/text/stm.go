package text

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"skald/middle/imp"
	"skald/runtime/prim"
)

// lineLength is how many bytes a line may have in the mean, of which most declare a variable.
const lineLength = 40

// Statements prints the body of a kernel.
func (p *Printer) Statements(body []imp.Stm) {
	p.out.Grow(lineLength * len(p.Kernel.Vars))
	if p.Waits {
		p.group(body)
		return
	}
	p.Stms(body)
}

// Stms prints statements that each thread reaches by itself.
func (p *Printer) Stms(body []imp.Stm) {
	for _, s := range body {
		p.Stm(s)
	}
}

// group prints statements that all threads of a workgroup reach together: runs without barriers, and what is between them.
func (p *Printer) group(body []imp.Stm) { imp.Runs(body, p.regionText, p.groupStm) }

// nested prints an inner body by stms.
func (p *Printer) nested(body []imp.Stm, stms func([]imp.Stm)) {
	p.Depth++
	stms(body)
	p.Depth--
}

// Stm prints a statement that holds no barrier.
func (p *Printer) Stm(s imp.Stm) {
	switch s := s.(type) {
	case *imp.Let:
		if !p.Inlined[s.Var] {
			p.Declare(s.Var, p.lang.Initial(s.Exp))
		}
	case *imp.Set:
		p.put(p.Vars[s.Var], " = ", p.Plain(s.Exp), ";")
	case *imp.If:
		p.If(s, p.Stms)
	case *imp.For:
		if !p.lang.OwnLoop(s) {
			p.loop(s, s.Body, p.Stms)
		}
	case *imp.While:
		p.loop(s, s.Body, p.Stms)
	case *imp.Assert:
		p.Assert(s)
	case *imp.Comment:
		p.Line("// %s", s.Text)
	case *imp.Invoke:
		p.invoke(s)
	case imp.AccessStm:
		p.lang.Access(s)
	case imp.CollectiveStm:
		if p.Waits || p.Function != nil {
			panic(fmt.Sprintf("text: %T in divergent code of %s", s, p.Kernel.Name))
		}
		p.lang.Collective(s) // of a workgroup of one thread
	case imp.HostStm:
		panic(fmt.Sprintf("text: %T in kernel %s", s, p.Kernel.Name))
	}
}

// groupStm prints a statement that is a barrier or holds one.
func (p *Printer) groupStm(s imp.Stm) {
	waited := p.waited
	p.waited = false // also in what loops repeat
	switch s := s.(type) {
	case *imp.Barrier:
		if !waited || s.Global {
			p.lang.Collective(s)
		}
	case imp.CollectiveStm:
		p.lang.Collective(s)
	case *imp.If: // whose alternatives are not joined in a chain: what they begin with may be a region
		p.put("if (", p.Plain(s.Cond), ") {")
		p.nested(s.Then, p.group)
		if len(s.Else) > 0 {
			p.put("} else {")
			p.nested(s.Else, p.group)
		}
		p.put("}")
	case *imp.For:
		p.loop(s, s.Body, p.group)
	case *imp.While:
		p.loop(s, s.Body, p.group)
	case *imp.Let, *imp.Set, *imp.Assert, *imp.Comment, *imp.Invoke, imp.AccessStm, imp.HostStm:
		panic(fmt.Sprintf("text: %T holds a barrier", s))
	}
	p.waited = false // a loop may not have run
}

// Note [Long chains of branches]
//
// A chain of branches (if, else if, else if, …) is printed flat. Compilers bound how deep statements are nested, and count each link of a
// chain as a level (Dawn's at 127), or recurse over them (lavapipe's ends the process at some 80). So a chain is cut after maxLinks links:
// a variable says that none of them was taken, and the next links come behind, in a branch on that variable, and so on. The conditions in a
// chain read nothing but variables that are declared before it, so the rest may come behind.
//
// More links than that which compare one variable with integers, as those of a `match` do, are found by halves: branches on whether the
// variable is less than a number lead to short chains. So 4,000 links are 9 levels, and as many comparisons at run time. Pieces behind each
// other end the process with SwiftShader through Dawn somewhere between 3,000 and 4,000 links (on one machine; at 3,000 on another), so a
// language may bound them: WGSL has 64 pieces at most, 2,048 links.

// maxLinks is how many branches are printed as one chain, foundLinks how many behind branches by halves; endless is no bound.
const (
	maxLinks   = 32
	foundLinks = 8
	endless    = math.MaxInt
)

// If prints a branch without barriers, or a chain of them, whose bodies stms prints.
func (p *Printer) If(s *imp.If, stms func([]imp.Stm)) {
	if !p.isLong(s) {
		p.links(s, s.Cond, endless, stms, "")
		return
	}
	rest := p.Temp("rest")
	p.put(p.syntax.Variable(p.lang.RegType(imp.Bool), rest), " = false;")
	cond, s := p.piece(s, s.Cond, rest, stms)
	for pieces := 1; s != nil; pieces++ {
		if pieces == p.syntax.Pieces {
			p.Limit("it has a chain of more than %d branches that do not compare one variable with integers, which ends some compilers of "+
				"devices; look values up in an array, or put chains into each other", maxLinks*pieces)
			return
		}
		p.Line("if (%s) {", rest)
		p.nested(nil, func([]imp.Stm) {
			if !p.isLong(s) {
				_, s = p.links(s, cond, endless, stms, "")
				return
			}
			p.Line("%s = false;", rest)
			cond, s = p.piece(s, cond, rest, stms)
		})
		p.put("}")
	}
}

// piece prints a part of a long chain, by halves where that can be: see links.
func (p *Printer) piece(s *imp.If, cond imp.Exp, rest string, stms func([]imp.Stm)) (imp.Exp, *imp.If) {
	cases, last := p.cases(s, cond)
	if len(cases) <= maxLinks {
		most := maxLinks
		if c, next := p.elseIf(s.Else); next != nil {
			if behind, _ := p.cases(next, c); len(behind) > maxLinks {
				most = 1 // The first condition is a variable.
			}
		}
		return p.links(s, cond, most, stms, rest)
	}
	p.halves(cases, rest, stms)
	if cond, next := p.elseIf(last.Else); next != nil {
		return cond, next
	}
	if len(last.Else) > 0 {
		p.Line("if (%s) {", rest)
		p.nested(last.Else, stms)
		p.put("}")
	}
	return nil, nil
}

// equals is a link of a chain that compares a variable with an integer.
type equals struct {
	cond *imp.Cmp
	body []imp.Stm
}

// order is where an integer comes among those of its type.
func (e equals) order() uint64 {
	c := e.cond.Y.(*imp.Const).Value
	n := uint64(c.Int()) //nolint:gosec // its bits
	if c.Type().IsUnsigned() {
		return n
	}
	return n ^ 1<<63
}

// cases lists the links of a chain from a branch on that compare the same variable with integers, each once and in the order of these, and
// returns the last link of them.
func (p *Printer) cases(s *imp.If, cond imp.Exp) (found []equals, last *imp.If) {
	for s != nil {
		c, ok := cond.(*imp.Cmp)
		if !ok || c.Op != prim.Eq {
			break
		}
		v, isVar := c.X.(*imp.VarExp)
		k, isConst := c.Y.(*imp.Const)
		if !isVar || !isConst || !k.Value.Type().IsInt() || len(found) > 0 && v.Var != found[0].cond.X.(*imp.VarExp).Var {
			break
		}
		found, last = append(found, equals{c, s.Then}), s
		cond, s = p.elseIf(s.Else)
	}
	slices.SortStableFunc(found, func(a, b equals) int { return cmp.Compare(a.order(), b.order()) })
	return slices.CompactFunc(found, func(a, b equals) bool { return a.order() == b.order() }), last
}

// halves prints a search for one of several cases; rest then says that there is none.
func (p *Printer) halves(cases []equals, rest string, stms func([]imp.Stm)) {
	if n := len(cases) / 2; len(cases) > foundLinks {
		least := *cases[n].cond
		least.Op = prim.Lt
		p.Line("if (%s) {", p.Plain(&least))
		p.nested(nil, func([]imp.Stm) { p.halves(cases[:n], rest, stms) })
		p.put("} else {")
		p.nested(nil, func([]imp.Stm) { p.halves(cases[n:], rest, stms) })
		p.put("}")
		return
	}
	for i, c := range cases {
		start := "} else if"
		if i == 0 {
			start = "if"
		}
		p.Line("%s (%s) {", start, p.Plain(c.cond))
		p.nested(c.body, stms)
	}
	p.put("} else {")
	p.Line("  %s = true;", rest)
	p.put("}")
}

// links prints a chain from a branch on, at most so many links of it; rest is the variable that then says that none was taken. It returns
// where the chain goes on, with its condition.
func (p *Printer) links(s *imp.If, cond imp.Exp, most int, stms func([]imp.Stm), rest string) (imp.Exp, *imp.If) {
	p.put("if (", p.Plain(cond), ") {")
	p.nested(s.Then, stms)
	for n := 1; ; n++ {
		cond, next := p.elseIf(s.Else)
		if next == nil {
			break
		}
		if n == most {
			p.put("} else {")
			p.Line("  %s = true;", rest)
			p.put("}")
			return cond, next
		}
		p.put("} else if (", p.Plain(cond), ") {")
		p.nested(next.Then, stms)
		s = next
	}
	if len(s.Else) > 0 {
		p.put("} else {")
		p.nested(s.Else, stms)
	}
	p.put("}")
	return nil, nil
}

// isLong reports whether a chain of branches has more than maxLinks.
func (p *Printer) isLong(s *imp.If) bool {
	for range maxLinks {
		if _, s = p.elseIf(s.Else); s == nil {
			return false
		}
	}
	return true
}

// elseIf returns the branch that a body is, with its condition, or nil if the body is or computes something else.
func (p *Printer) elseIf(body []imp.Stm) (cond imp.Exp, next *imp.If) {
	switch len(body) {
	case 1:
		if next, ok := body[0].(*imp.If); ok {
			return next.Cond, next
		}
	case 2:
		let, isLet := body[0].(*imp.Let)
		next, isIf := body[1].(*imp.If)
		if !isLet || !isIf || p.Hoisted[let.Var] || p.uses[let.Var] != 1 {
			return nil, nil
		}
		if v, ok := next.Cond.(*imp.VarExp); ok && v.Var == let.Var {
			return let.Exp, next
		}
	}
	return nil, nil
}

// loop prints a loop, whose body stms prints.
func (p *Printer) loop(s imp.Stm, body []imp.Stm, stms func([]imp.Stm)) {
	switch s := imp.MatchStm(s).(type) {
	case *imp.For:
		p.ForHead(s)
	case *imp.While:
		p.put("while (", p.Plain(s.Cond), ") {")
	default:
	}
	p.lang.EnterLoop(s)
	n, loaded := p.loadedFirst(body)
	if loaded != nil {
		p.nested(body[:n], stms)
		p.Line("  %s", p.syntax.Held(loaded))
	}
	p.nested(body[n:], stms)
	p.put("}")
	p.lang.LeaveLoop(body)
}

// Note [Loads before calls]
//
// Iterations of a loop load first and then compute functions with branches, such as exp, so that the loads are under way together (Note
// [Unrolled loops] of package imp). NVRTC moves a load from an array that nobody writes to where its value is used, across the branches
// before: each of four square roots in a row waits for an element of its own. What an empty instruction uses is loaded before it.

// loadedFirst returns how many statements of a loop's body come before the first such function, and the variables that they load from
// device memory; nil if these are fewer than two, or compilers leave them in place.
func (p *Printer) loadedFirst(body []imp.Stm) (n int, loaded []imp.VarDecl) {
	if p.syntax.Held == nil {
		return 0, nil
	}
	for n < len(body) {
		let, ok := body[n].(*imp.Let)
		if !ok || branches(let.Exp) {
			break
		}
		if l, ok := let.Exp.(*imp.Load); ok && p.Kernel.Mems[l.Mem].Space == imp.Global &&
			p.Kernel.Mems[l.Mem].Elem.Bits() >= 32 {
			loaded = append(loaded, imp.VarDecl{Name: p.Vars[let.Var], Type: p.Kernel.Vars[let.Var].Type})
		}
		n++
	}
	if n == len(body) || len(loaded) < 2 {
		return 0, nil
	}
	var next imp.Exp
	switch s := imp.MatchStm(body[n]).(type) {
	case *imp.Let:
		next = s.Exp
	case *imp.Set:
		next = s.Exp
	default:
	}
	if next == nil || !branches(next) {
		return 0, nil
	}
	return n, loaded
}

// branches reports whether an expression has a function with branches.
func branches(e imp.Exp) (found bool) {
	imp.WalkExp(e, func(e imp.Exp) {
		call, ok := e.(*imp.CallFunc)
		found = found || ok && call.Func.IsElementary()
	})
	return found
}

// Note [Rolled loops]
//
// Compilers unroll loops with a constant number of iterations, which gains where indices become constants and an iteration is short.
// Around a call of a device function it gains nothing: what stays a function is long (Note [What stays a function] of package inline),
// and copies multiply with those of the loops outside. poseidon of futhark-benchmarks has forty such loops, of nine iterations, in a
// kernel: NVRTC 12.9 takes 3.4 s of processor time for its four kernels, and 14 where it unrolls them. On one H200 a first call waits for
// 0.9 s instead of 1.8, and a call takes 13.5 ms instead of 15.1. WGSL has no word for it, and a bound that the compiler does not see
// through gained 7 % of 4.2 s there and lost 3 % of a call.

// rolled reports whether a loop is to stay one.
func rolled(s *imp.For) bool {
	_, constant := s.Bound.(*imp.Const)
	return constant && imp.Any(s.Body, func(s imp.Stm) bool {
		_, calls := s.(*imp.Invoke)
		return calls
	})
}

// ForHead opens a counting loop; its bound is evaluated once.
func (p *Printer) ForHead(s *imp.For) {
	bound, idx := p.Plain(s.Bound), p.lang.RegType(imp.Idx)
	if !p.Fixed(s.Bound) {
		bound = p.constant("bound", idx, bound)
	}
	if p.syntax.Rolled != "" && rolled(s) {
		p.put(p.syntax.Rolled)
	}
	v := p.Vars[s.Var]
	p.put("for (", p.syntax.Variable(idx, v), " = 0; ", v, " < ", bound, "; ", v, "++) {")
}

// Assert prints an assertion: see Note [Failing threads] of package wgsl.
func (p *Printer) Assert(s *imp.Assert) {
	p.lang.Need("claim_failure")
	p.Line("if (!%s) {", p.lang.Exp(s.Cond))
	p.Depth++
	p.Line("if ("+p.syntax.ClaimFailure+") {", s.Site+1)
	p.Depth++
	for i, e := range s.Values {
		p.lang.Need("note_value")
		p.Line(p.syntax.NoteValue, imp.FailureValues+2*i, p.lang.FailureValue(e))
	}
	p.Depth--
	p.put("}")
	if p.Function != nil {
		p.Line("%s = true;", p.syntax.FunctionFailed)
	}
	p.leave()
	p.Depth--
	p.put("}")
}

// leave lets a thread that has failed do nothing more.
func (p *Printer) leave() {
	switch {
	case p.Function != nil:
		p.ReturnNothing()
	case p.InRegion:
		p.Line("alive = false;")
		p.put(p.syntax.BreakRegion(p.region))
	default:
		p.Line("return;")
	}
}

// regionText prints statements without barriers. What comes before the first check is no part of the region that a failed one leaves:
// all threads get there, and a compiler that looks for uniform control flow (Tint) sees that what these statements assign is as uniform as
// what it is computed from. Of what a thread may have left it knows nothing. A check that all threads agree on they fail together, and
// leave the kernel.
func (p *Printer) regionText(body []imp.Stm) {
	if p.agreed == nil {
		p.agreed = imp.Agreed(p.Kernel)
	}
	first := slices.IndexFunc(body, func(s imp.Stm) bool {
		check, ok := s.(*imp.Assert)
		return !(ok && p.agreed[check]) && imp.Any([]imp.Stm{s}, imp.MayFail)
	})
	if p.waited = first >= 0; !p.waited {
		p.Stms(body)
		return
	}
	p.Stms(body[:first])
	body = body[first:]
	p.hoist(body)
	p.region++
	p.put(p.syntax.EnterRegion)
	p.InRegion = true
	p.nested(body, p.Stms)
	p.InRegion = false
	for _, line := range p.syntax.LeaveRegion(p.region) {
		p.put(line)
	}
}

// hoist declares the variables of a region's top level at the top of the kernel, so that what follows the region sees them.
func (p *Printer) hoist(body []imp.Stm) {
	for _, s := range body {
		for _, v := range imp.BindsAfter(s) {
			if v != 0 && !p.Inlined[v] {
				p.Hoisted[v] = true
			}
		}
	}
}
