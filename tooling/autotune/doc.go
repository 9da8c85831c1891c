// Package autotune finds values of a program's thresholds: `skald autotune`.
//
// A threshold decides between versions of nested parallelism: a version that is parallel outside alone runs where the threshold is at
// most the number of points there. Tune takes a program on a device and cases with inputs, and finds assignments that make them fast:
// see Note [Threshold paths]. It imports tooling/bench, which measures.
package autotune
