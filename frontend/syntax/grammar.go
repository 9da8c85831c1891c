package syntax

import (
	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"
)

// The grammar of declarations, module expressions and module types, in
// participle's notation: a struct is a production, its tags are its right-hand
// side, @@ stands for the field's own production and @ captures. A field named
// Tokens gets all tokens of its production, and so its range. Values are
// single tokens here: see Note [Islands].
//
// The grammar is LL(1) but for one place (two tokens before the colon of a
// named parameter), and recursive only within brackets: chains are lists here,
// which build.go folds into trees.

// The interfaces below are the productions that the hand-written parser parses
// (see Note [Two parsers in one]).
type (
	// gParams is a list of type parameters, perhaps empty.
	gParams interface{ list() []*TypeParam }
	// gAttr is an attribute.
	gAttr interface{ attr() *Attr }
)

// gDec is a declaration with what precedes it.
type gDec struct {
	Tokens []lexer.Token
	Prefix []*gPrefix  `parser:"@@*"`
	Val    lexer.Token `parser:"( @Val"`
	Type   *gType      `parser:"| @@"`
	Module *gModule    `parser:"| @@"`
	Open   *gModExp    `parser:"| 'open' @@"`
	Import lexer.Token `parser:"| 'import' @String )"`
}

// gPrefix is what may precede a declaration, in any number and order; build.go
// rejects documentation that follows an attribute.
type gPrefix struct {
	Doc   lexer.Token `parser:"  @Doc"`
	Attr  gAttr       `parser:"| @@"`
	Local lexer.Token `parser:"| @'local'"`
}

// gType is a type abbreviation, and in module types also an abstract type.
type gType struct {
	Lift   string      `parser:"'type' @( '~' | '^' )?"`
	Name   lexer.Token `parser:"@Ident"`
	Params gParams     `parser:"@@?"`
	Def    TypeExp     `parser:"( '=' @@ )?"`
}

// gModule is a module or a module type.
type gModule struct {
	TypeName lexer.Token  `parser:"'module' ( 'type' @Ident"`
	TypeDef  *gModType    `parser:"  '=' @@"`
	Name     lexer.Token  `parser:"| @Ident"`
	Params   []*gModParam `parser:"  @@*"`
	Sig      *gModType    `parser:"  ( ':' @@ )?"`
	Body     *gModExp     `parser:"  '=' @@ )"`
}

// gModParam is a parameter of a module.
type gModParam struct {
	Tokens []lexer.Token
	Name   lexer.Token `parser:"'(' @Ident"`
	Type   *gModType   `parser:"':' @@ ')'"`
}

// gModExp is a module expression: lambda heads, then what they are heads of.
type gModExp struct {
	Tokens  []lexer.Token
	Lambdas []*gModLambda `parser:"@@*"`
	Atoms   []*gModAtom   `parser:"( @@+"`
	Import  lexer.Token   `parser:"| 'import' @String )"`
	Sigs    []*gModType   `parser:"( ':' @@ )*"`
}

// gModLambda is the head of a parametric module without a name.
type gModLambda struct {
	Tokens []lexer.Token
	Param  *gModParam    `parser:"'\\\\' @@"`
	Sig    *gModTypeAtom `parser:"( ':' @@ )? '->'"`
}

// gModAtom is a module expression that needs no parentheses as an argument.
type gModAtom struct {
	Tokens []lexer.Token
	Parens *gModExp      `parser:"  '(' @@ ')'"`
	Name   []lexer.Token `parser:"| @( Ident ( '.' Ident )* )"`
	Open   lexer.Token   `parser:"| @'{'"`
	Decs   []*gDec       `parser:"  @@* '}'"`
}

// gModType is a module type: all that stand between arrows.
type gModType struct {
	Tokens []lexer.Token
	Parts  []*gModTypePart `parser:"@@ ( '->' @@ )*"`
}

// gModTypePart is a module type without arrows at the top.
type gModTypePart struct {
	Tokens []lexer.Token
	Atom   *gModTypeAtom `parser:"@@"`
	Withs  []*gWith      `parser:"@@*"`
}

// gModTypeAtom is a module type without arrows or refinements at the top; a
// named parameter is one too, and build.go checks that an arrow follows it.
type gModTypeAtom struct {
	Tokens []lexer.Token
	Name   []lexer.Token `parser:"  @( Ident ( '.' Ident )* )"`
	Param  lexer.Token   `parser:"| '(' ( @Ident ':' )?"`
	Parens *gModType     `parser:"  @@ ')'"`
	Open   lexer.Token   `parser:"| @'{'"`
	Specs  []*gSpec      `parser:"  @@* '}'"`
}

// gWith refines an abstract type.
type gWith struct {
	Tokens []lexer.Token
	Name   []lexer.Token `parser:"'with' @( Ident ( '.' Ident )* )"`
	Params gParams       `parser:"@@?"`
	Def    TypeExp       `parser:"'=' @@"`
}

// gSpec is a specification with what precedes it.
type gSpec struct {
	Tokens  []lexer.Token
	Prefix  []*gPrefix  `parser:"@@*"`
	Val     lexer.Token `parser:"( @ValSpec"`
	Type    *gType      `parser:"| @@"`
	ModName lexer.Token `parser:"| 'module' @Ident"`
	Mod     *gModType   `parser:"  ':' @@"`
	Include *gModType   `parser:"| 'include' @@ )"`
}

// newGrammar builds participle's parsers; their custom productions are the
// session's.
func (s *session) newGrammar() error {
	options := []participle.Option{
		participle.Lexer(Definition{}),
		participle.UseLookahead(1),
		participle.ParseTypeWith(s.parseType),
		participle.ParseTypeWith(s.parseTypeParams),
		participle.ParseTypeWith(s.parseAttr),
	}
	var err error
	if s.decs, err = participle.Build[gDec](options...); err != nil {
		return err
	}
	s.mods, err = participle.ParserForProduction[gModExp](s.decs)
	return err
}
