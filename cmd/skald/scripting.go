//go:build !runner

package main

import (
	"context"
	"path/filepath"

	"skald/compiler"
	"skald/frontend/interp"
	"skald/runtime/value"
	"skald/tooling/bench"
	"skald/tooling/evaluate"
)

// An argument of evaluator.
const buildAgain = false

// evaluator makes a program ready for expressions that call the functions called names. closed is called in the end.
func (f *measuredFlags) evaluator(
	ctx context.Context, file, backend string, names []string, prebuilt bool,
) (p *evaluate.Program, closed func(), err error) {
	opts := compiler.CheckOptions{Entries: names}
	if backend == "interpreter" {
		prog, sink, ok := compiler.Check(file, opts)
		if !ok {
			return nil, nil, programError(&bench.Rejected{Messages: sink.Sorted()})
		}
		in := compiler.Interpret(prog, interp.Options{Trace: printTrace})
		call := func(entry string, args []value.Value) ([]value.Value, error) { return in.Call(ctx, entry, args) }
		return &evaluate.Program{Types: prog, Dir: filepath.Dir(file), Call: call}, func() {}, nil
	}
	compiled, err := bench.Compile(file, opts, prebuilt)
	if err != nil {
		return nil, nil, programError(err)
	}
	l, _, err := f.load(backend, compiled, f.program.profile, f.tuning)
	if err != nil {
		return nil, nil, err
	}
	if f.program.debug {
		if err := l.Host.Debug(noteLaunch); err != nil {
			return nil, nil, fail(exitInternal, "%v", err)
		}
	}
	call := func(entry string, args []value.Value) ([]value.Value, error) {
		return l.Host.CallContext(ctx, entry, args)
	}
	return &evaluate.Program{Types: compiled.Types, Dir: filepath.Dir(file), Call: call}, func() { f.drop(l) }, nil
}
