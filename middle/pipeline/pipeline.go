package pipeline

import (
	"skald/frontend/diag"
	"skald/frontend/source"
	"skald/middle/core"
	"skald/middle/flatten"
	"skald/middle/fuse"
	"skald/middle/inline"
	"skald/middle/memory"
	"skald/middle/pass"
	"skald/middle/simplify"
)

// Step is a pass on core IR.
type Step = pass.Pass[*core.Prog, *core.Prog]

// GPU is the way from internalised core IR to core IR with memory.
var GPU = []Step{
	inline.Pass,
	simplify.Pass,
	fuse.Pass,
	named(simplify.Pass, "simplify-fused"),
	flatten.Pass,
	named(simplify.Pass, "simplify-kernels"),
	memory.Pass,
	named(simplify.Pass, "simplify-memory"),
}

// verify is what ctx.Check adds after each step.
var verify = Step{
	Name: "verify",
	Doc:  "check the invariants of core IR",
	Run: func(ctx *pass.Context, p *core.Prog) *core.Prog {
		if err := core.Verify(p); err != nil {
			ctx.Bug(source.Span{}, "%v", err)
		}
		return p
	},
}

// Run applies steps one after the other. It stops after the step called
// after, the first of that name, when after is not empty. The diagnostic is nil when all steps worked.
func Run(ctx *pass.Context, steps []Step, p *core.Prog, after string) (*core.Prog, *diag.Diagnostic) {
	for _, s := range steps {
		out, d := pass.Apply(ctx, s, p, core.Print)
		if d != nil {
			return nil, d
		}
		if ctx.Check {
			if _, d := pass.Apply(ctx, named(verify, "verify-after-"+s.Name), out, core.Print); d != nil {
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

func named(s Step, name string) Step {
	s.Name = name
	return s
}
