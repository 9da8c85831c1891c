// Package conformance runs programs against their test blocks: `skald test`, and the project's own tests.
//
// A list of program files comes in; each is checked, and its cases are run on an executor (the interpreter, or compiled, on a
// device); a Report with one Result a program and a case comes out. What a block means is package tooling/spec's; what
// may be different from the expectation is runtime/value's (Compare).
//
// Where a case says `auto output`, the result is compared with a reference: a file from Options.AutoOutput if there is one
// for the case, else the figures (sum, bounds, some elements) that its index has of a large result, else what
// Options.Reference computes (the interpreter, unless a program is too much work for it); the result says which.
package conformance
