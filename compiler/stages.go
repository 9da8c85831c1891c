package compiler

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"skald/frontend/diag"
	"skald/frontend/types"
	"skald/middle/core"
	"skald/middle/imp"
	"skald/middle/internalise"
	"skald/middle/lower"
	"skald/middle/pass"
	"skald/middle/pipeline"
	"skald/middle/surface"
	"skald/targets"
)

// Stage is a point on a program's way through the compiler.
type Stage struct {
	// Name is the name of the pass that leads there.
	Name string
	// Doc says what that pass does.
	Doc string
	// Form is the language that the program is in afterwards.
	Form string
}

// The forms of a program.
const (
	FormSource = "futhark"
	FormCore   = "core"
	FormLow    = "imp"
)

// Stages lists all stages that Dump can show, in order.
func Stages() []Stage {
	stages := []Stage{{"check", "resolve names, infer types and sizes", FormSource}}
	for _, p := range surface.Passes {
		stages = append(stages, Stage{p.Name, p.Doc, FormSource})
	}
	stages = append(stages, Stage{internalise.Pass.Name, internalise.Pass.Doc, FormCore})
	for _, p := range pipeline.GPU {
		stages = append(stages, Stage{p.Name, p.Doc, FormCore})
	}
	lowering := lower.Pass(lower.Facts{})
	return append(stages, Stage{lowering.Name, lowering.Doc, FormLow})
}

// CompileOptions say how a checked program is compiled. The zero value is good.
type CompileOptions struct {
	// Verify checks the invariants of the IR after each pass.
	Verify bool
	// DumpDir is where the input of a pass that fails is written; "" means the directory for temporary files.
	DumpDir string
	// Timed, if not nil, is told how long each pass took.
	Timed func(pass string, took time.Duration)
	// Locations makes dumps of core IR say where each statement comes from, which makes lines long.
	Locations bool
	// Model is what dumps of the low-level program are for; nil means the usual profile.
	Model *Model
}

// print is how dumps print core IR.
func (o CompileOptions) print(p *core.Prog) string {
	return core.PrintOptions{HideLocations: !o.Locations}.Print(p)
}

func (o CompileOptions) context() *pass.Context {
	return &pass.Context{DumpDir: o.DumpDir, Check: o.Verify, Timed: o.Timed}
}

// Surface runs the surface passes up to the one called after, or all of them if that is "".
func Surface(prog *types.Prog, after string, opts CompileOptions) (*types.Prog, *diag.Diagnostic) {
	return surface.Run(opts.context(), prog, after)
}

// Core compiles a checked program to core IR as it is after the pass called after, or at the end of the pipeline if that is "".
func Core(prog *types.Prog, after string, opts CompileOptions) (*core.Prog, *diag.Diagnostic) {
	prog, d := Surface(prog, "", opts)
	if d != nil {
		return nil, d
	}
	ir, d := pass.Apply(opts.context(), internalise.Pass, prog, types.Source)
	if d != nil {
		return nil, d
	}
	if after == internalise.Pass.Name {
		return ir, nil
	}
	return pipeline.Run(opts.context(), pipeline.GPU, ir, after)
}

// Dump prints a checked program as it is after the pass called after.
func Dump(prog *types.Prog, after string, opts CompileOptions) (string, *diag.Diagnostic, error) {
	for _, s := range Stages() {
		if s.Name != after {
			continue
		}
		if s.Form != FormSource {
			ir, d := Core(prog, untilCore(after), opts)
			if d != nil {
				return "", d, nil
			}
			text, d := opts.text(ir, after)
			return text, d, nil
		}
		if after != "check" {
			var d *diag.Diagnostic
			if prog, d = Surface(prog, after, opts); d != nil {
				return "", d, nil
			}
		}
		return types.Source(prog), nil, nil
	}
	return "", nil, fmt.Errorf("no pass is called %q; `skald dev --print-pipeline` lists them", after)
}

// DumpCore prints a program of core IR as it is after the pass called after. text is what Dump printed of it after the pass called
// from; programs written by hand may start there too.
func DumpCore(text, from, after string, opts CompileOptions) (string, *diag.Diagnostic, error) {
	steps, err := stepsBetween(from, after)
	if err != nil {
		return "", nil, err
	}
	ir, err := core.Parse(text)
	if err != nil {
		return "", nil, err
	}
	if err := core.Verify(ir); err != nil {
		return "", nil, err
	}
	ir, d := pipeline.Run(opts.context(), steps, ir, "")
	if d != nil {
		return "", d, nil
	}
	low, d := opts.text(ir, after)
	return low, d, nil
}

// untilCore is the pass on core IR after which a program is taken for a dump after a pass; "" is the last.
func untilCore(after string) string {
	if after == lower.Name {
		return ""
	}
	return after
}

// text prints a program as it is after a pass, which has been applied unless it is lowering.
func (o CompileOptions) text(ir *core.Prog, after string) (string, *diag.Diagnostic) {
	if after != lower.Name {
		return o.print(ir), nil
	}
	m := o.Model
	if m == nil {
		m = DeviceProfile(targets.DefaultProfile())
	}
	low, d := lowered(o.context(), ir, m)
	if d != nil {
		return "", d
	}
	return imp.Print(low), nil
}

// stepsBetween lists the passes on core IR that follow one, up to another.
func stepsBetween(from, after string) ([]pipeline.Step, error) {
	names := []string{internalise.Pass.Name}
	for _, p := range pipeline.GPU {
		names = append(names, p.Name)
	}
	i, j := slices.Index(names, from), slices.Index(names, after)
	if after == lower.Name {
		j = len(pipeline.GPU)
	}
	switch {
	case i < 0 || j < 0:
		return nil, fmt.Errorf("core IR is read after %s, and printed after those and %s", strings.Join(names, ", "), lower.Name)
	case j < i:
		return nil, fmt.Errorf("%s comes before %s", after, from)
	}
	return pipeline.GPU[i:j], nil
}
