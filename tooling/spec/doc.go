// Package spec parses test blocks: the comments in a Futhark program that say
// how it is tested and benchmarked.
//
// A [source.File] goes in, a [Program] comes out, errors go to a [diag.Sink].
// Values and scripts' constants stay text until somebody runs a case, since
// most runs need few of them; runtime/value reads them. The package imports
// frontend/source, frontend/diag, tooling/script and runtime/value.
//
//	-- ==
//	-- tags { slow }
//	-- entry: sum
//	-- "ones" compiled input { [1, 1] } output { 2 }
//	-- random input { [100]i32 } auto output
//	-- structure gpu { SegRed 1 }
//
// A block is a run of comment lines of which one is "-- ==": what is before
// that line is prose, what is after it is the test. The first block of a file
// may begin with tags, and may expect the program to be rejected; further
// blocks hold cases or properties only.
package spec
