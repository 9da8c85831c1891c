// Package defunctionalise removes function values: the third of the surface passes.
//
// In: a monomorphic types.Prog whose functions are all at top level (package lift). Out: one in which a function is only ever called,
// with all of its arguments, or written as a Lambda that is a direct argument of a Builtin.
//
// Futhark forbids functions in arrays and as results of branches and loops, so that it is always known which definition a
// function value stands for (Hovgaard, Henriksen, Elsman, "High-Performance Defunctionalisation in Futhark", TFP 2018). The pass evaluates
// the program over *static values*: a closure is a definition with the static values of the arguments it has so far, and at run time a
// record of those arguments. A definition that takes or returns functions is copied for each combination of
// static arguments.
//
// A value of a sum type with functions in it is known in the same way (Note [Sums with functions]).
//
// Example:
//
//	def lambda (n: i64) (x: i64) = x + n
//	def twice (f: i64 -> i64) (x: i64) = f (f x)
//	def main (n: i64) = twice (lambda n) n
//
// becomes
//
//	def twice_1 (f: (i64)) (x: i64) = lambda f.0 (lambda f.0 x)
//	def main (n: i64) = twice_1 (n) n
//
// The package imports frontend/types and middle/pass, and nothing else of the compiler.
package defunctionalise
