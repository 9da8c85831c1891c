// Package surfacetest tests the surface passes with golden files. A file is a txtar archive: `in` is a program in Futhark, `out` what the
// pass makes of it when those before it have been applied, and a section `call NAME` holds arguments for an entry point, a line with
// `=>`, and the results, which must come out of the program before all passes, before the pass, after it,
// and when what it printed is read again. Running the tests with -update regenerates `out`; the results are never written.
//
// Every file also checks that the output has the form that the pass promises (package form), that the pass did not leave the program as it
// was, and that it did not change its input. Only tests import the package.
//
// Example of a file:
//
//	-- in --
//	def twice f x = f (f x)
//	entry main (n: i64) = twice (\x -> x + n) n
//	-- out --
//	...
//	-- call main --
//	5i64
//	=>
//	15i64
package surfacetest
