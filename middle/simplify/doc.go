// Package simplify makes core IR of any stage smaller without changing its
// results: one engine that goes through the code in order, and rules.
//
// The engine substitutes copies and constants, finds common subexpressions,
// moves what does not change out of loops, lambdas and kernels, and removes dead code, results of
// loops, branches and SOACs included. Rules rewrite one statement, given
// the statements that define its operands: constant folding, algebra, indexing
// of arrays that follow a rule (iota, replicate, views), branches and loops whose
// path is known, SOACs with unused inputs or results, scatters that are maps. It repeats
// until nothing changes.
//
// Arrays are made one, moved, or no longer copied only when their memory is
// overwritten nowhere in the function (core.Aliases). At the memory stage only scalars are simplified.
//
//	let (x_4: i64) = index is_3 [i_2]     where is_3 = iota.i64 n_1 0i64 1i64
//
// becomes i_2 wherever x_4 is used. The package imports core, its binary form, functions and pass only.
package simplify
