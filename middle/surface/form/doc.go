// Package form says which forms of the typed program the surface passes lead through, and checks that a program has one of them.
//
// Each pass has a form for its result: what its package comment promises. The compiler checks it after each pass when asked to
// (`skald dev --check`), and the tests of the passes always do. It imports frontend/types alone.
//
// Example: after package lift, a program in which `\x -> x + n` is still a Lambda is refused with
//
//	in main: a local function is left
package form
