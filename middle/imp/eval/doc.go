// Package eval executes the low-level program without a device: kernels on
// the CPU, their workgroups in parallel over goroutines, and host code against
// an interface that supplies memory and launches.
//
// It is the kernel engine of runtime/cpu, the host engine of runtime/host, and
// the oracle for printed kernels in tests. It imports middle/imp and
// runtime/prim only.
//
// Host code is compiled to closures over a thread's registers, which hold every
// scalar as 64 bits: signed integers sign-extended, unsigned ones and booleans
// zero-extended, floats as their bits. Kernels run for many threads at a time,
// which have such registers side by side: see Note [Lockstep].
//
// Note [Threads of a workgroup]
//
// A barrier costs nothing: in a kernel that has some, each statement that contains
// none runs for all threads of the workgroup before the next one starts. A
// statement that contains a barrier is in uniform control flow, so its
// condition or bound is evaluated once and holds for all; where the analysis of
// lockstep does not say that all agree, all are asked.
//
// In which order threads run between barriers, and in which order the statements of
// different threads do, is not defined, but each thread gets on: none waits for
// another one.
//
// An access outside an array is an internal error, not a user's: generated
// code checks its indices. It stops the kernel with a Go error that names the
// array.
package eval
