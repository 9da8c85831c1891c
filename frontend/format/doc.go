// Package format lays out Futhark programs: the work of "skald fmt".
//
// A [source.File] goes in, its text comes out, formatted. The package sits
// beside the type checker and imports frontend/source, frontend/diag and
// frontend/syntax only.
//
// The layout follows the writer: what is on one line stays on one line,
// however long, and what is broken over several lines is broken everywhere it
// can be, with two spaces of indentation, operators and commas at the
// beginning of lines. To have something broken, break it anywhere.
//
//	def f = map (\x ->       def f =
//	   x + 1) xs               map (\x ->
//	                                  x + 1)
//	                               xs
//
// Invariants: the tokens of the program stay what they are and in their order,
// but for commas before closing brackets and "in" before "let", which go, and
// "let" before a declaration, which becomes "def"; no comment is lost, and
// each stays between the same tokens, or beside the element of a list that it
// follows; formatting what was formatted changes nothing.
package format
