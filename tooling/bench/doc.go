// Package bench measures programs on the data sets of their test blocks: `skald bench`, and with it `skald autotune` and `skald profile`.
//
// A Program, read and compiled by Read, and a Machine, which Open opens, give a Loaded; its Measure runs one case by Futhark's method:
// one run that is not measured, then at least ten runs and half a second; if the times do not agree well enough (Note [Convergence]),
// those runs are forgotten, and others follow until they do. A Result has all times; Mean, and Interval, a confidence interval by
// bootstrap, sum them up. Report is the JSON that Futhark's tools read and write, and Compare compares two of them.
//
// The package imports the compiler and the other packages of tooling; how test blocks are run for their results is tooling/conformance.
package bench
