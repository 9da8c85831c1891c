package text

import (
	"fmt"
	"strconv"
	"strings"

	"skald/middle/imp"
	"skald/runtime/prim"
)

// Printer prints the statements of one kernel, or of a device function that kernels call. The structure is here, one for all languages:
// declarations, branches, loops, assertions, calls, and regions between barriers. A table of syntax says how it is written, and a
// Language prints what differs: expressions, accesses to memory, collective operations. The printers of languages embed it.
type Printer struct {
	// Kernel is what is printed; for a device function, one with its variables, arrays and body.
	Kernel *imp.Kernel
	// Function is the device function that is printed; nil in the body of a kernel.
	Function *imp.DeviceFunction
	// Waits says that the threads of a workgroup wait for each other: the statements between barriers are regions.
	Waits bool
	// Vars and Mems are the names of variables and arrays.
	Vars, Mems []string
	// Mutable are the variables that are set again, Hoisted those that are declared at the top, and Inlined those that are not declared:
	// their value is printed where they are used.
	Mutable, Hoisted []bool
	Inlined          map[imp.Var]bool
	// Names are those of the device functions that the kernel calls.
	Names map[*imp.DeviceFunction]string
	// InRegion says that the statements of a region are printed.
	InRegion bool
	// IDs are the numbers of a thread that are mentioned.
	IDs [imp.SubgroupSize + 1]bool
	// Needed are the functions of the support library that are called.
	Needed map[string]bool
	// Depth is how deep lines are indented.
	Depth int
	// Err is the first limit that is exceeded.
	Err error

	syntax *Syntax
	lang   Language
	scope  imp.Scope
	uses   []int // how often expressions mention a variable
	out    strings.Builder
	temps  int
	region int // the number of the region that is printed, from 1
	// waited says that the workgroup has just waited for its threads, to leave if one had failed: a barrier there is one too many.
	waited bool
	// pairs are the sines and cosines that are computed together: Note [Sine and cosine of one angle].
	pairs map[*imp.CallFunc]*SinePair
	// agreed are the checks of a kernel that waits that all threads agree on; nil until one is asked for.
	agreed map[*imp.Assert]bool
}

// Language prints what is not structure.
type Language interface {
	// Exp prints an expression so that it may be an operand: in parentheses if it is an operator.
	Exp(e imp.Exp) string
	// Initial prints the value of a declaration, whose type may be inferred from it.
	Initial(e imp.Exp) string
	// RegType is the type of a register that holds a value of t.
	RegType(t imp.Type) string
	// Access prints a statement that reads or writes memory.
	Access(s imp.AccessStm)
	// Collective prints a statement at which threads wait for each other.
	Collective(s imp.CollectiveStm)
	// FailureValue prints a value that an assertion notes.
	FailureValue(e imp.Exp) string
	// Need asks for a helper: a function that the printer names.
	Need(helper string)
	// OwnLoop prints a loop in the language's own way, or reports that it has none for it.
	OwnLoop(s *imp.For) bool
	// EnterLoop prints what comes first in the body of a loop; LeaveLoop what follows it.
	EnterLoop(s imp.Stm)
	LeaveLoop(body []imp.Stm)
	// FailureArgs prints what a call of a device function that may fail needs before it, and returns the arguments that come before its
	// own, with the condition that holds when it has failed.
	FailureArgs() (args []string, failed string)
}

// Syntax is how a language writes structure.
type Syntax struct {
	// Constant and Variable are what precedes the first value of a variable that is set once or may be set again.
	Constant, Variable func(typ, name string) string
	// Rolled precedes a loop that the compiler is not to unroll; empty where the language has no word for it. See Note [Rolled loops].
	Rolled string
	// Held is text that uses variables of 32 or 64 bits; nil where compilers leave loads in place. See Note [Loads before calls].
	Held func(vars []imp.VarDecl) string
	// ClaimFailure is the condition that this is the first failure, at site %d; NoteValue notes value %[2]s at word %[1]d.
	ClaimFailure, NoteValue string
	// FunctionFailed is the variable that tells the caller of a device function that it has failed.
	FunctionFailed string
	// EnterRegion opens a region; LeaveRegion ends region number n, after which the workgroup waits for its threads and leaves if one has
	// failed. BreakRegion is how a thread leaves it before its end. See Note [Failing threads] of package wgsl.
	EnterRegion string
	LeaveRegion func(n int) []string
	BreakRegion func(n int) string
	// Pieces is how many pieces of a chain of branches come behind each other at most; 0 is any number. See Note [Long chains of branches].
	Pieces int
	// Struct declares a struct of the results of a device function, with fields of types.
	Struct func(name string, types []string) string
	// Head opens a device function that is called name and returns result, "" if nothing.
	Head func(f *imp.DeviceFunction, name, result string, params []Param) string
	// Return are the lines that return the values of several results of type t; no values are zeros. ZeroResult is what a function of
	// one result of type t returns when it fails.
	Return     func(t string, values []string) []string
	ZeroResult func(t string) string
}

// Param is a parameter of a device function.
type Param struct{ Name, Type string }

// NewPrinter prepares a printer for a kernel, or for what imp.DeviceFunction.Kernel makes of a device function: its variables and arrays
// are named (see Names), and the variables that are set again are found. It adds to needed.
func NewPrinter(
	k *imp.Kernel, lang Language, syntax *Syntax, names map[*imp.DeviceFunction]string, needed, accessors map[string]bool,
	reserved ...map[string]bool,
) Printer {
	p := Printer{Kernel: k, Names: names, Needed: needed, scope: k.Scope(), lang: lang, syntax: syntax}
	p.Vars, p.Mems = Names(k.Vars, k.Mems, accessors, reserved...)
	p.Mutable, p.Hoisted, p.uses = make([]bool, len(k.Vars)), make([]bool, len(k.Vars)), make([]int, len(k.Vars))
	imp.Walk(k.Body, func(s imp.Stm) bool {
		imp.WalkExps(s, func(e imp.Exp) {
			if v, ok := e.(*imp.VarExp); ok {
				p.uses[v.Var]++
			}
		})
		if s, ok := s.(*imp.Set); ok {
			p.Mutable[s.Var] = true
		}
		return true
	})
	return p
}

// Line prints one line.
func (p *Printer) Line(format string, args ...any) {
	p.out.WriteString(imp.Indent(p.Depth))
	fmt.Fprintf(&p.out, format, args...)
	p.out.WriteByte('\n')
}

// put prints one line of several parts. Most lines are printed so: formats are read again for each.
func (p *Printer) put(parts ...string) {
	p.out.WriteString(imp.Indent(p.Depth))
	for _, part := range parts {
		p.out.WriteString(part)
	}
	p.out.WriteByte('\n')
}

// Body is what has been printed.
func (p *Printer) Body() string { return p.out.String() }

// Captured is what f prints, apart from the body.
func (p *Printer) Captured(f func()) string {
	body, depth := p.out.String(), p.Depth
	p.out.Reset()
	p.Depth = 0
	f()
	text := p.out.String()
	p.out.Reset()
	p.out.WriteString(body)
	p.Depth = depth
	return text
}

// Limit notes what the language cannot do; the first one is reported.
func (p *Printer) Limit(format string, args ...any) {
	if p.Err == nil {
		p.Err = fmt.Errorf(format, args...)
	}
}

// Temp makes a name for an intermediate value.
func (p *Printer) Temp(base string) string {
	p.temps++
	return fmt.Sprintf("%s_t%d", base, p.temps)
}

// TypeOf is the type of an expression.
func (p *Printer) TypeOf(e imp.Exp) imp.Type { return p.scope.TypeOf(e) }

// Plain prints an expression that nothing follows: without parentheses around the whole.
func (p *Printer) Plain(e imp.Exp) string { return Plain(p.lang.Exp(e)) }

// Declare prints the declaration of v with its first value.
func (p *Printer) Declare(v imp.Var, value string) {
	switch {
	case p.Hoisted[v]:
		p.put(p.Vars[v], " = ", value, ";")
	case p.Mutable[v]:
		p.put(p.syntax.Variable(p.lang.RegType(p.Kernel.Vars[v].Type), p.Vars[v]), " = ", value, ";")
	default:
		p.put(p.syntax.Constant(p.lang.RegType(p.Kernel.Vars[v].Type), p.Vars[v]), " = ", value, ";")
	}
}

// ID is the variable that holds a number of the thread.
func (p *Printer) ID(k imp.IdKind) string {
	p.IDs[k] = true
	switch k {
	case imp.ThreadID:
		p.IDs[imp.GroupID], p.IDs[imp.LocalID] = true, true
	case imp.GroupSize:
		return strconv.Itoa(p.Kernel.GroupSize)
	default:
	}
	return k.String()
}

// Support calls a function of the support library, named after operator and type.
func (p *Printer) Support(op string, t prim.Type, args ...string) string {
	name := op + "_" + t.String()
	p.Needed[name] = true
	return name + "(" + strings.Join(args, ", ") + ")"
}

// constant declares an intermediate value, and returns its name.
func (p *Printer) constant(base, typ, value string) string {
	t := p.Temp(base)
	p.put(p.syntax.Constant(typ, t), " = ", value, ";")
	return t
}

// Fixed reports whether e has the same value in all of the code.
func (p *Printer) Fixed(e imp.Exp) bool {
	switch e := imp.Match(e).(type) {
	case *imp.Const:
		return true
	case *imp.VarExp:
		return !p.Mutable[e.Var]
	default:
		return false
	}
}
