// Package migrate keeps scalars on the device that kernels compute and that only the device needs (core IR of the kernels stage in and
// out; literature: reducing synchronisations by migration).
//
// A scalar that a kernel computes, or an element of an array, is on the device. When host code computes with it, the host waits until all
// kernels before are done, which takes longer than most kernels. So what host code does with such scalars becomes a kernel of one
// thread: a SegMap over no dimensions, whose results are scalars. Lowering leaves those in blocks of one element, which later kernels
// load. What the host itself needs (sizes, bounds of loops around kernels, conditions of branches around them, arguments of
// calls, results of functions) is read back as before, and so is all that it is computed from.
//
//	let (sum_4: f32) = segred.grid (i_5 < n_1) (f32) ...
//	let (mean_6: f32) = div.f32 sum_4 t_2
//	let (ys_7: [n_1]f32) = segmap.grid (i_8 < n_1) (f32) { ... mean_6 ... }
//
// becomes
//
//	let (sum_4: f32) = segred.grid (i_5 < n_1) (f32) ...
//	let (mean_6: f32) = segmap.grid () (f32) {
//	  let (mean_9: f32) = div.f32 sum_4 t_2
//	  in (mean_9)
//	}
//	let (ys_7: [n_1]f32) = segmap.grid (i_8 < n_1) (f32) { ... mean_6 ... }
//
// Scalars that loops pass on are in Note [Scalars that loops pass on].
//
// Checks keep their order: one that moves is made where it was among the kernels, and before the host's own next check what
// is waiting becomes a kernel. The package imports core, facts, functions and pass only.
package migrate
