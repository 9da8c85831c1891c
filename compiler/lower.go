package compiler

import (
	"slices"
	"strings"

	"skald/frontend/diag"
	"skald/frontend/source"
	"skald/middle/core"
	"skald/middle/imp"
	"skald/middle/lower"
	"skald/middle/pass"
	"skald/runtime/host"
)

// lowSteps lists the passes on the low-level program, which are the last of a device's pipeline and can be left out.
func lowSteps(facts lower.Facts) []pass.Pass[*imp.Prog, *imp.Prog] {
	return []pass.Pass[*imp.Prog, *imp.Prog]{
		lower.Registers(facts), lower.Prefetch(facts), lower.Unroll(facts), lower.Bits(facts), lower.Contract(facts), lower.Accumulate(facts),
		lower.Divide(facts), lower.Reroll(facts), lower.Together(facts), lower.Ahead(facts),
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
// result where each pass is verified. Versions that the device cannot take are left out, and that is told: Note [Versions that a device
// cannot take] in package lower.
func lowered(ctx *pass.Context, ir *core.Prog, m *Model, without []string) (*imp.Prog, *diag.Diagnostic) {
	versions := &lower.Versions{}
	for {
		low, d := loweredWith(ctx, ir, m, without, versions)
		if d != nil || !leaveOut(ctx, low, m, versions) {
			return low, d
		}
	}
}

// leaveOut leaves out versions of which a device refuses kernels, if others can stand in for them, and reports whether there are any.
func leaveOut(ctx *pass.Context, low *imp.Prog, m *Model, versions *lower.Versions) bool {
	found := false
	for i, refused := range pass.Each(low.Kernels, func(k *imp.Kernel) *diag.Diagnostic {
		if !doubtful(ctx, k, m) {
			return nil
		}
		return refusal(ctx, m, k)
	}) {
		k := low.Kernels[i]
		if refused != nil && refused.Code == diag.CodeLimit && versions.LeaveOut(k) {
			found = true
			ctx.Fewer(refused.Place, "maps from here run in fewer versions than they could: a kernel of another one is refused, as %s",
				strings.TrimPrefix(refused.Message, "kernel "+k.Name+": "))
		}
	}
	return found
}

// A kernel is only printed to see whether a device takes it if it has so many levels of branches and loops, which WGSL bounds, or so large
// a part of the statements that a kernel may have bytes. Kernels of real programs have fewer of both.
const (
	doubtfulLevels = 30
	doubtfulText   = 1000 // bytes of a statement, at most
)

// doubtful reports whether a device might not take a kernel.
func doubtful(ctx *pass.Context, k *imp.Kernel, m *Model) bool {
	if most := m.Facts.MaxBindings; most > 0 && k.Buffers() >= most && host.Packed(k, m.Facts).Buffers() >= most {
		return true
	}
	statements, deepest := imp.Extent(k.Body)
	return m.Lowering.Words && deepest > doubtfulLevels || statements > ctx.KernelText()/doubtfulText
}

// loweredWith is lowered without some versions.
func loweredWith(
	ctx *pass.Context, ir *core.Prog, m *Model, without []string, versions *lower.Versions,
) (*imp.Prog, *diag.Diagnostic) {
	low, d := pass.Apply(ctx, lower.Pass(m.Lowering, versions), ir, core.Print)
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
