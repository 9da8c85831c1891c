// Package random makes random programs of the whole language below modules, with arguments: all primitive types, tuples, records
// and sums; the prelude's parallel functions on them, nested in each other, with rows of different sizes too; slices, updates in
// place, loops and matches; higher-order functions, polymorphism, existential sizes, attributes; derivatives of polynomials. Arrays
// have few elements, or as many as are about where kernels change their form, and in some programs 10^5.
//
// Every program is accepted by the checker and says the same wherever it runs: operators are associative, and commutative where
// they have to be; scatters write equal values or to different places; floats are exact (Note [Exact floats]), those of derivatives
// too (Note [Exact derivatives]); and a program fails in at most one place, with one message.
//
// The generator goes by types: it is asked for an expression of a type, and picks one of the forms that give one. Sizes are the variables n
// and m, and the constant 3, so that the sizes of arrays agree where their types do; their values are known, and bound what a
// program may cost. A program is made from a sequence of decisions, which Case.Shrink makes shorter.
//
// Example: Make(7).Text might be
//
//	...
//	entry main (n: i64) (m: i64) (x1: u8) (x2: [n]f16) (x3: [m][n]bool) =
//	  (reduce (+) 0 (map (twice (\(a4: u8) -> a4 - x1)) (map u8.f16 x2)), ...)
//
// Package compare runs them, and testsuite/cmd/randomprograms does so in several processes:
//
//	go run ./testsuite/cmd/randomprograms -backend native-lavapipe -seed 1000 -programs 5000 -shrink 1000
//
// The package imports values and nothing of the compiler.
package random
