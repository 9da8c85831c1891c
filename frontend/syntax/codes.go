package syntax

import "skald/frontend/diag"

// The diagnostics of lexing and parsing.
var (
	codeUnexpected = diag.Declare(diag.Code{
		ID:      "syntax",
		Doc:     "The text does not follow the grammar: something else was expected at this place.",
		Hint:    "write what is expected before this place, or take it away",
		Example: "def f x = (x + 1",
	})
	codeText = diag.Declare(diag.Code{
		ID:      "invalid-text",
		Doc:     "A character cannot begin any token.",
		Hint:    "take the character away",
		Example: "def x = 1 $ 2",
	})
	codeString = diag.Declare(diag.Code{
		ID:      "unclosed-string",
		Doc:     "A string is not closed on the line on which it begins.",
		Example: "def x = \"abc",
	})
	codeEscape = diag.Declare(diag.Code{
		ID:      "invalid-escape",
		Doc:     "A backslash in a string or character is followed by something that has no meaning there.",
		Hint:    "write a backslash itself as \\\\",
		Example: `def x = "\q"`,
	})
	codeUTF8 = diag.Declare(diag.Code{
		ID:  "not-utf8",
		Doc: "A source file must be UTF-8 text.",
	})
	codeSize = diag.Declare(diag.Code{
		ID:   "file-too-large",
		Doc:  "A source file is larger than the compiler reads.",
		Hint: "divide the program into several files",
	})
	codeDepth = diag.Declare(diag.Code{
		ID: "too-deep",
		Doc: "Brackets, operators or declarations are nested so deeply that the compiler gives up; " +
			"such text does not come from people.",
		Hint: "bind parts of it with let",
	})
	codeDoc = diag.Declare(diag.Code{
		ID:      "misplaced-doc",
		Doc:     "Documentation comments stand only before declarations and specifications.",
		Example: "def x =\n  -- | Not here.\n  1",
	})
	codeTopPattern = diag.Declare(diag.Code{
		ID:      "top-level-pattern",
		Doc:     "A declaration binds one name; patterns are for local definitions.",
		Example: "def (x, y) = (1, 2)",
	})
	codeMissingIn = diag.Declare(diag.Code{
		ID:      "missing-in",
		Doc:     "A local definition needs a body: another local definition, or an expression after \"in\".",
		Hint:    "write in and an expression after the definition",
		Example: "def f x =\n  let y = x\ndef g x = x",
	})
	codeTwoDots = diag.Declare(diag.Code{
		ID: "two-dots",
		Doc: "Two dots come between the first and the second element of a range; " +
			"its end comes after \"...\", \"..<\" or \"..>\".",
		Example: "def xs = 0..9",
	})
	codeMultiIndex = diag.Declare(diag.Code{
		ID:      "separate-indices",
		Doc:     "An array of several dimensions takes all its indices in one pair of brackets.",
		Example: "def f (a: [][]i32) = a[0] [1]",
	})
	codeLocalOpen = diag.Declare(diag.Code{
		ID:      "local-open",
		Doc:     "Only a module can be opened for one expression.",
		Hint:    "write the name of a module before the dot",
		Example: "def x = (f 1).(y)",
	})
	codeBangInfix = diag.Declare(diag.Code{
		ID:      "bang-infix",
		Doc:     "The operator ! precedes its operand and cannot be defined as an infix operator.",
		Hint:    "choose another name for the operator",
		Example: "def (!) x y = x",
	})
	codeQualifiedBinding = diag.Declare(diag.Code{
		ID:      "qualified-binding",
		Doc:     "What is defined is a plain name; qualified names only refer.",
		Example: "def (m.+) x y = x",
	})
)
