// Package normalise names existential sizes: it runs before the other surface passes.
//
// In: a types.Prog as checked, in which any expression may make sizes (Info.Ext) that later expressions mention. Out: one in
// which no expression has Ext: each that had is bound by a Let, whose Sizes bind the sizes. To keep those in scope of
// all that follows, the Lets of a block (the body of a function, branch or loop) are flattened into one sequence.
//
// Example:
//
//	def main (xs: []i32) = length (filter (> 0) xs)      -- filter's application has Ext [k]
//
// becomes
//
//	def main (xs: []i32) =
//	  let [k] (t: [k]i32) = filter (> 0) xs
//	  in length [k] t
//
// The package imports frontend/types and middle/pass, and nothing else of the compiler.
package normalise
