// Package derive differentiates core IR: from code it makes code that computes derivatives as well.
//
// In: a program at StageSOACS, simplified and fused, with core.Derivative and core.WithVjp. Out (Pass): the same without these, with code
// that computes the derivatives in their place (Note [Derivatives]). Calls and copies of code that it makes are for later passes to inline
// and simplify.
//
// Behind the pass are two translations of a body. In forward mode (Deriver.Body): statements that compute the results of the body and,
// besides each float, its derivative in a direction (its tangent).
// In reverse mode (Deriver.Forward and Return.Sweep): statements that compute the results, and others that compute from the
// derivatives of something by the results (their adjoints) those by the variables; see Note [Reverse mode]. What a mode does not cover it
// leaves with a panic of type Unsupported.
//
// In forward mode every construct is mapped to itself with more operands: a branch or loop has a tangent beside each float that it returns,
// a reduction combines pairs of values and tangents (the pairs of an associative operator are associative again, and the neutral element
// has the tangent zero), an accumulator takes both. A function that is called gets a twin, NAME_jvp, which takes and returns tangents as
// well. Integers and truth values have tangents only where they are asked for.
//
// Example. `\x -> x * exp x`, with x's tangent dx, becomes
//
//	let y  = exp x
//	let dy = y * dx
//	let z  = x * y
//	let dz = dx * y + x * dy
//
// and in reverse mode, with z's adjoint az,
//
//	let y  = exp x
//	let z  = x * y
//	let ax = az * y
//	let ay = az * x
//	let bx = ax + ay * y
//
// The package imports middle/core, middle/pass and runtime/prim, and nothing else of the compiler.
package derive
