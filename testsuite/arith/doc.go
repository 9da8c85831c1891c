// Command arith tests the shader library (package shaders) on devices: exact functions against the semantics in
// runtime/prim, inexact ones against series in big.Float (package reference).
//
// Its tests take a sample of each function on every software device that is installed. As a command it sweeps all
// arguments of the narrower types, and 2^30 tuples of the others, on a GPU, with CUDA as judge, and prints tables:
//
//	go run ./testsuite/arith -sweep -state native.json
//	go run ./testsuite/arith -sweep -state portable.json -portable
//	go run ./testsuite/arith -sweep -state cuda.json -cuda
//	go run ./testsuite/arith -csv native.json portable.json cuda.json
//
// A sweep that is stopped goes on where it was; each function is a shard. See Note [Sweeps]; benchmarks/functions.csv is the outcome
// of one.
//
// The tests are quick by default: 2,000 random arguments of each function beside the grid of special values (60 of
// inexact ones) on two devices. With SKALD_TEST_DEPTH=full, which make test sets, every function runs on every software
// device with 20,000 arguments, and with "deep" a million; inexact functions of f64, whose reference is a series, have
// 1,000 and 20,000. The reference for exact functions is runtime/prim;
// all NaN are equal.
//
// It is above runtime/webgpu; nothing imports it.
package main
