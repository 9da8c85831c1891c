// Package syntax is Futhark's concrete language: tokens, the syntax tree, the
// parser that makes one from the other, and a printer back to text.
//
// It is the first stage of the pipeline. Text goes in as a [source.File]; out
// come a [File] (the tree of a whole file), a single [Dec], [Exp], [TypeExp] or
// [ModExp], or an index ([IndexFile]), which names a file's declarations and their byte
// ranges without parsing them. Syntax errors are reported to a [diag.Sink], and
// parsing resumes at the next declaration. The package imports only
// frontend/source and frontend/diag of ours.
//
// # The tree
//
// The tree says what was written and resolves nothing: names are kept as
// written, a.b.c is one [Var] whether its head is a module or a record, and an
// infix application is a [BinOp] with the operator's name. Parentheses are kept
// ([Parens], [TypeParens], [PatParens], [ModParens], [ModTypeParens]), since a
// section, a negation and a printed program depend on them. What the parser
// does decide is everything that precedence and spacing decide.
//
// Every node carries the byte range it came from, and names carry theirs, so
// that a message can point at exactly what it is about. Nodes are immutable
// once parsed.
//
// The sum types are [Dec], [Spec], [ModExp], [ModTypeExp], [TypeExp], [Pat],
// [Exp], [LoopForm] and [Step]. All variants are pointers.
//
// Invariants out: no nil field except where its comment says "or nil"; every
// span lies within its parent's (but for [RecordField], [RecordPatField] and
// the like, whose punned value has the name's span).
//
// # Example
//
//	f := source.NewFile("a.fut", "def inc (x: i32) = x + 1")
//	tree := syntax.Parse(f, &sink)
//	tree.Decs[0].(*syntax.ValDec).Name.Text // "inc"
//
// # Files
//
//	token, lexer..., lexdef, literal            tokens
//	ast...                                      the tree
//	grammar, build, session, parser, parse...   the two parsers: declarations by participle, the rest by hand
//	index, outline                              what a file declares, without parsing it
//	print..., codes                             text from trees; messages
package syntax
