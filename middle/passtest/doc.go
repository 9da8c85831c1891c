// Package passtest tests passes on core IR with golden files. A file is a
// txtar archive: `in` is a program, `out` what the pass makes of it, and
// `call NAME` sections hold arguments, in Futhark's text format, for which the
// program before and after must give the same results. Running the tests with
// -update regenerates `out`.
//
// Only tests import it.
package passtest
