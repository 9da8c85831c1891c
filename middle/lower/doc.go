// Package lower turns the core IR at its last stage into the low-level
// program, once the device is known: it makes host code and kernels of the forms
// that package choose has chosen for each operation, and decides the width of index
// arithmetic. Which form runs, how many threads a workgroup has, what is loaded together:
// none of that is decided here.
//
// It runs where the program runs, after the device is opened and before a back
// end prints the kernels. It imports middle/core and middle/imp; it must not
// import surface passes, back ends or a runtime but prim.
//
// In: a program that core.Verify accepts at StageChosen. Out: one that
// imp.Verify accepts. For example
//
//	let (ys_4: [n_1]i32 @m_3{0; 1}) = segmap.grid (i_5 < n_1) (i32) by (thread group 256) {
//	  let (x_6: i32) = index xs_2 [i_5]
//	  in (x_6)
//	}
//
// becomes
//
//	kernel main_map_1(points_1: idx, read @xs_0: i32, write @m_1: i32) group 256 {
//	  let point_2: idx = thread_id
//	  if lt.idx(point_2, points_1) {
//	    let x_3: i32 = @xs_0[point_2]
//	    @m_1[point_2] = x_3
//	  }
//	}
//
// A hostBuilder generates the code of a host function, a kernelBuilder that of
// a kernel. Both contain a code, which has what they share: scalars, branches
// and loops. What differs is the interface level.
//
// A segmented map of workgroups becomes one kernel: Note [Kernels of workgroups].
//
// The algorithms follow the generalised histograms of Henriksen et al. and the
// segmented reductions and scans of Futhark's literature, without what WGSL does
// not promise: no lock is taken, and a kernel waits for another workgroup only where
// the device promises that it runs (Note [Scans in one pass]).
//
// # Files
//
//	lower, entry, facts, condition                  the pass; entry points; which form runs
//	host, hostbuilder, hostarray                    host code: launches, elements that are read back
//	code, stm, control, scalar, arith, array        what host code and kernels have in common
//	kernel..., device_function                      kernels and device functions
//	seg..., scan..., ops, elements, subgroup        reductions and scans on a GPU
//	seghist, hist..., update                        histograms and updates
//	vector, tile..., transpose, point               maps
//	group...                                        bodies of workgroups
//	task..., squares, jam, small                    processors
//	passes                                          what is rewritten in finished kernels
package lower
