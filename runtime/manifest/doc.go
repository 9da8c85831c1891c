// Package manifest describes what a program shows to the outside: its entry points, and the types of their parameters and results with
// what these are made of. The server (runtime/server) works by it, and the packages under bindings print it in other languages.
//
// # Place
//
// The package is a leaf, open to all layers; of this module it imports runtime/prim only. Package compiler makes a Program of what the
// core IR says.
//
// # Types
//
// A type is known by its name. Scalars and arrays of them are called by what they are ("[][]i32"), other types as the source calls them
// ("{x: i32, y: []f32}", or by an abbreviation). Every value is a list of parts, each a scalar or an array of scalars: an i32 is one part,
// a record has the parts of its fields one behind the other, an array of records an array for each part of a record. A sum has its
// tag first, and then the parts that its constructors hold, which may share them.
//
//	type t = {n: i32, xs: []f32}      t           kind record, parts i32, []f32, fields n (first 0) and xs (first 1)
//	entry f (ts: []t) : i32           []t         kind array of rank 1 of t, parts []i32, [][]f32, fields n: []i32 and xs: [][]f32
//
// JSON writes the description that Futhark's C libraries come with, in its format.
package manifest
