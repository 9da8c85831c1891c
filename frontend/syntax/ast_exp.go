package syntax

import "skald/frontend/source"

// An Exp is an expression.
//
//	Exp ::= literal | Var | Hole | Parens | OpenIn | TupleLit | RecordLit | ArrayLit | Project
//	      | Constr | Apply | BinOp | Negate | Not | Section | LeftSection | RightSection
//	      | PathSection | Index | Update | Range | Ascript | Coerce | Assert | AttrExp | Lambda
//	      | LetPat | LetFun | LetWith | If | Loop | Match
//	literal ::= IntLit | FloatLit | CharLit | StringLit | BoolLit
//
//sumtype:decl
type Exp interface {
	Span() source.Span
	isExp()
}

// Var is a name in a term: x, m.x, r.field, and (+) as m.(+) never: see [Section].
type Var struct {
	Node
	Name QualName
}

// Hole is the expression that is still to be written: ???.
type Hole struct{ Node }

// Parens is an expression in parentheses.
type Parens struct {
	Node
	Body Exp
}

// OpenIn evaluates an expression with a module's contents in scope: m.(e).
type OpenIn struct {
	Node
	Module QualName
	Body   Exp
}

// TupleLit is a tuple of no or several elements.
type TupleLit struct {
	Node
	Elems []Exp
}

// RecordLit is a record: {a = e, b}.
type RecordLit struct {
	Node
	Fields []*RecordField
}

// A RecordField is a field of a record; of one without a value, Value is the
// [Var] that it stands for, and Punned is set.
type RecordField struct {
	Node
	Name   Name
	Value  Exp
	Punned bool
}

// ArrayLit is an array: [e, f]. Uniform says that there is at least one
// element and that all are numeric or truth literals without a sign, of the
// same kind and with the same suffix, so that they need not be looked at one by one.
type ArrayLit struct {
	Node
	Elems   []Exp
	Uniform bool
}

// Project takes a field out of something that is not a name: (f x).a, t.0.
// (x.a is a [Var].)
type Project struct {
	Node
	Exp   Exp
	Field Name
}

// Constr makes a value of a sum type: #c e f. The name is without the #.
type Constr struct {
	Node
	Name Name
	Args []Exp
}

// Apply applies a function to all the arguments written after it: f x y.
type Apply struct {
	Node
	Fun  Exp
	Args []Exp
}

// BinOp is an infix application; x `f` y has Backtick set.
type BinOp struct {
	Node
	Op       QualName
	Backtick bool
	Left     Exp
	Right    Exp
}

// Negate is -x.
type Negate struct {
	Node
	Exp Exp
}

// Not is !x.
type Not struct {
	Node
	Exp Exp
}

// Section is an operator as a function: (+), (m.+), (`f`).
type Section struct {
	Node
	Op       QualName
	Backtick bool
}

// LeftSection is an operator with its left operand: (x +).
type LeftSection struct {
	Node
	Left     Exp
	Op       QualName
	Backtick bool
}

// RightSection is an operator with its right operand: (+ x).
type RightSection struct {
	Node
	Op       QualName
	Backtick bool
	Right    Exp
}

// PathSection is a function that takes a part out: (.a.b[i]), (.[i, j].x).
type PathSection struct {
	Node
	Path []Step
}

// Index takes an element or a slice out of an array: a[i, j:k].
type Index struct {
	Node
	Array   Exp
	Indices []*DimIndex
}

// A DimIndex is the index of one dimension: either Fix is set, or it is a slice
// Start:End:Stride whose parts may each be missing.
type DimIndex struct {
	Node
	Fix    Exp // nil for a slice
	Start  Exp // or nil
	End    Exp // or nil
	Stride Exp // or nil
}

// Update replaces a part: src with [i].f = value.
type Update struct {
	Node
	Src   Exp
	Path  []Step
	Value Exp
}

// A Step is one step of the path in an update or a path section.
//
//	Step ::= StepField | StepIndex
//
//sumtype:decl
type Step interface {
	Span() source.Span
	isStep()
}

// StepField steps into a field of a record.
type StepField struct {
	Node
	Field Name
}

// StepIndex steps into an array: [i, j:k].
type StepIndex struct {
	Node
	Indices []*DimIndex
}

func (*StepField) isStep() {}
func (*StepIndex) isStep() {}

// RangeKind says how a range ends.
type RangeKind uint8

// The kinds of ranges.
const (
	// RangeInclusive is a...b: b is the last element if it is reached.
	RangeInclusive RangeKind = iota
	// RangeUpTo is a..<b.
	RangeUpTo
	// RangeDownTo is a..>b.
	RangeDownTo
)

// String is the token before the end.
func (k RangeKind) String() string { return [...]string{"...", "..<", "..>"}[k] }

// Range is an array of equally spaced integers: start..second..<end.
type Range struct {
	Node
	Start  Exp
	Second Exp // or nil
	Kind   RangeKind
	End    Exp
}

// Ascript states an expression's type: e : t.
type Ascript struct {
	Node
	Exp  Exp
	Type TypeExp
}

// Coerce changes the sizes in an expression's type, checked at run time: e :> t.
type Coerce struct {
	Node
	Exp  Exp
	Type TypeExp
}

// Assert stops the program unless Cond holds: assert c e.
type Assert struct {
	Node
	Cond Exp
	Body Exp
}

// AttrExp is an expression with an attribute: #[a] e.
type AttrExp struct {
	Node
	Attr *Attr
	Exp  Exp
}

// Lambda is a function without a name: \x y : t -> e.
type Lambda struct {
	Node
	Params []Pat
	Result TypeExp // or nil
	Body   Exp
}

// LetPat binds a pattern, and perhaps sizes in it: let [n] (xs: [n]i32) = e in b.
type LetPat struct {
	Node
	Sizes []Name
	Pat   Pat
	Value Exp
	Body  Exp
}

// LetFun binds a local function: let f [n] (x: t) : r = e in b.
type LetFun struct {
	Node
	Name       Name
	TypeParams []*TypeParam
	Params     []Pat
	Result     TypeExp // or nil
	Value      Exp
	Body       Exp
}

// LetWith updates a part of a variable under the same name: let a[i].f = e in b.
type LetWith struct {
	Node
	Name  Name
	Path  []Step
	Value Exp
	Body  Exp
}

// If is if c then t else f.
type If struct {
	Node
	Cond Exp
	Then Exp
	Else Exp
}

// Loop is loop p = init form do body. Without an initial value it is taken
// from the variables of the pattern's names.
type Loop struct {
	Node
	Pat  Pat
	Init Exp // or nil
	Form LoopForm
	Body Exp
}

// A LoopForm says how often a loop goes round.
//
//	LoopForm ::= For | ForIn | While
//
//sumtype:decl
type LoopForm interface {
	Span() source.Span
	isLoopForm()
}

// For counts from zero: for i < n.
type For struct {
	Node
	Var   Name
	Bound Exp
}

// ForIn goes through an array: for p in xs.
type ForIn struct {
	Node
	Pat   Pat
	Array Exp
}

// While goes on as long as a condition holds.
type While struct {
	Node
	Cond Exp
}

func (*For) isLoopForm()   {}
func (*ForIn) isLoopForm() {}
func (*While) isLoopForm() {}

// Match chooses the first case whose pattern matches.
type Match struct {
	Node
	Exp   Exp
	Cases []*Case
}

// A Case is one case of a match: case p -> e.
type Case struct {
	Node
	Pat  Pat
	Body Exp
}

func (*Var) isExp()          {}
func (*Hole) isExp()         {}
func (*Parens) isExp()       {}
func (*OpenIn) isExp()       {}
func (*TupleLit) isExp()     {}
func (*RecordLit) isExp()    {}
func (*ArrayLit) isExp()     {}
func (*Project) isExp()      {}
func (*Constr) isExp()       {}
func (*Apply) isExp()        {}
func (*BinOp) isExp()        {}
func (*Negate) isExp()       {}
func (*Not) isExp()          {}
func (*Section) isExp()      {}
func (*LeftSection) isExp()  {}
func (*RightSection) isExp() {}
func (*PathSection) isExp()  {}
func (*Index) isExp()        {}
func (*Update) isExp()       {}
func (*Range) isExp()        {}
func (*Ascript) isExp()      {}
func (*Coerce) isExp()       {}
func (*Assert) isExp()       {}
func (*AttrExp) isExp()      {}
func (*Lambda) isExp()       {}
func (*LetPat) isExp()       {}
func (*LetFun) isExp()       {}
func (*LetWith) isExp()      {}
func (*If) isExp()           {}
func (*Loop) isExp()         {}
func (*Match) isExp()        {}
func (*IntLit) isExp()       {}
func (*FloatLit) isExp()     {}
func (*CharLit) isExp()      {}
func (*StringLit) isExp()    {}
func (*BoolLit) isExp()      {}
