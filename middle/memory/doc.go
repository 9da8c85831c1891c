// Package memory assigns to every array a block of memory and a layout in it: core IR of the kernels stage comes in, of the
// memory stage goes out.
//
// Slices, transpositions and reshapes of dense arrays become layouts and cost
// nothing. Statements that make an array get an allocation before them. At
// functions' boundaries, in parameters of loops and in results of branches on
// the host an array lies row-major at the start of a block that travels with it
// as a parameter or result of its own; elsewhere the block is known by name.
// Loops that update arrays in place keep them where they are.
//
// The array that a point of a segmented operation returns is built in its place in the result when that is possible. Others are allocated
// in the kernel, where they are made, in memory of the point, or of the workgroup that the point is; package expand finds such memory.
//
//	let (ys_2: [n_1]f32) = rearrange (1, 0) xs_3
//
//	let (ys_2: [m_4][n_1]f32 @mem_5{0; 1, m_4}) = rearrange (1, 0) xs_3
//
// The package imports core, pass, and of expand which arrays may be private.
package memory
