package types

import (
	"skald/frontend/source"
	"skald/runtime/prim"
)

// Note [Existential sizes]
//
// An expression's type may mention sizes that are not known before it is evaluated: the length of a filter's result, of a slice
// with variable bounds, of the one branch that was taken. The checker makes for each such size a fresh Symbol of kind ExtSize and
// lists it in Info.Ext of the expression that makes it. After the expression has been evaluated, each symbol of Ext
// is bound: its value is read off the shape of the result, at any place where Info.Type mentions it as a size. From then on it is in
// scope in everything that the enclosing function (Def, LetFun or Lambda) evaluates later, including sizes in types.
//
// Where a size would occur only under a function arrow, so that no shape shows it, the checker binds the argument that the
// size depends on by a Let first; the size is then that variable.
//
// The result of a function hides the sizes born in its body: RetType.Ext names them again. If, Match and Loop likewise: a
// size that differs between branches or iterations is in the Ext of the whole.

// Note [Order of evaluation]
//
// The language is pure, but sizes are born by evaluation, and types mention them. The checker has made sure that every size is known
// where it is needed, if applications and intrinsics evaluate their arguments from the last to the first and then the
// function, operators and comparisons their operands from left to right, Let what it binds before its body, and Construct
// its payload in order. Infix applications were checked from left to right; where the order matters, the left
// operand mentions none of the right one's sizes.

// Info is what every expression carries.
type Info struct {
	Type Type
	Ext  []*Symbol
	At   source.Span
}

// Base returns the expression's Info; it makes every struct that embeds Info part of an expression.
func (i *Info) Base() *Info { return i }

// Exp is an expression of the typed program.
//
//sumtype:decl
type Exp interface {
	isExp()
	Base() *Info
}

// Const is a primitive value.
type Const struct {
	Info
	Value prim.Value
}

// ArrayConst is a one-dimensional array of primitive constants: a string literal, or a long array literal.
type ArrayConst struct {
	Info
	Values []prim.Value
}

// Ref is an occurrence of a variable. For a polymorphic symbol Args has an entry for each of Sym.Params.
type Ref struct {
	Info
	Sym  *Symbol
	Args []TypeArg
}

// RecordLit makes a record or tuple. Fields are in the order in which they were written, which is the order of evaluation.
type RecordLit struct {
	Info
	Fields []FieldExp
}

// FieldExp is one field of a RecordLit.
type FieldExp struct {
	Name string
	Exp  Exp
}

// ArrayLit is an array given by its elements; all have the same shape, which is checked when it is evaluated.
type ArrayLit struct {
	Info
	Elems []Exp
}

// Project takes one field of a record or tuple.
type Project struct {
	Info
	Exp   Exp
	Field string
}

// Construct makes a value of a sum type; it is saturated.
type Construct struct {
	Info
	Ctor string
	Args []Exp
}

// Update is `src with path = value`: src with one component replaced. Where the path has an index, src is
// consumed, and the update may be done in place.
type Update struct {
	Info
	Src   Exp
	Path  []Step
	Value Exp
}

// Step is one step of an update's path: a field if Dims is nil, else an index.
type Step struct {
	Field string
	Dims  []Dim
}

// Dim is one dimension of an index: a single index, or a slice whose missing parts are nil.
type Dim struct {
	Index              Exp // nil for a slice
	Start, End, Stride Exp
}

// Index takes an element or a slice of an array. It has as many Dims as were written: at most the rank.
type Index struct {
	Info
	Array Exp
	Dims  []Dim
}

// Lambda is an anonymous function.
type Lambda struct {
	Info
	Params []*Param
	Ret    RetType
	Body   Exp
}

// Param is a parameter of a function. Pat.Type() carries uniqueness: a unique parameter is consumed by a call. Sizes are binders that
// the parameter's own pattern introduces, bound from the shape of the argument; they are empty for a Def, whose size parameters
// are in TypeParams and passed by Ref.Args.
type Param struct {
	Sizes []*Symbol
	Pat   Pat
}

// Apply applies a function to one or more arguments. The number of arguments may be less than the function takes (a
// partial application) or more (the result is a function, applied in turn).
type Apply struct {
	Info
	Fun  Exp
	Args []Exp
}

// Op applies a primitive operator to scalars. Integer division and remainder by zero, and negative exponents, are run-time errors.
type Op struct {
	Info
	Op   ScalarOp
	Args []Exp
}

// Equal compares two values of any type without functions by structure; Negate makes it `!=`. Comparison of arrays of different
// shape is false. (Comparison of scalars is an Op.)
type Equal struct {
	Info
	X, Y   Exp
	Negate bool
}

// Builtin applies one of the language's polymorphic intrinsics (map, reduce, ...) to all of its arguments. TypeArgs and
// SizeArgs instantiate it: see the intrinsics' types in intrinsic.go.
type Builtin struct {
	Info
	Fn       Intrinsic
	TypeArgs []TypeArg
	Args     []Exp
}

// If evaluates one of two branches. `a && b` is If{a, b, false}, `a || b` is If{a, true, b}.
type If struct {
	Info
	Cond, Then, Else Exp
}

// Match evaluates the first case whose pattern fits. The checker has shown that one does.
type Match struct {
	Info
	Exp   Exp
	Cases []Case
}

// Case is one alternative of a Match.
type Case struct {
	Pat  Pat
	Body Exp
	At   source.Span
}

// Range is an array of integers with a given first element. Second is nil for a step of one (minus one for DownTo). It is an error when
// the step is zero or does not lead towards the end.
type Range struct {
	Info
	Kind                RangeKind
	First, Second, Last Exp
}

// RangeKind is the sort of end that a range has.
type RangeKind uint8

// The ends of ranges: `...` includes it, `..<` stops before it going up, `..>` before it going down.
const (
	Inclusive RangeKind = iota
	UpTo
	DownTo
)

// Let binds the names of a pattern. Sizes are explicit size binders, bound from the shape of the value.
type Let struct {
	Info
	Sizes []*Symbol
	Pat   Pat
	Exp   Exp
	Body  Exp
}

// LetFun binds a local function, which may have type and size parameters of its own.
type LetFun struct {
	Info
	Def  *Def
	Body Exp
}

// Loop runs Body with Pat bound to Init and then to each result. Sizes are the sizes in Pat's type that may change from one
// iteration to the next, bound from the shape of the value each time.
type Loop struct {
	Info
	Sizes []*Symbol
	Pat   Pat
	Init  Exp
	Form  LoopForm
	Body  Exp
}

// LoopForm says how often a loop runs.
//
//sumtype:decl
type LoopForm interface{ isLoopForm() }

// For runs with Sym = 0 .. Bound-1; Bound is evaluated once, and its type is that of Sym.
type For struct {
	Sym   *Symbol
	Bound Exp
}

// ForIn runs once for each element of Array.
type ForIn struct {
	Pat   Pat
	Array Exp
}

// While runs as long as Cond, which sees the loop's pattern, is true.
type While struct{ Cond Exp }

func (*For) isLoopForm()   {}
func (*ForIn) isLoopForm() {}
func (*While) isLoopForm() {}

// Coerce is `exp :> t`: at run time the sizes of the value must be those of Info.Type, else it is an error.
type Coerce struct {
	Info
	Exp Exp
}

// Assert is `assert cond exp`: an error unless cond is true. Text is the source text of cond.
type Assert struct {
	Info
	Cond Exp
	Body Exp
	Text string
}

// Attributed is an expression with an attribute; it binds loosest.
type Attributed struct {
	Info
	Attr Attr
	Exp  Exp
}

// Hole is `???`: it has any type, and evaluating it is an error.
type Hole struct{ Info }

// Attr is an attribute as written: a name or integer, perhaps with arguments.
type Attr struct {
	Name string // the name, or the digits of an integer
	Args []Attr
	At   source.Span // with its brackets, unless it is an argument
}

func (*Const) isExp()      {}
func (*ArrayConst) isExp() {}
func (*Ref) isExp()        {}
func (*RecordLit) isExp()  {}
func (*ArrayLit) isExp()   {}
func (*Project) isExp()    {}
func (*Construct) isExp()  {}
func (*Update) isExp()     {}
func (*Index) isExp()      {}
func (*Lambda) isExp()     {}
func (*Apply) isExp()      {}
func (*Op) isExp()         {}
func (*Equal) isExp()      {}
func (*Builtin) isExp()    {}
func (*If) isExp()         {}
func (*Match) isExp()      {}
func (*Range) isExp()      {}
func (*Let) isExp()        {}
func (*LetFun) isExp()     {}
func (*Loop) isExp()       {}
func (*Coerce) isExp()     {}
func (*Assert) isExp()     {}
func (*Attributed) isExp() {}
func (*Hole) isExp()       {}
