// Package server speaks Futhark's server protocol: commands on one stream, a line each, and answers on another, with variables that hold
// values on the device between calls. An executable that `skald build --server` wrote runs it on standard input and output; the packages
// under bindings, and Futhark's own tools, are clients of it.
//
// # Place
//
// It works with a program on a device (runtime/host) and the description of what the program shows (runtime/manifest). It knows no
// compiler and neither prints nor exits but on the streams that it is given.
//
// # Invariants
//
// A command that fails changes nothing: it makes no variables, consumes none and leaves no half-written file. A value that an entry point
// consumed can only be freed, renamed and asked for its type. A variable never changes because another does: values that share memory on
// the device are copied before one of them is overwritten (Note [Held values] in package host).
//
// Answers end with "%%% OK"; those of a command that failed are "%%% FAILURE" and a message, before that. docs/server.md lists the
// commands.
package server
