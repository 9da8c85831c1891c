// Package diag holds diagnostics: what the compiler tells people about their
// programs, and the ways of printing it.
//
// It is a leaf beside frontend/source and may be imported by every layer. A
// stage reports to a [Sink] and goes on; the command line prints what the sink
// holds with one of the renderers ([Text], [Lines], [JSON]).
//
// Every diagnostic has a [Code]. A package declares its codes in one table of
// package variables (a file named codes.go) with [Declare]:
//
//	var codeUnknownName = diag.Declare(diag.Code{
//		ID:      "unknown-name",
//		Doc:     "A name is used that nothing in scope binds.",
//		Example: "def f x = x + yy",
//	})
//
//	sink.Errorf(codeUnknownName, span, "unknown name %q", name).
//		Note(near, "a similar name is bound here").
//		Hintf("did you mean %q?", similar)
//
// Codes are stable: once released an ID keeps its meaning. [Codes] lists them
// all, and a test outside this package compiles each example and checks that
// it has that code.
package diag
