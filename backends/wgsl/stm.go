package wgsl

import (
	"fmt"

	"skald/middle/imp"
)

func (p *printer) stms(body []imp.Stm) {
	for _, s := range body {
		p.stm(s)
	}
}

// nested prints an inner body.
func (p *printer) nested(body []imp.Stm) {
	p.depth++
	p.stms(body)
	p.depth--
}

// declare prints the declaration of v with its first value.
func (p *printer) declare(v imp.Var, value string) {
	switch {
	case p.hoisted[v]:
		p.line("%s = %s;", p.v(v), value)
	case p.mutable[v]:
		p.line("var %s = %s;", p.v(v), value)
	default:
		p.line("let %s = %s;", p.v(v), value)
	}
}

// typed gives a literal the type that a declaration would not infer.
func (p *printer) typed(e imp.Exp) string {
	s := p.plain(e)
	if c, ok := e.(*imp.Const); ok && p.regType(c.Type) == "i32" {
		return "i32(" + s + ")"
	}
	return s
}

// stm prints a statement that holds a barrier.
func (p *printer) stm(s imp.Stm) {
	switch s := s.(type) {
	case *imp.Let:
		p.declare(s.Var, p.typed(s.Exp))
	case *imp.Set:
		p.line("%s = %s;", p.v(s.Var), p.plain(s.Exp))
	case *imp.If:
		p.line("if (%s) {", p.plain(s.Cond))
		p.nested(s.Then)
		if len(s.Else) > 0 {
			p.line("} else {")
			p.nested(s.Else)
		}
		p.line("}")
	case *imp.For:
		p.forHead(s)
		p.loop(s.Body)
	case *imp.While:
		p.line("while (%s) {", p.plain(s.Cond))
		p.loop(s.Body)
	case *imp.Assert:
		p.assert(s)
	case *imp.Comment:
		p.line("// %s", s.Text)
	case *imp.Store:
		p.store(s.Mem, p.plain(p.inside(s.Mem, s.Index)), p.plain(s.Value))
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
	case *imp.Barrier, *imp.Subgroup, *imp.UniformLoad, imp.HostStm:
		panic(fmt.Sprintf("wgsl: %T in divergent code of %s", s, p.k.Name))
	}
}

// forHead opens a counting loop; its bound is evaluated once.
func (p *printer) forHead(s *imp.For) {
	bound := p.plain(s.Bound)
	switch e := imp.Match(s.Bound).(type) {
	case *imp.Const:
	case *imp.VarExp:
		if p.mutable[e.Var] {
			bound = p.bindBound(bound)
		}
	default:
		bound = p.bindBound(bound)
	}
	if p.hoisted[s.Var] {
		p.line("for (%s = 0; %s < %s; %s++) {", p.v(s.Var), p.v(s.Var), bound, p.v(s.Var))
		return
	}
	p.line("for (var %s = 0; %s < %s; %s++) {", p.v(s.Var), p.v(s.Var), bound, p.v(s.Var))
}

func (p *printer) bindBound(bound string) string {
	t := p.temp("bound")
	p.line("let %s = %s;", t, bound)
	return t
}

// loop prints the rest of a loop. A thread that failed in it leaves the loops
// around it too.
func (p *printer) loop(body []imp.Stm) {
	p.loops++
	p.nested(body)
	p.loops--
	p.line("}")
	if p.inRegion && imp.Any(body, imp.MayFail) {
		p.line("if (!alive) { break; }")
	}
}

// assert prints an assertion: see Note [Failing threads].
func (p *printer) assert(s *imp.Assert) {
	p.helper("claim_failure")
	p.line("if (!%s) {", p.exp(s.Cond))
	p.depth++
	p.line("if (claim_failure(%du)) {", s.Site+1)
	p.depth++
	for i, e := range s.Values {
		p.helper("note_value")
		p.line("note_value(%d, %s);", imp.FailureValues+2*i, p.valueWords(e))
	}
	p.depth--
	p.line("}")
	if p.deviceFunction != nil {
		p.line("%s = true;", functionFailed)
	}
	p.leave()
	p.depth--
	p.line("}")
}

// leave lets a thread that has failed do nothing more.
func (p *printer) leave() {
	switch {
	case p.deviceFunction != nil:
		p.line("return %s;", p.noResults())
	case p.inRegion:
		p.line("alive = false;")
		p.line("break;")
	default:
		p.line("return;")
	}
}

// valueWords is a value as two words, low first, in canonical form.
func (p *printer) valueWords(e imp.Exp) string {
	t := p.scope.TypeOf(e)
	x := p.exp(e)
	switch {
	case t == imp.Bool:
		return "vec2<u32>(select(0u, 1u, " + x + "), 0u)"
	case t.Prim().Bits() == 64 && t != imp.Idx:
		return p.toPair(x, t.Prim())
	case t.Prim().IsSigned():
		p.helper("sign_extend")
		return "sign_extend(" + x + ")"
	case t.IsInt():
		return "vec2<u32>(" + x + ", 0u)"
	}
	return "vec2<u32>(" + p.encode(t.Prim(), x) + ", 0u)"
}

// groupStms prints statements that all threads of a workgroup reach together:
// runs without barriers, and what stands between them.
func (p *printer) groupStms(body []imp.Stm) { imp.Runs(body, p.region, p.groupStm) }

// region prints statements without barriers.
func (p *printer) region(body []imp.Stm) {
	if !imp.Any(body, imp.MayFail) {
		p.stms(body)
		return
	}
	p.hoist(body)
	p.line("loop {")
	p.inRegion = true
	p.nested(body)
	p.inRegion = false
	p.depth++
	p.line("break;")
	p.depth--
	p.line("}")
	p.line("if (!alive) { group_failed = 1u; }")
	p.line("if (workgroupUniformLoad(&group_failed) != 0u) { return; }")
}

// hoist makes variables that a region declares at its top level visible behind
// it.
func (p *printer) hoist(body []imp.Stm) {
	for _, s := range body {
		switch s := imp.MatchStm(s).(type) {
		case *imp.Let:
			p.hoisted[s.Var] = true
		case *imp.LoadVec:
			for _, v := range s.Vars {
				p.hoisted[v] = true
			}
		case *imp.Atomic:
			p.hoisted[s.Old] = s.Old != 0
		case *imp.Invoke:
			for _, v := range s.Dst {
				p.hoisted[v] = true
			}
		default:
		}
	}
}

func (p *printer) groupStm(s imp.Stm) {
	switch s := s.(type) {
	case *imp.Barrier:
		p.line("workgroupBarrier();")
		if s.Global {
			p.line("storageBarrier();")
		}
	case *imp.UniformLoad:
		p.declare(s.Var, p.uniformLoad(s.Mem, p.plain(p.inside(s.Mem, s.Index))))
	case *imp.Subgroup:
		p.subgroup(s)
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
		panic(fmt.Sprintf("wgsl: %T holds a barrier", s))
	}
}

func (p *printer) group(body []imp.Stm) {
	p.depth++
	p.groupStms(body)
	p.depth--
}

var subgroupFuncs = map[imp.SubgroupOp]string{
	imp.SubgroupAdd: "subgroupAdd", imp.SubgroupMul: "subgroupMul", imp.SubgroupMin: "subgroupMin",
	imp.SubgroupMax: "subgroupMax", imp.SubgroupAnd: "subgroupAnd", imp.SubgroupOr: "subgroupOr",
	imp.SubgroupXor: "subgroupXor", imp.SubgroupScanAdd: "subgroupInclusiveAdd",
	imp.Shuffle: "subgroupShuffle", imp.ShuffleUp: "subgroupShuffleUp",
	imp.ShuffleDown: "subgroupShuffleDown", imp.ShuffleXor: "subgroupShuffleXor",
}

// Note [Distances of shuffles]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// WGSL wants the distance of subgroupShuffleUp, subgroupShuffleDown and subgroupShuffleXor to be the same in the whole
// subgroup, and tint believes that of constants and of little else: of a variable that a loop doubles, it does not. The
// lane of subgroupShuffle may be anything. So a distance that is not constant becomes a lane, which a thread computes.

// laneOf are the operators that make a lane of a thread's own and a distance.
var laneOf = map[imp.SubgroupOp]string{imp.ShuffleUp: "-", imp.ShuffleDown: "+", imp.ShuffleXor: "^"}

func (p *printer) subgroup(s *imp.Subgroup) {
	fn, args := subgroupFuncs[s.Op], p.plain(s.X)
	if s.Lane != nil {
		lane := p.plain(s.Lane)
		if op, distance := laneOf[s.Op]; distance && !isConstant(s.Lane) {
			fn = subgroupFuncs[imp.Shuffle]
			lane = p.id(imp.Lane) + " " + op + " " + p.exp(s.Lane)
		}
		args += ", u32(" + lane + ")"
	}
	p.declare(s.Dst, fn+"("+args+")")
}

func isConstant(e imp.Exp) bool {
	_, ok := e.(*imp.Const)
	return ok
}
