// Package choose says how a device runs each segmented operation: who takes its points and segments (threads, subgroups, workgroups, the
// tasks of a processor), how many threads a workgroup has, how many elements a thread loads together and ahead, the tiles of scans and
// transpositions, where a histogram is filled and in how many copies. It is the last pass before lowering: core IR of the memory stage
// comes in and goes out with a core.Choice at each operation (StageChosen), which lowering makes kernels of without looking further.
//
//	let (s_9: f32) = segred.grid (i_10 < n_1) (f32) ops (comm neutral (0.0f32) fn ...) {
//
//	let (s_9: f32) = segred.grid (i_10 < n_1) (f32) by (grid group 256 vector 4 flight 4 least 4 groups 1056 shuffles)
//	    merge ((workgroup group 1024 shuffles)) ops (comm neutral (0.0f32) fn ...) {
//
// What the choices rest on is one cost model and the measurements beside each rule: Note [Cost model], Note [Vectorised loads],
// Note [Reductions of segments], Note [Scan tiles], Note [Tables and copies]. Check refuses choices that a device cannot have, so that a
// program whose choices somebody else has made, or edited, is told what is wrong with them before lowering.
//
// The package imports core, functions, pass, tile and what is known of devices; it must not import lowering or imp.
package choose
