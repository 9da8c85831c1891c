// Lab holds kernel shapes written by hand: the reference for what the compiler prints.
//
// # Place
//
// It is part of the test suite. It uses runtime/device and the devices below it, and imports neither the middle
// end nor the back ends: nothing in a shape comes from the compiler that it is compared with.
//
// # A shape
//
// A shape is a function that returns, for sizes and the facts of a device, a Plan: kernels, buffers, launches and a
// check against a Go reference. A kernel body is written once, in the common subset of WGSL and CUDA C++ that
// dialect.go explains; only declarations are printed apart. No shape takes a lock.
//
// A family is a function that returns the cases of a file or a few, for tests, for guaranteed limits and for the table;
// cases.go lists the families. Devices without subgroups run the same texts with subgroups of one thread.
//
// # Invariants
//
// The buffers that are timed are those that are checked, after the timed runs. A time is the sum of the device's
// times of all launches of a run, clears and second launches among them.
//
// # Example
//
//	go -C testsuite/lab run . -device webgpu,portable,cuda,guaranteed -only scan -cub ./cub -csv lab.csv
package main
