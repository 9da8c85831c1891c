// Package host executes the low-level program on a device: host code compiled
// to closures by middle/imp/eval, kernels printed and compiled for the device,
// blocks of memory counted and freed.
//
// It sees runtime/device, runtime/value and middle/imp; it must not import the
// core IR or a back end, so the function that prints kernels is handed in.
//
//	p, err := host.Load(prog, dev, print)
//	results, err := p.Call("main", args)
//
// Launches are recorded one after another and become one submission; the host
// waits only where a scalar is read back, and at the end. With each wait it
// reads the failure buffer too: a failed assertion of any kernel since then is
// an *Error with the place in the source.
//
// # Files
//
//	program, call, session, rounds, rehearse   calls of entry points
//	args, results, held, fetch, trace          values that go in and come out
//	kernels, launch, tuning, debug, error      kernels, their launches and failures
//	blocks, arena, pack, gather, chunk, room   memory, and how it is bound
package host
