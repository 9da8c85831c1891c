// Package text is what the printers of all languages share: the structure of kernels
// (Printer: declarations, branches, loops, assertions, calls, regions between barriers),
// with a table of syntax for each language; names of variables that read well and mean
// one thing; and parentheses: operators have them, and Plain takes those around a whole
// expression away, so that no printer has a table of precedence.
//
// It sees middle/imp and runtime/prim.
//
// In: a kernel that imp.Verify accepts. Out: text that a package beside this one puts
// its frame around. For example, of two variables called x the one with number 3 becomes
// x_3, Plain makes `a + b` of `(a + b)`, and `let x = a + b` is `let x = a + b;` by the
// syntax of WGSL and `const i32 x = a + b;` by that of CUDA C.
package text
