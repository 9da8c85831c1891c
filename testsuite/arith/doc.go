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
// The tests are quick by default. With SKALD_ARITH_ALL=1 they take every function on every software device, and with
// SKALD_ARITH_SAMPLES=n they take n random arguments of each instead of 2,000 (60 of inexact functions): the reference in
// big.Float is too slow for a million in each run. The reference for exact functions is runtime/prim; all NaN are equal.
//
// It stands above runtime/webgpu; nothing imports it.
package main
