package syntax

import "skald/frontend/source"

// A Dec is a declaration at top level or in a module.
//
//	Dec ::= ValDec | TypeDec | ModDec | ModTypeDec | OpenDec | ImportDec | LocalDec
//
//sumtype:decl
type Dec interface {
	Span() source.Span
	// Header is what all declarations have in front.
	Header() *DecHeader
	isDec()
}

// A DecHeader is what precedes a declaration or a specification.
type DecHeader struct {
	Node
	// Doc is the documentation comment, or nil.
	Doc *Doc
	// Attrs are the attributes, in the order written.
	Attrs []*Attr
}

// Header returns the header itself.
func (h *DecHeader) Header() *DecHeader { return h }

// ValKeyword is the keyword that a value declaration begins with.
type ValKeyword uint8

// The keywords of value declarations.
const (
	KeywordDef ValKeyword = iota
	KeywordLet
	KeywordEntry
)

// String is the keyword.
func (k ValKeyword) String() string { return [...]string{"def", "let", "entry"}[k] }

// ValDec is a value or function: def f [n] 't (x: t) : r = e. An infix
// definition, def (x: t) <+> (y: t) = e, has Infix set and two parameters.
type ValDec struct {
	DecHeader
	Keyword    ValKeyword
	Name       Name
	Infix      bool
	TypeParams []*TypeParam
	Params     []Pat
	Result     TypeExp // or nil
	Body       Exp
}

// TypeDec is a type abbreviation: type~ t [n] 'a = T.
type TypeDec struct {
	DecHeader
	Lift       Liftedness
	Name       Name
	TypeParams []*TypeParam
	Def        TypeExp
}

// ModDec is a module, perhaps with parameters: module m (p: S) : T = E.
type ModDec struct {
	DecHeader
	Name   Name
	Params []*ModParam
	Sig    ModTypeExp // or nil
	Body   ModExp
}

// ModTypeDec is a named module type: module type S = E.
type ModTypeDec struct {
	DecHeader
	Name Name
	Def  ModTypeExp
}

// OpenDec brings a module's contents into scope and exports them: open E.
type OpenDec struct {
	DecHeader
	Mod ModExp
}

// ImportDec opens a file's contents: import "path".
type ImportDec struct {
	DecHeader
	Path   string
	PathAt source.Span
}

// LocalDec hides what its declaration would export: local D.
type LocalDec struct {
	DecHeader
	Dec Dec
}

func (*ValDec) isDec()     {}
func (*TypeDec) isDec()    {}
func (*ModDec) isDec()     {}
func (*ModTypeDec) isDec() {}
func (*OpenDec) isDec()    {}
func (*ImportDec) isDec()  {}
func (*LocalDec) isDec()   {}

// A Spec is a specification in a module type.
//
//	Spec ::= ValSpec | TypeSpec | ModSpec | IncludeSpec
//
//sumtype:decl
type Spec interface {
	Span() source.Span
	// Header is what all specifications have in front.
	Header() *DecHeader
	isSpec()
}

// ValSpec is a value: val f [n] 't : T.
type ValSpec struct {
	DecHeader
	Name       Name
	TypeParams []*TypeParam
	Type       TypeExp
}

// TypeSpec is an abstract type, type^ t 'a, or an abbreviation when Def is set.
type TypeSpec struct {
	DecHeader
	Lift       Liftedness
	Name       Name
	TypeParams []*TypeParam
	Def        TypeExp // or nil
}

// ModSpec is a nested module: module m : S.
type ModSpec struct {
	DecHeader
	Name Name
	Type ModTypeExp
}

// IncludeSpec takes all specifications of another module type: include S.
type IncludeSpec struct {
	DecHeader
	Type ModTypeExp
}

func (*ValSpec) isSpec()     {}
func (*TypeSpec) isSpec()    {}
func (*ModSpec) isSpec()     {}
func (*IncludeSpec) isSpec() {}
