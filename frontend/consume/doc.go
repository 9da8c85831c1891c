// Package consume checks that a value is not used after it has been consumed, by an update in place or by a function
// that asks for it.
//
// It is between inference and the finished typed program: it takes a definition whose types and sizes are known,
// follows which variables each value may share memory with, and reports uses of what was consumed before. It imports
// frontend/types and the leaves only.
//
// In: the invariants of types.Prog, but that intrinsics are still ordinary functions. Out: the same definition, in
// which results whose type was not declared are marked unique where they can share memory with nothing, and loop
// parameters where the body consumes them.
//
// Note [Aliases]
//
// The aliases of a value are a tree of the shape of its type: a record has those of its fields, a sum those of its
// payloads, and everything else (arrays, functions, abstract types) has a set of variables. A variable's own value is
// aliased to the variable itself, with the path of fields that leads to the part in question. When a variable leaves
// its scope, its aliases become free: they can no longer be consumed by name, but two values with the same free alias
// still share memory.
//
// Example. In
//
//	let b = a in let c = a with [0] = 1 in b
//
// b has the alias a, which the update consumes; the use of b is an error.
package consume
