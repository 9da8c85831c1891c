// Command arith tests the shader library (package shaders) on devices: exact functions against the semantics in
// runtime/prim, inexact ones against series in big.Float (package reference).
//
// Its tests take a sample of each function on every software device that is installed. As a command it sweeps whole
// ranges on a GPU, in shards that can be resumed, and prints coverage, worst error and its argument:
//
//	go run ./testsuite/arith -sweep -state sweep.json
//
// It stands above runtime/webgpu; nothing imports it.
package main
