// Package device is the one interface of everything that runs kernels: a
// package beside it for each API, and the null device of this package, which
// executes no kernel and records what it is asked.
//
// # Place
//
// Host programs (runtime/host) call it; the packages named above implement it.
// It imports nothing of ours, and must import neither the middle end nor a back
// end: a kernel reaches it as source text with a layout, never as an IR.
//
// # Model
//
// A device has one queue. Launch, Copy and Fill are recorded in call order and
// become one submission at the next Flush, Sync or Download; what was recorded
// earlier is finished before what was recorded later begins. Upload takes its
// place in the same order. Free returns a buffer to the cache at once: the queue orders
// the commands that still use it before those of its next owner.
//
// # Kernel convention
//
// A kernel of k buffers and a params block takes the buffers in order and then
// the block; the device's package says how its language writes that. All buffers
// may be read and written. A block of no bytes is left out. Its fields are 4- and
// 8-byte words laid out as C does; its size is a multiple of 16 bytes.
//
// # Invariants
//
// Every method may be called from many goroutines. No method panics or ends the
// process on what a device or driver does: failures are *Error values, to be
// tested with errors.Is against a Kind:
//
//	k, err := dev.Compile([]device.KernelSpec{spec})
//	if errors.Is(err, device.CompileFailed) { … }
//
// After a failure of kind Lost or Timeout the device stays unusable, and every
// later call returns that failure again.
package device
