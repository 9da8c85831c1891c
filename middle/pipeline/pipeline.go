package pipeline

import (
	"fmt"
	"slices"
	"strings"

	"skald/frontend/diag"
	"skald/frontend/source"
	"skald/middle/choose"
	"skald/middle/core"
	"skald/middle/derive"
	"skald/middle/doublebuffer"
	"skald/middle/elect"
	"skald/middle/expand"
	"skald/middle/flatmap"
	"skald/middle/flatten"
	"skald/middle/fuse"
	"skald/middle/inline"
	"skald/middle/layout"
	"skald/middle/memory"
	"skald/middle/migrate"
	"skald/middle/pass"
	"skald/middle/reuse"
	"skald/middle/rotate"
	"skald/middle/rounds"
	"skald/middle/shortcircuit"
	"skald/middle/simplify"
	"skald/middle/splitk"
	"skald/middle/tile"
)

// Step is a pass on core IR.
type Step = pass.Pass[*core.Prog, *core.Prog]

// Front is the way from internalised core IR to what executables carry: SOACs, fused and differentiated, that no device has been thought
// of for.
//
// Derivatives are taken of fused code, as what is one SOAC then runs once in a return sweep, and the arrays inside of it need not be kept
// for the sweep. What they make is inlined (functions' derivatives are functions), simplified and fused again; what fusing leaves is
// simplified once there are kernels, as nothing but maps behind scans is fused after it.
var Front = []Step{
	inline.Pass,
	simplify.Pass,
	rotate.Pass, // once dead code is gone, and before filters have their readers
	fuse.Pass,
	named(simplify.Pass, "simplify-fused"),
	flatMaps(needed(flatmap.Pass, "devices run maps whose results have one shape")),
	flatMaps(named(simplify.Pass, "simplify-flat")),
	flatMaps(named(fuse.Pass, "fuse-flat")),
	flatMaps(named(simplify.Pass, "simplify-flat-fused")),
	derivatives(needed(derive.Pass, "devices run no derivatives, only code for them")),
	derivatives(needed(named(inline.Pass, "inline-derived"), "a return sweep may run calls in kernels that the host made")),
	derivatives(named(simplify.Pass, "simplify-derived")),
	derivatives(named(fuse.Pass, "fuse-derived")),
	fuse.PostPass,
}

// GPU is the way from there to core IR with memory and choices, which lowering takes. It runs where the device is known; its passes may ask
// pass.Context.Facts. A new pass for devices is one line here: docs/add-a-pass.md.
var GPU = []Step{
	needed(flatten.Pass, "devices run segmented operations, not SOACs"),
	elect.Pass, // leaves code that is not used, for the next
	named(simplify.Pass, "simplify-kernels"),
	fuse.ScanPass,
	fuse.FillPass,
	fuse.AdjacentPass,
	migrate.Pass,
	layout.Pass,
	splitk.Pass,
	rounds.Pass, // while reads and updates have indices, and once nothing looks for loops of elements
	needed(memory.Pass, "kernels read and write memory, which arrays have by this pass alone"),
	doublebuffer.Pass,
	shortcircuit.Pass,          // while kernels allocate where arrays are made
	shortcircuit.OverwritePass, // for what is not made where it is copied to
	reuse.Pass,                 // while kernels allocate, and once arrays are where they are going to be
	needed(expand.Pass, "devices allocate no memory inside of kernels"),
	named(simplify.Pass, "simplify-memory"), // behind what leaves sizes of blocks unused
	tile.Pass,
	needed(choose.Pass, "lowering makes kernels as choices say"),
}

// GPUFrom lists the passes of GPU that a program at a stage has before it.
func GPUFrom(stage core.Stage) []Step {
	switch stage {
	case core.StageSOACS:
		return GPU
	case core.StageKernels:
		i := slices.IndexFunc(GPU, func(s Step) bool { return s.Name == flatten.Pass.Name })
		return GPU[i+1:]
	case core.StageMemory:
		return GPU[len(GPU)-1:]
	case core.StageChosen:
	}
	return nil
}

// Shared divides steps into those whose result devices share that answer alike what passes ask of them, and those behind, from the choices
// on, which are made for one device.
func Shared(steps []Step) (shared, own []Step) {
	i := slices.IndexFunc(steps, func(s Step) bool { return s.Name == choose.Pass.Name })
	if i < 0 {
		return steps, nil
	}
	return steps[:i], steps[i:]
}

// All lists the passes of both.
func All() []Step { return slices.Concat(Front, GPU) }

// Without returns steps without those that are named. The error says which cannot be left out.
func Without(steps []Step, names []string) ([]Step, error) {
	for _, n := range names {
		i := slices.IndexFunc(steps, func(s Step) bool { return s.Name == n })
		switch {
		case i < 0:
			return nil, fmt.Errorf("no pass is called %q; those that can be left out are %s", n, strings.Join(optional(steps), ", "))
		case steps[i].Needed != "":
			return nil, fmt.Errorf("pass %s cannot be left out: %s; those that can are %s",
				n, steps[i].Needed, strings.Join(optional(steps), ", "))
		}
	}
	return slices.DeleteFunc(slices.Clone(steps), func(s Step) bool { return slices.Contains(names, s.Name) }), nil
}

// optional lists the steps that can be left out.
func optional(steps []Step) []string {
	var names []string
	for _, s := range steps {
		if s.Needed == "" {
			names = append(names, s.Name)
		}
	}
	return names
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
	steps = slices.DeleteFunc(slices.Clone(steps), func(s Step) bool { return s.Name != after && s.When != nil && !s.When(p) })
	for _, s := range steps {
		out, d := pass.Apply(ctx, s, p, core.Print)
		if d == nil {
			d = tooLarge(ctx, out)
		}
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

func needed(s Step, why string) Step {
	s.Needed = why
	return s
}

// flatMaps is a step for programs with flat maps.
func flatMaps(s Step) Step {
	s.When = flatmap.Wanted
	s.Doc += " (in programs with maps of segments)"
	return s
}

// derivatives is a step for programs with derivatives.
func derivatives(s Step) Step {
	s.When = derive.Wanted
	s.Doc += " (in programs with derivatives)"
	return s
}

func named(s Step, name string) Step {
	s.Name = name
	return s
}
