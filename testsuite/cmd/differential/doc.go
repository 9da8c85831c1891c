// Command differential runs programs on random arguments in the interpreter and on a device, and compares the results: a test for
// programs that come without data.
//
//	go run ./testsuite/cmd/differential [-device NAME] [-rounds N] FILE...
//
// Each entry point whose parameters are numbers, truth values and arrays of such is called with arrays of a few sizes; all sizes of one
// call are equal, so that size parameters agree. Where the interpreter takes too long the call is left out; where both fail, that counts
// as agreement, and where the interpreter alone does, apart: devices do not check what is marked #[unsafe], the interpreter does. Floats
// may differ by the tolerance of `skald test`; a program may be ill-conditioned on arguments that mean nothing to it.
//
// It prints a line for each call that differs and counts them at the end; then it exits with 1. It is above package skald; nothing
// imports it.
package main
