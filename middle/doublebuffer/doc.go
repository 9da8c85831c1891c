// Package doublebuffer lets arrays change places in loops of kernels without being copied: core IR of the memory stage comes in and goes
// out.
//
// Note [Double buffering]
//
// A loop in a kernel has a place for each array that it carries, to which each round's result is copied (package memory). Where rounds pass
// arrays on among these places, as the two buffers of an FFT do in each stage, or three in a ring, the places become slots of one block,
// and the loop carries the numbers of the slots instead: nothing is copied.
//
//	let (a_5: [n_1]f32 @a_mem_3{0; 1}, b_6: …) = loop (a_7: [n_1]f32 @a_mem_3{0; 1} = a_8, b_9: [n_1]f32 @b_mem_4{0; 1} = b_10) for … {
//	  …
//	  let (t_11: [n_1]f32 @t_mem_12{0; 1}) = copy c_13      -- which lies in b_mem_4
//	  let (u_14: [n_1]f32 @u_mem_15{0; 1}) = copy a_7
//	  let (t_16: [n_1]f32 @a_mem_3{0; 1}) = copy t_11
//	  let (u_17: [n_1]f32 @b_mem_4{0; 1}) = copy u_14
//	  in (t_16, u_17)
//	}
//
//	let (s_18: i32, t_19: i32, a_5: [n_1]f32 @m_2{n_1*s_18; 1}, b_6: …) =
//	  loop (s_20: i32 = 0i32, t_21: i32 = 1i32, a_7: [n_1]f32 @m_2{n_1*s_20; 1} = a_8, b_9: [n_1]f32 @m_2{n_1*t_21; 1} = b_10) for … {
//	    …
//	    in (t_21, s_20, c_13, a_7)
//	  }
//
// A ring is a cycle of parameters: the next value of each lies in the place of the next one. Or it is a parameter and the array that each
// round makes of it. Arrays that may lie in a thread's private memory are copied, as registers have no numbers. Without the pass all are.
//
// The package imports core, expand, facts, functions and pass only.
package doublebuffer
