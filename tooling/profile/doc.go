// Package profile makes what people read of a profiled run: time by kernel and by line of the source, the list of events, and a flame
// graph.
//
// A bench.Profile comes in, from `skald bench --profile` or a report of a program or of Futhark; text and SVG come out. Time of the
// run that no event has is not attributed: work of the host, compiling, transfers and waiting. Reports that lack the time of the run
// say nothing of it.
package profile
