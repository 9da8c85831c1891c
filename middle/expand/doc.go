// Package expand finds memory that devices have for the arrays that points of kernels make for themselves: core IR of the memory stage
// comes in and goes out.
//
// Placement (package memory) allocates an array of a kernel where it is made, in memory of the point, as if there were any amount of it.
// Devices cannot allocate in kernels. An allocation becomes one of
//
//   - an array in a thread's private memory, if its size is constant and small (Note [Private arrays]);
//   - workgroup memory, if a workgroup makes the array, or one of its threads (Note [Workgroup memory]);
//   - a part of a block that the host allocates for all points, or for those that run side by side (Note [Per-thread scratch]). Elements of
//     neighbouring points are neighbours, as threads run at the same time; a processor's tasks run one point after the other, and each has
//     its elements together.
//
// Layouts in such a block follow from those that placement gave: positions are multiplied by how many points there are, and the point's
// number is added. Where an array's size differs between points, a kernel computes the largest first (Note [Largest sizes]).
//
//	let (xs_5: [n_1]i32) = segmap.grid (i_6 < n_1) (i32) {
//	  let (a_mem_7: mem(i32, private)) = alloc i32 m_2 private
//	  let (a_8: [m_2]i32 @a_mem_7{0; 1}) = …
//
//	let (slots_9: i64) = …
//	let (t_10: i64) = mul.i64 m_2 slots_9
//	let (a_mem_7: mem(i32, device)) = alloc i32 t_10 device
//	let (xs_5: [n_1]i32) = segmap.grid (i_6 < n_1) slots (slot_11 < slots_9) (i32) {
//	  let (a_8: [m_2]i32 @a_mem_7{slot_11; slots_9}) = …
//
// The package imports core, facts, functions and pass only; of the frontend, source.
package expand
