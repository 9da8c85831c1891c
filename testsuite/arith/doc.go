// Command arith tests the shader library (package shaders) on devices: exact functions against the semantics in
// runtime/prim, inexact ones against series in big.Float (package reference).
//
// Its tests take a sample of each function on every software device that is installed. As a command it sweeps whole
// ranges on a GPU, in shards that can be resumed, and prints coverage, worst error and its argument:
//
//	go run ./testsuite/arith -sweep -state sweep.json
//	go run ./testsuite/arith -sweep -spans -state spans.json
//
// The second takes every f32, every pair of f16 and 2^30 tuples of other types, and needs a CUDA device as judge: see
// Note [Spans].
//
// The tests are quick by default: 2,000 random arguments of each function beside the grid of special values (60 of inexact
// ones) on two devices. With SKALD_ARITH_ALL=1, which make test sets, they take every function on every software device,
// and a million arguments (10,000 of inexact ones) on wgpu-native with lavapipe, on wgpu-native with SwiftShader and on
// Dawn. SKALD_ARITH_SAMPLES=n sets the number. The reference for exact functions is runtime/prim; all NaN are equal.
//
// It stands above runtime/webgpu; nothing imports it.
package main
