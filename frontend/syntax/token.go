package syntax

import "fmt"

// Kind is the kind of a token.
type Kind uint8

// The kinds of tokens. Reserved words and fixed symbols have a kind each.
const (
	EOF Kind = iota
	// Bad is text that is no token.
	Bad
	// DocComment is a run of comment lines, the first of which begins with --|
	// with one space inside.
	DocComment
	Ident
	// Constructor is a name after #.
	Constructor
	// NatLit is a decimal integer without suffix, which may also name a field;
	// other integers are of kind IntNumber.
	NatLit
	IntNumber
	FloatNumber
	CharText
	StringText
	// Operator is any operator that has no kind of its own, and any qualified
	// operator; its fixity is in the token.
	Operator

	Minus
	Star
	Less
	Hat
	Pipe
	Bang
	Equals

	LeftParen
	RightParen
	// LeftBracket is [ with space before it; IndexBracket directly follows a
	// name, number, closing parenthesis or bracket, and indexes.
	LeftBracket
	IndexBracket
	RightBracket
	LeftBrace
	RightBrace
	// HashBracket is #[, which begins an attribute.
	HashBracket
	Comma
	Underscore
	Question
	HoleText
	Arrow
	Colon
	ColonGreater
	Backslash
	Tilde
	Quote
	QuoteHat
	QuoteTilde
	Backtick
	Dot
	DotDot
	DotDotDot
	DotDotLess
	DotDotGreater

	wordTrue
	wordFalse
	wordIf
	wordThen
	wordElse
	wordDef
	wordLet
	wordLoop
	wordIn
	wordVal
	wordFor
	wordDo
	wordWith
	wordLocal
	wordOpen
	wordInclude
	wordImport
	wordType
	wordEntry
	wordModule
	wordWhile
	wordAssert
	wordMatch
	wordCase

	kindCount
)

// kindNames are the kinds as messages and the token listing name them: the
// text of those that have only one, a description of the others.
var kindNames = [kindCount]string{
	EOF: "end of file", Bad: "invalid text", DocComment: "documentation comment", Ident: "name",
	Constructor: "constructor", NatLit: "integer", IntNumber: "integer", FloatNumber: "number",
	CharText: "character", StringText: "string", Operator: "operator",
	Minus: "-", Star: "*", Less: "<", Hat: "^", Pipe: "|", Bang: "!", Equals: "=",
	LeftParen: "(", RightParen: ")", LeftBracket: "[", IndexBracket: "[", RightBracket: "]",
	LeftBrace: "{", RightBrace: "}", HashBracket: "#[", Comma: ",", Underscore: "_", Question: "?",
	HoleText: "???", Arrow: "->", Colon: ":", ColonGreater: ":>", Backslash: "\\", Tilde: "~",
	Quote: "'", QuoteHat: "'^", QuoteTilde: "'~", Backtick: "`", Dot: ".", DotDot: "..",
	DotDotDot: "...", DotDotLess: "..<", DotDotGreater: "..>",
	wordTrue: "true", wordFalse: "false", wordIf: "if", wordThen: "then", wordElse: "else",
	wordDef: "def", wordLet: "let", wordLoop: "loop", wordIn: "in", wordVal: "val", wordFor: "for",
	wordDo: "do", wordWith: "with", wordLocal: "local", wordOpen: "open", wordInclude: "include",
	wordImport: "import", wordType: "type", wordEntry: "entry", wordModule: "module",
	wordWhile: "while", wordAssert: "assert", wordMatch: "match", wordCase: "case",
}

// String is the kind's name or text.
func (k Kind) String() string {
	if k >= kindCount {
		panic(fmt.Sprintf("syntax: token kind %d", uint8(k)))
	}
	return kindNames[k]
}

// fixed reports whether all tokens of the kind have the same text.
func (k Kind) fixed() bool { return k >= Minus }

// IsKeyword reports whether the kind is a reserved word.
func (k Kind) IsKeyword() bool { return k >= wordTrue }

// Keywords are the reserved words.
func Keywords() []string {
	var out []string
	for k := wordTrue; k < kindCount; k++ {
		out = append(out, k.String())
	}
	return out
}

// A Token is a piece of source text. Comments other than documentation are no
// tokens. The text is the file's from byte Start to byte End.
type Token struct {
	Kind Kind
	// Fix is how strongly the token binds as an infix operator; none for what
	// is no operator.
	Fix        Fixity
	Start, End int32
}

// A Fixity is the strength and direction with which an infix operator binds.
// The constants are ordered from the loosest to the tightest.
type Fixity uint8

// The fixities. Backticked names and "with" have one too, but are not operators.
const (
	fixNone Fixity = iota
	fixRange
	fixBacktick
	fixWith
	fixPipeRight
	fixPipeLeft // the only one that associates to the right, besides ranges
	fixOr
	fixAnd
	fixCompare
	fixBits
	fixShift
	fixAdd
	fixMultiply
	fixPower
)

// Note [Operator fixity]
//
// A program may define operators of its own. Such an operator binds like the
// longest built-in operator that it begins with: <*> like <, +^ like +. Two
// prefixes that are no operators themselves count as built in: ! and =, which
// bind like comparisons. Since every operator begins with one of the
// characters below, every operator has a fixity; a qualified operator has that
// of its last part.

// OperatorFixity is the fixity of an operator, without qualifiers: see Note [Operator fixity].
func OperatorFixity(op string) Fixity {
	if op == "" {
		return fixNone
	}
	second := byte(0)
	if len(op) > 1 {
		second = op[1]
	}
	switch op[0] {
	case '+', '-':
		return fixAdd
	case '*':
		if second == '*' {
			return fixPower
		}
		return fixMultiply
	case '/', '%':
		return fixMultiply
	case '=', '!':
		return fixCompare
	case '<':
		return ifSecond(second, '<', fixShift, ifSecond(second, '|', fixPipeLeft, fixCompare))
	case '>':
		return ifSecond(second, '>', fixShift, fixCompare)
	case '&':
		return ifSecond(second, '&', fixAnd, fixBits)
	case '|':
		return ifSecond(second, '|', fixOr, ifSecond(second, '>', fixPipeRight, fixBits))
	case '^':
		return fixBits
	default:
		return fixNone
	}
}

// ifSecond chooses a fixity by an operator's second character.
func ifSecond(second, want byte, then, otherwise Fixity) Fixity {
	if second == want {
		return then
	}
	return otherwise
}

// keyword is the kind of a word.
func keyword(word string) Kind {
	if len(word) < 2 || len(word) > 7 || word[0] < 'a' || word[0] > 'w' {
		return Ident
	}
	switch word {
	case "true":
		return wordTrue
	case "false":
		return wordFalse
	case "if":
		return wordIf
	case "then":
		return wordThen
	case "else":
		return wordElse
	case "def":
		return wordDef
	case "let":
		return wordLet
	case "loop":
		return wordLoop
	case "in":
		return wordIn
	case "val":
		return wordVal
	case "for":
		return wordFor
	case "do":
		return wordDo
	case "with":
		return wordWith
	case "local":
		return wordLocal
	case "open":
		return wordOpen
	case "include":
		return wordInclude
	case "import":
		return wordImport
	case "type":
		return wordType
	case "entry":
		return wordEntry
	case "module":
		return wordModule
	case "while":
		return wordWhile
	case "assert":
		return wordAssert
	case "match":
		return wordMatch
	case "case":
		return wordCase
	default:
		return Ident
	}
}
