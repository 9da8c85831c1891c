package compiler

import (
	"skald/frontend/diag"
	"skald/frontend/source"
	"skald/middle/core"
	"skald/middle/imp"
	"skald/middle/lower"
	"skald/middle/pass"
)

// lowered applies lowering for a device to a program at the memory stage, and verifies the result where each pass is verified.
func lowered(ctx *pass.Context, ir *core.Prog, m *Model) (*imp.Prog, *diag.Diagnostic) {
	low, d := pass.Apply(ctx, lower.Pass(m.Lowering), ir, core.Print)
	if d != nil || !ctx.Check {
		return low, d
	}
	return pass.Apply(ctx, verifyLow, low, imp.Print)
}

// verifyLow is to lowering what the pipeline's own verification is to the passes before it.
var verifyLow = pass.Pass[*imp.Prog, *imp.Prog]{
	Name: "verify-after-" + lower.Name,
	Doc:  "check the invariants of the low-level program",
	Run: func(ctx *pass.Context, p *imp.Prog) *imp.Prog {
		if err := imp.Verify(p); err != nil {
			ctx.Bug(source.Span{}, "%v", err)
		}
		return p
	},
}
