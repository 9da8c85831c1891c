// Package lift makes every function a top-level one (lambda lifting, Johnsson 1985): the second of the surface passes.
//
// In: a monomorphic types.Prog (package monomorphise). Out: one without Lambda and LetFun: each has become a Def that
// takes the variables that were free in it, sizes first, before its own parameters; in its place is the application of
// that Def to those variables, which is a partial application or, for a local function that is called at once, a full one.
//
// A function that uses fields of a record of functions takes those, not the record (Note [Narrow captures]).
//
// Example:
//
//	def main (n: i64) (xs: [n]i64) = map (\x -> x + n) xs
//
// becomes
//
//	def lambda (n: i64) (x: i64) = x + n
//	def main (n: i64) (xs: [n]i64) = map (lambda n) xs
//
// The package imports frontend/types and middle/pass, and nothing else of the compiler.
package lift
