// Package eval executes the low-level program without a device: kernels on
// the CPU, their workgroups in parallel over goroutines, and host code against
// an interface that supplies memory and launches.
//
// It is the kernel engine of runtime/cpu, the host engine of runtime/host, and
// the oracle for printed kernels in tests. It imports middle/imp and
// runtime/prim only.
//
// Code is compiled to closures over a thread's registers, which hold every
// scalar as 64 bits: signed integers sign-extended, unsigned ones and booleans
// zero-extended, floats as their bits.
//
// Note [Threads of a workgroup]
//
// A kernel without barriers runs its threads one after the other. In a kernel
// with barriers, each statement that contains none runs for all threads of
// the workgroup before the next one starts; a statement that contains a barrier
// stands in uniform control flow, so its condition or bound is evaluated for
// the first thread and holds for all. Thus a barrier itself costs nothing.
//
// An access outside an array is an internal error, not a user's: generated
// code checks its indices. It stops the kernel with a Go error that names the
// array.
package eval
