package wgsl

import (
	"fmt"
	"strings"

	"skald/backends/text"
	"skald/middle/imp"
)

// syntax is how WGSL writes the structure of a kernel.
var syntax = text.Syntax{
	Constant:       func(_, name string) string { return "let " + name },
	Variable:       func(_, name string) string { return "var " + name },
	ClaimFailure:   "claim_failure(%du)",
	NoteValue:      "note_value(%d, %s);",
	FunctionFailed: functionFailed,
	EnterRegion:    "loop {",
	LeaveRegion: func(int) []string {
		return []string{
			"  break;", "}", "if (!alive) { group_failed = 1u; }", "if (workgroupUniformLoad(&group_failed) != 0u) { return; }",
		}
	},
	BreakRegion: func(int) string { return "break;" },
	Pieces:      64,
	Struct:      structText,
	Head:        functionHead,
	Return: func(t string, values []string) []string {
		return []string{fmt.Sprintf("return %s(%s);", t, strings.Join(values, ", "))}
	},
	ZeroResult: func(t string) string { return t + "()" },
}

// functionFailed is the variable that says that a device function has failed: see Note [Device functions as text].
const functionFailed = "function_failed"

// structText declares a struct with fields of types.
func structText(name string, types []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "struct %s {\n", name)
	for i, t := range types {
		fmt.Fprintf(&b, "  r%d: %s,\n", i, t)
	}
	b.WriteString("}\n")
	return b.String()
}

// functionHead opens a device function.
func functionHead(_ *imp.DeviceFunction, name, result string, params []text.Param) string {
	parts := make([]string, len(params))
	for i, p := range params {
		parts[i] = p.Name + ": " + p.Type
	}
	if result != "" {
		result = " -> " + result
	}
	return fmt.Sprintf("fn %s(%s)%s {\n", name, strings.Join(parts, ", "), result)
}

// FailureArgs asks for the variable that a device function sets when it fails.
func (p *printer) FailureArgs() (args []string, failed string) {
	p.Need(functionFailed)
	return nil, functionFailed
}

// Initial prints a literal with the type that a declaration would not infer.
func (p *printer) Initial(e imp.Exp) string {
	s := p.Plain(e)
	if c, ok := e.(*imp.Const); ok && p.RegType(c.Type) == "i32" {
		return "i32(" + s + ")"
	}
	return s
}

// Access prints a statement that reads or writes memory.
func (p *printer) Access(s imp.AccessStm) {
	switch s := s.(type) {
	case *imp.Store:
		i, x := p.Plain(p.inside(s.Mem, s.Index)), p.Plain(s.Value)
		if s.Own && p.inWords(s.Mem) {
			p.storePart(s.Mem, i, x)
			return
		}
		p.store(s.Mem, i, x)
	case *imp.LoadVec:
		p.loadVec(s)
	case *imp.StoreVec:
		p.storeVec(s)
	case *imp.Atomic:
		p.atomic(s)
	case *imp.AtomicUpdate:
		p.atomicUpdate(s)
	}
}

// OwnLoop has no loops: WGSL knows none whose iterations are independent.
func (*printer) OwnLoop(*imp.For) bool { return false }

// EnterLoop has nothing to print.
func (*printer) EnterLoop(imp.Stm) {}

// LeaveLoop lets a thread that failed in a loop leave the loops around it, too.
func (p *printer) LeaveLoop(body []imp.Stm) {
	if p.InRegion && imp.Any(body, imp.MayFail) {
		p.Line("if (!alive) { break; }")
	}
}

// FailureValue is a value as two words, low first, in canonical form.
func (p *printer) FailureValue(e imp.Exp) string {
	t := p.TypeOf(e)
	x := p.Exp(e)
	switch {
	case t == imp.Bool:
		return "vec2<u32>(select(0u, 1u, " + x + "), 0u)"
	case t.Prim().Bits() == 64 && t != imp.Idx:
		return p.toPair(x, t.Prim())
	case t.Prim().IsSigned():
		p.Need("sign_extend")
		return "sign_extend(" + x + ")"
	case t.IsInt():
		return "vec2<u32>(" + x + ", 0u)"
	}
	return "vec2<u32>(" + p.encode(t.Prim(), x) + ", 0u)"
}

// Collective prints a statement at which threads wait for each other.
func (p *printer) Collective(s imp.CollectiveStm) {
	switch s := s.(type) {
	case *imp.Barrier:
		p.Line("workgroupBarrier();")
		if s.Global {
			p.Line("storageBarrier();")
		}
	case *imp.UniformLoad:
		p.Declare(s.Var, p.uniformLoad(s.Mem, p.Plain(p.inside(s.Mem, s.Index))))
	case *imp.Subgroup:
		p.subgroup(s)
	case *imp.SubgroupUpdate:
		panic("wgsl: an update by subgroups, which WebGPU does not promise to join again behind loops")
	}
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

// laneOf are the operators that make a lane of a thread's own and a distance: see Note [Distances of shuffles].
var laneOf = map[imp.SubgroupOp]string{imp.ShuffleUp: "-", imp.ShuffleDown: "+", imp.ShuffleXor: "^"}

func (p *printer) subgroup(s *imp.Subgroup) {
	fn, args := subgroupFuncs[s.Op], p.Plain(s.X)
	if s.Lane != nil {
		lane := p.Plain(s.Lane)
		if op, distance := laneOf[s.Op]; distance && !isConstant(s.Lane) {
			fn = subgroupFuncs[imp.Shuffle]
			lane = p.ID(imp.Lane) + " " + op + " " + p.Exp(s.Lane)
		}
		args += ", u32(" + lane + ")"
	}
	p.Declare(s.Dst, fn+"("+args+")")
}

func isConstant(e imp.Exp) bool {
	_, ok := e.(*imp.Const)
	return ok
}
