package syntax

import "skald/frontend/source"

// A ModExp is a module expression.
//
//	ModExp ::= ModVar | ModParens | ModBody | ModImport | ModApply | ModAscript | ModLambda
//
//sumtype:decl
type ModExp interface {
	Span() source.Span
	isModExp()
}

// ModVar is a module's name.
type ModVar struct {
	Node
	Name QualName
}

// ModParens is a module expression in parentheses.
type ModParens struct {
	Node
	Body ModExp
}

// ModBody is a module written out: { declarations }.
type ModBody struct {
	Node
	Decs []Dec
}

// ModImport is a file as a module: import "path".
type ModImport struct {
	Node
	Path   string
	PathAt source.Span
}

// ModApply applies a parametric module: f m.
type ModApply struct {
	Node
	Fun ModExp
	Arg ModExp
}

// ModAscript restricts a module to a module type: m : S.
type ModAscript struct {
	Node
	Mod ModExp
	Sig ModTypeExp
}

// ModLambda is a parametric module without a name: \(p: S) : T -> E.
type ModLambda struct {
	Node
	Param *ModParam
	Sig   ModTypeExp // or nil
	Body  ModExp
}

func (*ModVar) isModExp()     {}
func (*ModParens) isModExp()  {}
func (*ModBody) isModExp()    {}
func (*ModImport) isModExp()  {}
func (*ModApply) isModExp()   {}
func (*ModAscript) isModExp() {}
func (*ModLambda) isModExp()  {}

// A ModParam is a parameter of a module: (p: S).
type ModParam struct {
	Node
	Name Name
	Type ModTypeExp
}

// A ModTypeExp is a module type expression.
//
//	ModTypeExp ::= ModTypeVar | ModTypeParens | ModTypeSpecs | ModTypeWith | ModTypeArrow
//
//sumtype:decl
type ModTypeExp interface {
	Span() source.Span
	isModTypeExp()
}

// ModTypeVar is a module type's name.
type ModTypeVar struct {
	Node
	Name QualName
}

// ModTypeParens is a module type in parentheses.
type ModTypeParens struct {
	Node
	Body ModTypeExp
}

// ModTypeSpecs is a module type written out: { specifications }.
type ModTypeSpecs struct {
	Node
	Specs []Spec
}

// ModTypeWith refines an abstract type: S with t 'a [n] = T.
type ModTypeWith struct {
	Node
	Base       ModTypeExp
	Name       QualName
	TypeParams []*TypeParam
	Def        TypeExp
}

// ModTypeArrow is the type of parametric modules: (p: S) -> T or S -> T.
type ModTypeArrow struct {
	Node
	Param Name // empty when the parameter has no name
	From  ModTypeExp
	To    ModTypeExp
}

func (*ModTypeVar) isModTypeExp()    {}
func (*ModTypeParens) isModTypeExp() {}
func (*ModTypeSpecs) isModTypeExp()  {}
func (*ModTypeWith) isModTypeExp()   {}
func (*ModTypeArrow) isModTypeExp()  {}
