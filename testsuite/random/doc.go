// Package random makes random programs of the whole language below modules: higher-order functions, polymorphism, records, sums,
// existential sizes, nested arrays and updates in place. Every program is accepted by the checker and does not fail when it is run on
// Arguments, so that an interpreter and a compiler can be compared on it.
//
// The generator goes by types: it is asked for an expression of a type, and picks one of the forms that give one. Sizes are the variables n
// and m, and the constant 3, so that the sizes of arrays agree where their types do.
//
// Example: Program(7) might be
//
//	...
//	entry main (n: i64) (m: i64) (x: i32) (xs: [n]i32) (yss: [m][n]i32) =
//	  (reduce (+) 0 (map (twice (\(a: i32) -> a - x)) xs), ...)
//
// `go test ./testsuite/random -seeds 5000 -first 1000` tries many. It imports nothing of the compiler.
package random
