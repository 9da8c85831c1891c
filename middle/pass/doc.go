// Package pass says what a compiler pass is, and runs passes.
//
// A pass is a value: a name, a sentence, and a function from program to program. It has no error result: once a program has been
// checked, whatever goes wrong is either a fault of ours (Context.Bug) or something that we do not support (Context.Limit).
// Both leave the pass at once. Apply recovers, names the pass in a diagnostic, and keeps the pass's input for whoever fixes it; a Go
// panic inside a pass is treated as a Bug. No panic gets past Apply.
//
// The package is used by surface passes, core passes and lowering alike. It imports only the leaves frontend/source and
// frontend/diag, and middle/facts, which is what passes for a device may ask of it.
package pass
