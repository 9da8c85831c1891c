// Package everywhere tests the project's own programs (testsuite/programs and examples) on every configuration that a machine
// without a GPU has: the interpreter, the evaluator of the low-level program, compiled code for the processor, wgpu-native with lavapipe
// (native dialect), wgpu-native and Dawn with SwiftShader (portable dialect), and the evaluator of what programs become for each profile
// of a device, with a search for races. It holds tests alone.
//
// Each program is checked and compiled once, then run on one configuration after the other; several programs run at the same
// time, each on devices of its own. Quick tests leave out the software drivers, which take minutes (package testsuite/depth); full tests
// run samples of entry points on them (Note [Samples by shape]).
//
// A device that silently runs nothing is found by its counts of launches: a program that launches kernels on the evaluator has to
// launch some on every device.
package everywhere
