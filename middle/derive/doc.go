// Package derive differentiates core IR in forward mode: from code it makes code that computes, besides each float, its derivative in a
// direction (its tangent).
//
// In: a body of core IR at StageSOACS, as package internalise makes it, and tangents for some of its free variables. Out: statements that
// compute the results of the body and their tangents. A function that is called gets a twin, NAME_jvp, which takes and gives tangents as
// well.
//
// Every construct is mapped to itself with more operands: a branch or loop has a tangent beside each float that it gives, a reduction
// combines pairs of values and tangents (the pairs of an associative operator are associative again, and the neutral
// element has the tangent zero), an accumulator takes both. Integers and truth values have no tangents.
//
// Example. `\x -> x * exp x`, with x's tangent dx, becomes
//
//	let y  = exp x
//	let dy = y * dx
//	let z  = x * y
//	let dz = dx * y + x * dy
//
// The package imports middle/core and runtime/prim, and nothing else of the compiler.
package derive
