// Package rounds lets threads do eight rounds of a loop together that updates an array element by element: core IR of the kernels
// stage comes in and goes out. See Note [Rounds together].
//
//	loop (xs = xs0) for i < n {            loop (xs = loop (xs = xs0) for q < n / 8 {
//	  let x = xs[i + 1]                      let x0 = xs[8q + 1] … let x7 = xs[8q + 8]
//	  let y = f x                            let y0 = f x0 … let y7 = f x7
//	  in xs with [i] = y                     in xs with [8q] = y0 … with [8q + 7] = y7
//	}                                      }) for r < n - n / 8 * 8 {…}
//
// The package imports core, functions and pass only.
package rounds
