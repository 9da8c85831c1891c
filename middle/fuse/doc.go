// Package fuse joins SOACs so that arrays between them are never made (the redomap calculus; core IR of the SOACs
// stage in and out).
//
// Vertical fusion puts a producer into its consumer: a Screma, a Hist, or a
// Screma inside a WithAcc, into which its producers are moved
// first. What others also need of the producer the fused SOAC returns as
// well: no work is done twice. Updates of accumulators are fused through concatenations and transpositions: Note [Producers of updates].
// WithAccs whose updates read the same are joined, and then their SOACs are: Note [Updates side by side].
// Horizontal fusion joins two SOACs of one
// size that read an array in common and do not depend on each other. Maps of one function that has a loop are joined statement by
// statement: Note [One function of several arrays]. Slices, transpositions and reshapes between two maps go to the inputs
// of the first, so that the maps meet: Note [Views between maps]. What reads the result of a filter goes over all
// elements: Note [Readers of filters]. A
// statement is moved only when nothing in between needs it or overwrites what it reads.
//
//	let (ys_3: [n_1]f32) = screma n_1 (xs_2) map f
//	let (s_4: f32) = screma n_1 (ys_3) map id reds (+)
//
//	let (s_4: f32) = screma n_1 (xs_2) map f reds (+)
//
// What follows a scan goes into the scan by two passes of their own: on SOACs as the last step before devices are known (Note [Post lambdas
// of SOACs]), and on kernels, where scatters and what nests have become are joined, too (Note [Maps of scans], Note [Narrow scans]).
// Two more join what histograms and scatters begin with (Note [Fills side by side]), and kernels that follow each other and share no input
// (Note [Kernels side by side]).
//
// The package imports core, functions and pass only.
package fuse
