// Package random makes the random values of data sets: for a seed, exactly those that Futhark's own tool makes, so that
// inputs described as "random" in test programs are the same ones for which the expected outputs were recorded.
//
// Each value starts a SplitMix64 generator from its seed; each element takes one draw of 64 bits or, where a range
// makes it necessary, several:
//
//	v := random.Make(random.DefaultBounds(), value.Type{Elem: prim.I32, Dims: []int{10}}, 1)
package random
