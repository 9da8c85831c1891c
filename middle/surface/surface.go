// Package surface lists the passes from typed program to typed program, in order. They leave a program without modules (the
// checker saw to that), polymorphism, local functions and function values, which package internalise can represent.
//
// Its subpackages, one a pass, and internalise are the only part of the middle end that sees the surface language.
package surface

import (
	"skald/frontend/diag"
	"skald/frontend/source"
	"skald/frontend/types"
	"skald/middle/pass"
	"skald/middle/surface/defunctionalise"
	"skald/middle/surface/form"
	"skald/middle/surface/lift"
	"skald/middle/surface/monomorphise"
	"skald/middle/surface/normalise"
)

// Step is a pass from typed program to typed program.
type Step = pass.Pass[*types.Prog, *types.Prog]

// Passes are the surface passes, in order. Each says in its package comment what it needs of those before it.
var Passes = []Step{
	normalise.Pass,
	monomorphise.Pass,
	lift.Pass,
	defunctionalise.Pass,
}

// Forms has the form of a program after each pass.
var Forms = map[string]form.Form{
	normalise.Pass.Name:       form.Normal,
	monomorphise.Pass.Name:    form.Monomorphic,
	lift.Pass.Name:            form.Lifted,
	defunctionalise.Pass.Name: form.FirstOrder,
}

// Run applies the passes up to the one called after, or all of them if that is "". The diagnostic is nil when all worked.
func Run(ctx *pass.Context, p *types.Prog, after string) (*types.Prog, *diag.Diagnostic) {
	for _, s := range Passes {
		out, d := pass.Apply(ctx, s, p, types.Source)
		if d != nil {
			return nil, d
		}
		if ctx.Check {
			if _, d := pass.Apply(ctx, verify(s.Name), out, types.Source); d != nil {
				return nil, d
			}
		}
		p = out
		if s.Name == after {
			break
		}
	}
	return p, nil
}

// verify is what ctx.Check adds after a pass.
func verify(after string) Step {
	return Step{
		Name: "verify-after-" + after,
		Doc:  "check the invariants of the typed program",
		Run: func(ctx *pass.Context, p *types.Prog) *types.Prog {
			if err := form.Check(Forms[after], p); err != nil {
				ctx.Bug(source.Span{}, "%v", err)
			}
			return p
		},
	}
}
