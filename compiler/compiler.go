package compiler

import (
	"skald/frontend/check"
	"skald/frontend/diag"
	"skald/frontend/interp"
	"skald/frontend/types"
)

// Version is what `skald --version` prints. It names the language, whose versions are Futhark's, and ours.
const Version = "skald 0.1.0 (Futhark 0.28)"

// CheckOptions say how a program is read and checked. The zero value is good.
type CheckOptions struct {
	// Loader finds files; nil means the file system.
	Loader check.Loader
	// Entries names functions of the root file that are entry points besides those declared so.
	Entries []string
	// Mentioned, if set, hears of the names of types, modules and module types, for Query.
	Mentioned func(check.Mention)
}

// Check reads and checks the program whose root file is at path. ok says that it was accepted; the sink holds errors and warnings
// either way.
func Check(path string, opts CheckOptions) (prog *types.Prog, sink *diag.Sink, ok bool) {
	loader := opts.Loader
	if loader == nil {
		loader = check.OS{}
	}
	sink = &diag.Sink{}
	prog, ok = check.Check(loader, path, sink, check.Options{Entries: opts.Entries, Mentioned: opts.Mentioned})
	return prog, sink, ok
}

// Interpret makes an interpreter for a program.
func Interpret(prog *types.Prog, opts interp.Options) *interp.Interpreter {
	return interp.New(prog, opts)
}
