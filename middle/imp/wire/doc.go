// Package wire is the binary form of low-level programs: what is kept on disk, and what bundles carry, of the work that the passes for a
// device have done. Encode writes a program with what a back end printed of its kernels; Open reads entry points, sites and tuning
// parameters, and each host function, kernel, its text and the device functions that it calls when they are asked for, since a run needs
// few of them. It must import nothing but package imp and its leaves.
//
//	program = head host functions kernels    each a list of parts: length, bytes
//
// The form follows from the declarations of the nodes, by reflection: numbers are varints, a string is written in full the first time in a
// part and as its number afterwards, nodes begin with their index among the variants. So a new node needs a line in the table of
// variants and nothing else, and a form that another build wrote means nothing: whoever keeps it keeps the build with it.
//
// # Invariants
//
// What Open and its methods read of what Encode wrote is what was written, but that empty slices may become nil. Other bytes give errors
// or programs that mean nothing, never a panic; that they are the right ones is for whoever keeps them to see to, by a checksum.
package wire
