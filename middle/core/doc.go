// Package core is the intermediate representation between the typed program
// and the low-level one, in four stages: with SOACs, with
// kernels, with memory, and with choices. It knows nothing of syntax or of devices, and must
// not import frontend packages, middle/imp or any pass.
//
// A program is in A-normal form: every operand is a constant or a variable,
// and each variable of a function is bound once. Arrays hold primitives and are
// regular; an array of tuples has become a tuple of arrays. Sizes are ordinary
// i64 operands. Print and Parse are inverse:
//
//	fun main (n_1: i64, xs_2: [n_1]i32): (r_6: i32) = {
//	  let (s_5: i32) = screma n_1 (xs_2)
//	    map (fn (x_3: i32): (i32) => { let (y_4: i32) = mul.i32 x_3 x_3 in (y_4) })
//	    reds ({ ... })
//	  in (s_5)
//	}
//
// # Nodes
//
// Note [Three forms]
//
// Code looks at nodes in one of three forms, which are told apart by how they are written:
//
//   - A question that every node answers is a method of Exp, in the file where the node is, and a function of this package asks it from
//     elsewhere: MayFail, Pure, Consumes. There are a dozen, none of which is the matter of one pass.
//   - A translation makes something of every node: the binary form, the evaluator, derivatives, flattening, memory, lowering. It is a
//     switch over an Exp that has no default and only dispatches; a case may be a group (Scalar, View, Memory, Control, SOAC, Seg). The
//     linter lists the nodes that a switch lacks.
//   - A rule of an optimisation rewrites, or knows more about, the nodes that it matches, and leaves all others as they are, so that a
//     node that it has never heard of is right. It is a type assertion, or a switch over Match(e) with a default that does nothing.
//
// # Invariants of every stage
//
// Variables are bound once per function, before they are used; types mention
// variables in scope. Slices have a Dim for each dimension of their array.
// Update, Hist, WithAcc, a loop's unique parameters and calls' unique
// parameters consume arrays: a consumed array and what shares its memory is
// not used afterwards. No index is out of bounds: checks are Assert statements
// whose certificates the access lists, so they cannot be moved above them.
//
// # Derivatives
//
// Until package derive has taken them, derivatives are nodes of StageSOACS with the function as their body (Derivative), and so is a
// function with a derivative by the programmer (WithVjp). The evaluator runs neither.
//
// # Flat maps
//
// A map whose function returns segments of different lengths is a node with that function (FlatMap) until package flatmap makes SOACs of
// it: so the function is inlined, simplified and fused once.
//
// # Kernels
//
// SegMap, SegRed, SegScan and SegHist are the only parallel constructs, at host
// level (in function bodies, and in the bodies of host-level loops, branches
// and WithAcc lambdas). Code inside them, and inside the lambdas of their
// operators, is sequential: scalars, Loop, If, Switch, Index, Update, ArrayLit,
// Scratch, Copy, Rearrange, Reshape, Assert, UpdateAcc. Screma, Hist, Iota,
// Replicate and Concat are gone at all levels: they have become segmented
// operations on the host, loops inside kernels. The host calls functions; kernels call device functions, whose code
// is like theirs (Note [Device functions in core]). A SegMap over no dimensions is a
// kernel of one thread; its results are scalars, and certificates.
// The body of a SegMap of LevelGroup is code of a whole workgroup, and holds segmented operations of
// LevelInGroup (Note [Workgroup kernels]).
// A WithAcc lambda's accumulator is free in the segmented operations inside
// it; a SegMap whose body returns an accumulator has that accumulator as its result. A
// WithAcc inside a kernel belongs to one thread. The operators of SegRed, SegScan
// and SegHist work on scalars.
//
// # Memory
//
// Every variable of array type has a Layout, every parameter of array type is
// preceded (anywhere in the same list) by a parameter of memory type. Offsets
// and strides count elements. Arrays that cross a function's boundary, are
// parameters of a loop or results of a branch lie densely in row-major order
// from offset 0 unless their Param says otherwise. Then:
//
//   - Index with a range, Rearrange, Reshape, and Use of an array do nothing: the
//     layout of their result says all. Scratch does nothing either.
//   - Index with fixed dimensions loads; on the host it reads from the device.
//   - Update writes Value (scalar or array) at the slice; its result has the
//     layout of Array. Copy and ArrayLit write to the layout of their result.
//   - A segmented operation writes result k at a point to Dst[k]'s layout at that
//     point's index. When that result is an array whose layout is already that
//     place, nothing is to be copied.
//   - Hist destinations, WithAcc arrays and results share memory: they are
//     updated in place.
//   - Alloc on the host makes a block of device memory; in a kernel one in
//     memory of the point or workgroup. Pass expand leaves private memory of
//     constant size.
//
// # Choices
//
// Each segmented operation says how the device runs it, behind its types: Note [Choices].
//
//	segmap.grid (i_8 < n_1) (f32) by (thread group 256 vector 4) { ... }
//
// # Files
//
//	prog, var, types, exp                             programs, variables, types; the questions that nodes answer
//	scalar, array, view, control, call, loop, trace   nodes of all stages
//	soac_..., derivative                              nodes with functions
//	seg..., mem, tiling, choice...                    kernels, memory, tiles, choices
//	parse..., lex, print                              the text form
//	verify..., infer, alias                           what must hold, and what is known of variables
//	builder, traverse, names, poly, sizing            what passes take programs apart with, and make new ones
package core
