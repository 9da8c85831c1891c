// Package lowering tests lowering, back ends and devices together: programs in
// core IR with memory, written by hand in testdata, run on the processor and on
// every software driver that is found, and their results are compared with
// what Go computes.
package lowering
