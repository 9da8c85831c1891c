package compiler

import (
	"slices"

	"skald/frontend/diag"
	"skald/frontend/source"
	"skald/middle/core"
	"skald/middle/imp"
	"skald/middle/lower"
	"skald/middle/pass"
)

// lowSteps lists the passes on the low-level program, which are the last of a device's pipeline and can be left out.
func lowSteps(facts lower.Facts) []pass.Pass[*imp.Prog, *imp.Prog] {
	return []pass.Pass[*imp.Prog, *imp.Prog]{
		lower.Registers(facts), lower.Prefetch(facts), lower.Unroll(facts), lower.Bits(facts), lower.Contract(facts), lower.Reroll(facts),
		lower.Ahead(facts),
	}
}

// lowAfter names the passes on the low-level program that come after one of them, or after lowering.
func lowAfter(after string) []string {
	names := []string{lower.Name}
	for _, s := range lowSteps(lower.Facts{}) {
		names = append(names, s.Name)
	}
	return names[slices.Index(names, after)+1:]
}

// lowered applies lowering for a device to a program at the memory stage, and the passes after it but those left out, and verifies the
// result where each pass is verified.
func lowered(ctx *pass.Context, ir *core.Prog, m *Model, without []string) (*imp.Prog, *diag.Diagnostic) {
	low, d := pass.Apply(ctx, lower.Pass(m.Lowering), ir, core.Print)
	for _, s := range lowSteps(m.Lowering) {
		if d != nil || slices.Contains(without, s.Name) {
			continue
		}
		low, d = pass.Apply(ctx, s, low, imp.Print)
	}
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
