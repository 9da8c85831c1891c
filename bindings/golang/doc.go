// Package golang writes packages of Go through which another module calls a compiled program by functions with types of Go.
//
// # Place
//
// It sees the description of a program (runtime/manifest) and writes a text, which embeds the program's file and imports the root package
// and runtime/value. The program runs in the caller's process.
//
// # Types
//
// Scalars and slices are Go's. Arrays of more dimensions are ArrayN[T], elements with their shape; a record is a struct, and an array of
// records a struct of arrays. Other types (sums, and arrays of them) are structs without fields: entry points make them and take them.
//
//	type point = {x: f32, y: f32}                     type Point struct { X float32; Y float32 }
//	entry centre (ps: []point) : point                func (p *Program) Centre(ctx context.Context, ps PointArray1) (Point, error)
package golang
