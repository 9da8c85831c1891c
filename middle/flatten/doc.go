// Package flatten turns SOACs into segmented operations (moderate flattening): core IR of the SOACs stage comes in,
// of the kernels stage goes out.
//
// Maps that hold maps become one segmented map over the product of their
// sizes. What is in a map beside an inner parallel construct is
// distributed: it becomes a kernel of its own, whose results are arrays, or,
// when it is a few scalar operations, is computed again by each kernel that
// needs it (a nest's prologue). Inner reductions, scans and histograms become
// segmented ones. A map whose body would become several kernels has versions:
// outer, in which each point runs the whole body, inside a workgroup, and full; their costs decide at run time which one runs,
// unless a threshold is set (Notes [Versions of map bodies], [Costs of versions]). Loops and branches inside maps that hold
// parallelism and do not depend on the element are interchanged with the maps.
// Reductions and scans by a map of an operator become maps of reductions and
// scans. Maps, reductions, scans and histograms whose size differs from element to element go over the rows of all elements at once
// (Note [Irregular nests]); branches and loops that differ go over the elements that take a side, or go on (Note [Branches and loops of
// points]). What remains is sequential inside its thread: constructs of small constant size, inside operators, or marked #[sequential].
// Where a kernel would need arrays whose size nobody can know before it runs, or would call a recursive function, the host runs the
// outermost SOAC as a loop. Loops of scalars on the host that read arrays become kernels of one thread. Device functions are sequential
// code. Traces stay on the host (Note [Traces in kernels]).
//
//	let (ys_2: [n_1][m_3]f32) = screma n_1 (xss_4) map fn (xs_5: [m_3]f32): ([m_3]f32) {
//	  let (zs_6: [m_3]f32) = screma m_3 (xs_5) map fn (x_7: f32): (f32) { ... } in (zs_6) }
//
//	let (ys_2: [n_1][m_3]f32) = segmap.grid (i_8 < n_1, j_9 < m_3) (f32) {
//	  let (x_10: f32) = index xss_4 [i_8, j_9] ... }
//
// The package imports core, facts, functions and pass only.
//
// # Files
//
//	flatten, nest, distribute, parallel            what becomes a kernel, from the outermost map inwards
//	operator, fillingloop, withacc                 operators on arrays, accumulators
//	meeting, later, scattered                      updates of accumulators in which points meet
//	versions, attributes, intra                    versions of map bodies, inside a workgroup among them
//	cost, threadcost, groupcost                    what versions cost
//	irregular, row..., lifted..., point...         irregular nests: rows, the arrays in them, branches and loops of points
//	sequential, placeable, readloop, trace         what one thread runs, and what stays on the host
package flatten
