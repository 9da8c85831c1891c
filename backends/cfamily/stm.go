package cfamily

import (
	"cmp"
	"fmt"
	"strings"

	"skald/backends/text"
	"skald/middle/imp"
	"skald/runtime/prim"
)

// syntaxOf is how a language writes the structure of a kernel: see Note [Failing threads in C].
func syntaxOf(lang *Language) *text.Syntax {
	return &text.Syntax{
		Constant:       func(typ, name string) string { return "const " + typ + " " + name },
		Variable:       func(typ, name string) string { return typ + " " + name },
		Rolled:         lang.Rolled,
		Held:           lang.Held,
		ClaimFailure:   "claim_failure(failure, %du)",
		NoteValue:      "note_value(failure, %d, %s);",
		FunctionFailed: "*" + functionFailed,
		EnterRegion:    "{",
		LeaveRegion: func(n int) []string {
			return []string{"}", fmt.Sprintf("left_%d:", n), "if (" + lang.AnyFailed("!alive") + ") { return; }"}
		},
		BreakRegion: func(n int) string { return fmt.Sprintf("goto left_%d;", n) },
		Struct:      structText,
		Head:        lang.functionHead,
		Return: func(t string, values []string) []string {
			if values == nil {
				return []string{"const " + t + " none_t = {0};", "return none_t;"}
			}
			return []string{"const " + t + " results_t = {" + strings.Join(values, ", ") + "};", "return results_t;"}
		},
		ZeroResult: func(string) string { return zero },
	}
}

// functionFailed is the address of the flag that a device function sets when it fails: see Note [Device functions as text].
const functionFailed = "function_failed"

const zero = "0"

// structText declares a struct with fields of types.
func structText(name string, types []string) string {
	var b strings.Builder
	b.WriteString("typedef struct {\n")
	for i, t := range types {
		fmt.Fprintf(&b, "  %s r%d;\n", t, i)
	}
	fmt.Fprintf(&b, "} %s;\n", name)
	return b.String()
}

// functionHead opens a device function.
func (l *Language) functionHead(f *imp.DeviceFunction, name, result string, params []text.Param) string {
	var parts []string
	if f.Fails {
		parts = append(parts, "u32 *failure", "bool *"+functionFailed)
	}
	for _, p := range params {
		parts = append(parts, "const "+p.Type+" "+p.Name)
	}
	return fmt.Sprintf("%s %s %s(%s) {\n", l.Function, cmp.Or(result, "void"), name, strings.Join(parts, ", "))
}

// FailureArgs passes the failure buffer and the flag on, or declares a flag: see Note [Failing threads in C].
func (p *Printer) FailureArgs() (args []string, failed string) {
	if p.Function != nil {
		return []string{"failure", functionFailed}, "*" + functionFailed
	}
	flag := p.Temp("failed")
	p.Line("bool %s = false;", flag)
	return []string{"failure", "&" + flag}, flag
}

// Initial prints the value of a declaration.
func (p *Printer) Initial(e imp.Exp) string { return p.Plain(e) }

// Access prints a statement that reads or writes memory.
func (p *Printer) Access(s imp.AccessStm) {
	switch s := s.(type) {
	case *imp.Store:
		_, index := p.index(s.Index)
		p.store(s.Mem, index, p.Plain(s.Value))
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

// Collective prints a statement at which threads wait for each other. A thread that is alone waits for nobody.
func (p *Printer) Collective(s imp.CollectiveStm) {
	barrier := p.lang.Barrier
	if !p.Waits {
		barrier = ""
	}
	wait := func() {
		if barrier != "" {
			p.Line("%s", barrier)
		}
	}
	switch s := s.(type) {
	case *imp.Barrier:
		wait()
	case *imp.UniformLoad:
		wait()
		_, index := p.index(s.Index)
		p.Declare(s.Var, p.load(s.Mem, index))
		wait()
	case *imp.SubgroupUpdate:
		p.subgroupUpdate(s)
	case *imp.Subgroup:
		lane := ""
		if s.Lane != nil {
			lane = p.Plain(s.Lane)
		}
		p.Declare(s.Dst, p.lang.Subgroup(p, s, p.Plain(s.X), lane))
	}
}

// OwnLoop prints a loop whose iterations are independent, where the language has lanes, or one that adds to a variable.
func (p *Printer) OwnLoop(s *imp.For) bool {
	if !s.Parallel || p.lang.Lanes == 0 {
		return p.prefixFor(s)
	}
	p.parallelFor(s)
	return true
}

// EnterLoop ends the kernel where it has been told to stop: in each iteration but of loops that run for a moment. A loop of a few
// operations in another is no loop here: compilers unroll it, and vectorise the one around it unless that may end early.
func (p *Printer) EnterLoop(s imp.Stm) {
	loops := func(s imp.Stm) bool { return imp.MayLoop(s) && !isShort(s) }
	if _, counts := s.(*imp.For); p.lang.Stop == "" || counts && !imp.Any(imp.Bodies(s)[0], loops) {
		return
	}
	p.Depth++
	p.poll()
	p.Depth--
}

// LeaveLoop has nothing to print: a thread that fails jumps out of all loops.
func (*Printer) LeaveLoop([]imp.Stm) {}

// poll ends the kernel where it has been told to stop.
func (p *Printer) poll() {
	switch f := p.Function; {
	case p.lang.Stop == "":
	case f == nil:
		p.Line("if (%s) { return; }", p.lang.Stop)
	case len(f.Results) == 1:
		p.Line("if (%s) { return %s; }", p.lang.Stop, zero)
	default:
		p.Line("if (%s) {", p.lang.Stop)
		p.Depth++
		p.ReturnNothing()
		p.Depth--
		p.Line("}")
	}
}

// isShort reports whether a statement is a loop of few independent iterations, without loops.
func isShort(s imp.Stm) bool {
	const most = 8
	f, ok := s.(*imp.For)
	if !ok || !f.Parallel || imp.Any(f.Body, imp.MayLoop) {
		return false
	}
	bound, ok := f.Bound.(*imp.Const)
	return ok && bound.Value.Int() <= most
}

// FailureValue is a value in canonical form, as a u64.
func (p *Printer) FailureValue(e imp.Exp) string {
	t := p.TypeOf(e)
	x := p.Exp(e)
	switch {
	case t == imp.Bool:
		return "(u64)" + x
	case t.IsInt() && p.prim(t).IsSigned():
		return "(u64)(i64)" + x
	case t.IsInt():
		return "(u64)" + x
	}
	return "(u64)" + p.Support("to_bits", t.Prim(), p.Plain(e))
}

// Combine prints the result of a binary operator, for functions of the language's own.
func (p *Printer) Combine(op prim.BinOp, t imp.Type, x, y string) string {
	return p.binText(op, t, x, y, nil)
}

// DeclareOnce adds a declaration before the kernel, once.
func (p *Printer) DeclareOnce(name, text string) { p.declareOnce(name, text) }
