// Package bundle puts a compiled program behind an executable and finds it there again.
//
// A native executable is the skald binary itself with a bundle appended: the program loads whatever the binary was built for, so that
// nothing has to be linked. A bundle is a list of named sections (the program's IR for each pipeline, a WebGPU library) behind which a
// trailer says where it begins. All numbers are little-endian. In an image for macOS bundle and trailer are a segment (see Note [Programs
// in Mach-O images]).
//
//	executable  = binary (with its marker set, see marker) bundle trailer
//	bundle      = section*
//	section     = u32 length of name, name, u64 length of data, data
//	trailer     = u64 length of bundle, SHA-256 of bundle, "skald/1\n"
//
// The package imports nothing of ours.
package bundle
