package cfamily

import (
	"fmt"

	"skald/middle/imp"
	"skald/runtime/prim"
)

func (p *Printer) stms(body []imp.Stm) {
	for _, s := range body {
		p.stm(s)
	}
}

// nested prints an inner body.
func (p *Printer) nested(body []imp.Stm) {
	p.depth++
	p.stms(body)
	p.depth--
}

// declare prints the declaration of v with its first value.
func (p *Printer) declare(v imp.Var, value string) {
	if p.hoisted[v] {
		p.line("%s = %s;", p.vars[v], value)
		return
	}
	p.line("%s%s %s = %s;", p.constness(v), p.RegType(p.Kernel.Vars[v].Type), p.vars[v], value)
}

// stm prints a statement that holds no barrier.
func (p *Printer) stm(s imp.Stm) {
	switch s := s.(type) {
	case *imp.Let:
		if !p.fused[s.Var] {
			p.declare(s.Var, p.plain(s.Exp))
		}
	case *imp.Set:
		p.line("%s = %s;", p.vars[s.Var], p.plain(s.Exp))
	case *imp.If:
		p.line("if (%s) {", p.plain(s.Cond))
		p.nested(s.Then)
		if len(s.Else) > 0 {
			p.line("} else {")
			p.nested(s.Else)
		}
		p.line("}")
	case *imp.For:
		if s.Parallel && p.lang.Lanes > 0 {
			p.parallelFor(s)
			return
		}
		p.forLoop(s)
	case *imp.While:
		p.line("while (%s) {", p.plain(s.Cond))
		p.poll()
		p.nested(s.Body)
		p.line("}")
	case *imp.Assert:
		p.assert(s)
	case *imp.Comment:
		p.line("// %s", s.Text)
	case *imp.Store:
		_, index := p.index(s.Index)
		p.store(s.Mem, index, p.plain(s.Value))
	case *imp.LoadVec:
		p.loadVec(s)
	case *imp.StoreVec:
		p.storeVec(s)
	case *imp.Atomic:
		p.atomic(s)
	case *imp.AtomicUpdate:
		p.atomicUpdate(s)
	case *imp.Invoke:
		p.invoke(s)
	case *imp.Barrier:
		if p.Kernel.GroupSize > 1 || p.Collective {
			panic("cfamily: a barrier in divergent code of " + p.Kernel.Name)
		}
	case *imp.UniformLoad:
		if p.Kernel.GroupSize > 1 || p.Collective {
			panic("cfamily: a uniform load in divergent code of " + p.Kernel.Name)
		}
		_, index := p.index(s.Index)
		p.declare(s.Var, p.load(s.Mem, index))
	case *imp.Subgroup, imp.HostStm:
		panic(fmt.Sprintf("cfamily: %T in divergent code of %s", s, p.Kernel.Name))
	}
}

// forLoop prints a counting loop.
func (p *Printer) forLoop(s *imp.For) {
	p.forHead(s)
	if imp.Any(s.Body, isLoop) {
		p.poll()
	}
	p.nested(s.Body)
	p.line("}")
}

// isLoop reports whether a statement is a loop, or may have one.
func isLoop(s imp.Stm) bool {
	switch imp.MatchStm(s).(type) {
	case *imp.For, *imp.While, *imp.Invoke:
		return true
	default:
		return false
	}
}

// poll ends the kernel where it has been told to stop.
func (p *Printer) poll() {
	if p.lang.Stop == "" {
		return
	}
	p.depth++
	switch {
	case p.function == nil:
		p.line("if (%s) { return; }", p.lang.Stop)
	case len(p.function.Results) > 1:
		p.line("if (%s) {", p.lang.Stop)
		p.depth++
		p.line("return %s;", p.noResults())
		p.depth--
		p.line("}")
	default:
		p.line("if (%s) { return %s; }", p.lang.Stop, p.noResults())
	}
	p.depth--
}

// forHead opens a counting loop; its bound is evaluated once.
func (p *Printer) forHead(s *imp.For) {
	bound := p.plain(s.Bound)
	if !p.fixed(s.Bound) {
		t := p.temp("bound")
		p.line("const %s %s = %s;", p.lang.Idx, t, bound)
		bound = t
	}
	v := p.vars[s.Var]
	start := p.lang.Idx.String() + " " + v
	if p.hoisted[s.Var] {
		start = v
	}
	p.line("for (%s = 0; %s < %s; %s++) {", start, v, bound, v)
}

// assert prints an assertion: see Note [Failing threads in C].
func (p *Printer) assert(s *imp.Assert) {
	p.Need("claim_failure")
	p.line("if (!%s) {", p.exp(s.Cond))
	p.depth++
	p.line("if (claim_failure(failure, %du)) {", s.Site+1)
	p.depth++
	for i, e := range s.Values {
		p.Need("note_value")
		p.line("note_value(failure, %d, %s);", imp.FailureValues+2*i, p.valueBits(e))
	}
	p.depth--
	p.line("}")
	if p.function != nil {
		p.line("*function_failed = true;")
	}
	p.leave()
	p.depth--
	p.line("}")
}

// leave lets a thread that has failed do nothing more.
func (p *Printer) leave() {
	switch {
	case p.function != nil:
		p.line("return %s;", p.noResults())
	case p.within:
		p.line("alive = false;")
		p.line("goto left_%d;", p.region)
	default:
		p.line("return;")
	}
}

// valueBits is a value in canonical form, as a u64.
func (p *Printer) valueBits(e imp.Exp) string {
	t := p.scope.TypeOf(e)
	x := p.exp(e)
	switch {
	case t == imp.Bool:
		return "(u64)" + x
	case t.IsInt() && p.prim(t).IsSigned():
		return "(u64)(i64)" + x
	case t.IsInt():
		return "(u64)" + x
	}
	return "(u64)" + p.support("to_bits", t.Prim(), p.plain(e))
}

// groupStms prints statements that all threads of a workgroup reach together: runs without barriers, and what stands between them.
func (p *Printer) groupStms(body []imp.Stm) { imp.Runs(body, p.regionText, p.groupStm) }

// regionText prints statements without barriers.
func (p *Printer) regionText(body []imp.Stm) {
	if !imp.Any(body, imp.MayFail) {
		p.stms(body)
		return
	}
	p.hoist(body)
	p.region++
	p.line("{")
	p.within = true
	p.nested(body)
	p.within = false
	p.line("}")
	p.line("left_%d:", p.region)
	p.line("if (%s) { return; }", p.lang.AnyFailed("!alive"))
}

// hoist makes variables that a region declares at its top level visible behind it.
func (p *Printer) hoist(body []imp.Stm) {
	mark := func(vs ...imp.Var) {
		for _, v := range vs {
			if v != 0 {
				p.hoisted[v], p.mutable[v] = true, true
			}
		}
	}
	for _, s := range body {
		switch s := imp.MatchStm(s).(type) {
		case *imp.Let:
			if !p.fused[s.Var] {
				mark(s.Var)
			}
		case *imp.LoadVec:
			mark(s.Vars...)
		case *imp.Atomic:
			mark(s.Old)
		case *imp.Invoke:
			mark(s.Dst...)
		default:
		}
	}
}

func (p *Printer) groupStm(s imp.Stm) {
	switch s := s.(type) {
	case *imp.Barrier:
		p.line("%s", p.lang.Barrier)
	case *imp.UniformLoad:
		p.line("%s", p.lang.Barrier)
		_, index := p.index(s.Index)
		p.declare(s.Var, p.load(s.Mem, index))
		p.line("%s", p.lang.Barrier)
	case *imp.Subgroup:
		lane := ""
		if s.Lane != nil {
			lane = p.plain(s.Lane)
		}
		p.declare(s.Dst, p.lang.Subgroup(p, s, p.plain(s.X), lane))
	case *imp.If:
		p.line("if (%s) {", p.plain(s.Cond))
		p.group(s.Then)
		if len(s.Else) > 0 {
			p.line("} else {")
			p.group(s.Else)
		}
		p.line("}")
	case *imp.For:
		p.forHead(s)
		p.group(s.Body)
		p.line("}")
	case *imp.While:
		p.line("while (%s) {", p.plain(s.Cond))
		p.group(s.Body)
		p.line("}")
	case *imp.Let, *imp.Set, *imp.Assert, *imp.Comment, *imp.Store, *imp.LoadVec, *imp.StoreVec, *imp.Atomic, *imp.AtomicUpdate,
		*imp.Invoke, imp.HostStm:
		panic(fmt.Sprintf("cfamily: %T holds a barrier", s))
	}
}

func (p *Printer) group(body []imp.Stm) {
	p.depth++
	p.groupStms(body)
	p.depth--
}

// Combine prints what a binary operator gives, for functions of the language's own.
func (p *Printer) Combine(op prim.BinOp, t imp.Type, x, y string) string {
	return p.binText(op, t, x, y, nil)
}

// TypeOf is the type of an expression.
func (p *Printer) TypeOf(e imp.Exp) imp.Type { return p.scope.TypeOf(e) }

// DeclareOnce adds a declaration before the kernel, once.
func (p *Printer) DeclareOnce(name, text string) { p.declareOnce(name, text) }
