// Package check is Futhark's type checker: it turns syntax into the typed program of package types, or says why it
// cannot.
//
// It is between frontend/syntax and what runs or translates programs (interpreter, middle end), and imports only
// packages of the front end and the leaves. Check is the way in for whole programs, Env for single expressions and
// declarations in a context.
//
// # How a definition is checked
//
// In two halves. The first (files exp, bind, call, pat, texp) resolves names, elaborates syntax to the simpler typed
// expressions, and finds types by unification, without looking at sizes. At the end of a definition its open types
// become parameters, or literals get their default types. The second (package sizes) then finds sizes. What remains
// is done on the result: restrictions on recursion, entry points, and turning applications of intrinsics into
// operators.
//
// An error ends the check of the declaration that it is in. The names that this declares are marked as broken, and a
// declaration that mentions a broken name is given up without a message.
//
// Note [Lazy prelude]
//
// The sources of frontend/prelude are only indexed at the start. A declaration is parsed and checked when a program
// first mentions it, one by one also inside modules such as f32. This works because each of them is complete: it
// states its type, and needs only what it mentions.
//
// Note [Functors]
//
// There are no modules in the typed program. A functor is a closure over syntax. Where it is defined, its body is
// checked once with a parameter made of abstract types and values, for the sake of errors; what comes out of that is
// thrown away. Each application checks the body again, with the actual argument seen through the parameter's module
// type, and that has definitions of its own. Functors in that body were checked at the definition.
//
// Example. The program
//
//	module type T = { type t val x : t }
//	module F (P: T) = { def pair = (P.x, P.x) }
//	module M = F { type t = i32 def x = 2i32 }
//	def main = M.pair
//
// becomes
//
//	def x : i32 = 2i32
//	def pair : (i32, i32) = (x, x)
//	def main : (i32, i32) = pair
package check
