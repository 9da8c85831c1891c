// Package cpu is the device that is always there: it runs kernels on the
// processor, with the evaluator of the low-level program.
//
// It implements runtime/device for runtime/host, and takes kernels in the text
// form of middle/imp. It must not import the core IR or a back end. Commands run when they are recorded; Flush
// and Sync have nothing to do.
//
// The buffers of a launch are the kernel's global arrays and then the failure
// buffer, which holds what imp.FailureWords describes.
package cpu
