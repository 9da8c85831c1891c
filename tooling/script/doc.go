// Package script parses FutharkScript: the small expression language in which
// test blocks and documents ask a compiled program for values.
//
// Text goes in, an [Exp] comes out; evaluating it is the business of those who
// have a program to call (testsuite and the command line). The package imports
// frontend/source and frontend/diag only. Constants are kept as text, for
// runtime/value to read when they are needed.
//
//	let (xs, n) = pair 10i64 in $loaddata "xs.in", f xs[0].field
//
//	Exp  ::= "let" Pat "=" Exp ("in" Exp | Let) | name "[" Exp {"," Exp} "]" | Func Atom {Atom} | Atom
//	Atom ::= ("(" [Exp {"," Exp}] ")" | "{" name "=" Exp … "}" | string | constant | Func) {"." field}
//	Func ::= name | "$" name
//
// Unlike in Futhark, an element of an array cannot be taken of anything but a
// name, and a name applied to nothing is a call without arguments.
package script
