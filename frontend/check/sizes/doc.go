// Package sizes infers the sizes of a definition whose types are already known: the second half of type checking.
//
// The first half (frontend/check) elaborates syntax into a typed program in which types are right up to sizes: the
// dimensions of inferred types are left out (types.AnySize), declared types have the sizes that were written. This
// package finds the rest by walking the definition once, in order of evaluation: each dimension gets a size,
// instantiates size parameters, decides which sizes are existential and where they are born, and closes the
// definition over the sizes that its parameters leave open.
//
// It imports frontend/types and the leaves; it knows nothing of syntax, names or modules.
//
// In: types contain no unsolved Meta. Out: the invariants of types.Prog, except that intrinsics are still ordinary
// functions. Errors are returned, one a definition, as *Error.
//
// Example. From the first half comes, for `def f xs = filter (> 0) xs`,
//
//	def f (xs: []i32) = filter 'i32 (\(x: i32) -> x > 0) xs    : []i32
//
// and this package makes of it
//
//	def f [d] (xs: [d]i32) : ?[k].[k]i32 = filter 'i32 [d] (\(x: i32) -> x > 0) xs    : [k]i32, Ext [k]
//
// Note [Size variables]
//
// A size that is still to be found is a symbol like any other, so that it may occur inside size expressions ([n+m]
// with n and m to be found). The table solver.vars says of each symbol what is known about it: that it is flexible
// (and what it is linked to), that it arose from the instantiation of a parameter, that it is an unknown size which
// some expression computes, or that it is an ordinary variable. Levels count the enclosing binders: a variable may
// only be linked to what was in scope where it was made.
//
// The parameter of a function type that instantiation made, as a in (a: i64) -> [d]f64, is linked to that of the type it is
// unified with: d may be linked to either, and is bound only if both are one.
//
// Note [Absorbed sizes]
//
// Instantiating 'b in `(|>) 'a 'b : a -> (a -> b) -> b` with an array type makes b's size a flexible size d. When the
// function passed has type `a -> ?[k].[k]t`, d cannot be linked to k, which is bound in that type. Then d is marked
// as absorbed: each occurrence of d now stands for an existential size of its own, which is bound at the innermost
// result type around it, or by the application. Only sizes from the instantiation of lifted parameters, of size
// parameters, of holes, constructors and lambda results may absorb.
//
// Note [Ascriptions]
//
// The first half leaves `e : t` as an Attributed node, and a pattern `p : t` as an AttrPat, whose attribute is named
// Ascription and whose type is t as declared. Both are resolved away here.
package sizes
