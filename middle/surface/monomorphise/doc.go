// Package monomorphise removes polymorphism from a typed program: the first of the surface passes.
//
// In: a types.Prog as checked. Out: a types.Prog in which
//
//   - no Def has TypeParams, no Ref has Args, and no type mentions a type parameter or an abstract type;
//   - a definition is copied once for each combination of type arguments, *with their sizes abstracted*: the copy takes a
//     parameter of type i64 for each size in its type arguments and for each size parameter, before its other
//     parameters, and each use passes those sizes as ordinary arguments;
//   - a size that nobody could pass is left out of the types (Note [Open sizes]);
//   - only definitions that an entry point needs remain.
//
// Abstracting the sizes is what lets a function that calls itself at another size have one copy: with sizes in the key there would be
// one for each depth of the recursion.
//
// A parameter of an entry point binds its sizes from the shape of its argument (Param.Sizes), since nobody passes them.
//
// Example:
//
//	def swap 'a 'b (x: a, y: b) : (b, a) = (y, x)
//	entry main [n] (xs: [n]i32) : ([n]i32, i64) = swap (n, xs)
//
// becomes
//
//	def swap_1 (d: i64) (x: i64, y: [d]i32) : ([d]i32, i64) = (y, x)
//	entry main (xs: [n]i32) : ([n]i32, i64) = swap_1 n (n, xs)
//
// The package imports frontend/types and middle/pass, and nothing else of the compiler.
package monomorphise
