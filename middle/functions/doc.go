// Package functions has the loops of passes that look at one function at a time: over the functions of a program, and over the
// kernels of a function.
package functions
