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
	// Pipeline is the list that the pass belongs to: PipelineFront or PipelineGPU.
	Pipeline string
	// Needed says why the pass cannot be left out; it is empty if it can.
	Needed string
}

// The pipelines: what happens when a program is built, and what happens where it runs.
const (
	PipelineFront = "front"
	PipelineGPU   = "gpu"
)

// The forms of a program.
const (
	FormSource = "futhark"
	FormCore   = "core"
	FormLow    = "imp"
)

// Stages lists all stages that Dump can show, in order.
func Stages() []Stage {
	const form = "this form of the program is the next pass's input"
	stages := []Stage{{"check", "resolve names, infer types and sizes", FormSource, PipelineFront, form}}
	for _, p := range surface.Passes {
		stages = append(stages, Stage{p.Name, p.Doc, FormSource, PipelineFront, form})
	}
	stages = append(stages, Stage{internalise.Pass.Name, internalise.Pass.Doc, FormCore, PipelineFront, form})
	for _, p := range pipeline.Front {
		stages = append(stages, Stage{p.Name, p.Doc, FormCore, PipelineFront, p.Needed})
	}
	for _, p := range pipeline.GPU {
		stages = append(stages, Stage{p.Name, p.Doc, FormCore, PipelineGPU, p.Needed})
	}
	lowering := lower.Pass(lower.Facts{}, nil)
	stages = append(stages, Stage{lowering.Name, lowering.Doc, FormLow, PipelineGPU, form})
	for _, p := range lowSteps(lower.Facts{}) {
		stages = append(stages, Stage{p.Name, p.Doc, FormLow, PipelineGPU, p.Needed})
	}
	return stages
}

// isLow reports whether a program is in the low-level form after the pass of this name.
func isLow(after string) bool {
	return slices.ContainsFunc(Stages(), func(s Stage) bool { return s.Name == after && s.Form == FormLow })
}

// CompileOptions say how a checked program is compiled. The zero value is good.
type CompileOptions struct {
	// Verify checks the invariants of the IR after each pass.
	Verify bool
	// Safe keeps the checks of a program that it asks to leave out, by #[unsafe].
	Safe bool
	// DumpDir is where the input of a pass that fails is written; "" means the directory for temporary files.
	DumpDir string
	// Timed, if not nil, is told how long each pass took.
	Timed func(pass string, took time.Duration)
	// Budget is how many statements a program may have after a pass; 0 means the usual number. See Note [Budgets] in middle/pass.
	Budget int
	// Locations makes dumps of core IR say where each statement comes from, which makes lines long.
	Locations bool
	// Model is the device that passes of a device's pipeline are for; nil means the usual profile.
	Model *Model
	// Without names passes, on core IR and the low-level program, that are left out.
	Without []string
}

// print is how dumps print core IR.
func (o CompileOptions) print(p *core.Prog) string {
	return core.PrintOptions{HideLocations: !o.Locations}.Print(p)
}

func (o CompileOptions) context() *pass.Context {
	return &pass.Context{DumpDir: o.DumpDir, Check: o.Verify, Safe: o.Safe, Timed: o.Timed, Device: o.model().Lowering, Budget: o.Budget}
}

func (o CompileOptions) model() *Model {
	if o.Model == nil {
		return DeviceProfile(targets.DefaultProfile())
	}
	return o.Model
}

// steps returns the passes of a list that are not left out.
func (o CompileOptions) steps(list []pipeline.Step) []pipeline.Step {
	return slices.DeleteFunc(slices.Clone(list), func(s pipeline.Step) bool { return slices.Contains(o.Without, s.Name) })
}

// Valid says which of the passes to leave out cannot be.
func (o CompileOptions) Valid() error {
	return canLeaveOut(pipeline.All(), o.Without)
}

// canLeaveOut says which of the passes that are named cannot be left out, of these and those on the low-level program.
func canLeaveOut(steps []pipeline.Step, names []string) error {
	all := slices.Clone(steps)
	for _, p := range lowSteps(lower.Facts{}) {
		all = append(all, pipeline.Step{Name: p.Name, Doc: p.Doc, Needed: p.Needed})
	}
	_, err := pipeline.Without(all, names)
	return err
}

// Surface runs the surface passes up to the one called after, or all of them if that is "".
func Surface(prog *types.Prog, after string, opts CompileOptions) (*types.Prog, *diag.Diagnostic) {
	return surface.Run(opts.context(), prog, after)
}

// Core compiles a checked program to core IR as it is after the pass called after, of the front pipeline or the device's, or at the
// end if that is "".
func Core(prog *types.Prog, after string, opts CompileOptions) (*core.Prog, *diag.Diagnostic) {
	ir, d := internalised(prog, opts)
	if d != nil || after == internalise.Pass.Name {
		return ir, d
	}
	return pipeline.Run(opts.context(), opts.steps(until(after)), ir, "")
}

// internalised takes a program to core IR.
func internalised(prog *types.Prog, opts CompileOptions) (*core.Prog, *diag.Diagnostic) {
	prog, d := Surface(prog, "", opts)
	if d != nil {
		return nil, d
	}
	return pass.Apply(opts.context(), internalise.Pass, prog, types.Source)
}

// until lists the passes on core IR up to one, or all.
func until(after string) []pipeline.Step {
	all := pipeline.All()
	if i := slices.IndexFunc(all, func(s pipeline.Step) bool { return s.Name == after }); i >= 0 {
		return all[:i+1]
	}
	return all
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
	ir, d := pipeline.Run(opts.context(), opts.steps(steps), ir, "")
	if d != nil {
		return "", d, nil
	}
	low, d := opts.text(ir, after)
	return low, d, nil
}

// untilCore is the pass on core IR after which a program is taken for a dump after a pass; "" is the last.
func untilCore(after string) string {
	if isLow(after) {
		return ""
	}
	return after
}

// text prints a program as it is after a pass, which has been applied unless it is lowering.
func (o CompileOptions) text(ir *core.Prog, after string) (string, *diag.Diagnostic) {
	if !isLow(after) {
		return o.print(ir), nil
	}
	low, d := lowered(o.context(), ir, o.model(), append(slices.Clip(o.Without), lowAfter(after)...))
	if d != nil {
		return "", d
	}
	return imp.Print(low), nil
}

// stepsBetween lists the passes on core IR that follow one, up to another.
func stepsBetween(from, after string) ([]pipeline.Step, error) {
	names := []string{internalise.Pass.Name}
	for _, p := range pipeline.All() {
		names = append(names, p.Name)
	}
	i, j := slices.Index(names, from), slices.Index(names, after)
	if isLow(after) {
		j = len(pipeline.All())
	}
	switch {
	case i < 0 || j < 0:
		return nil, fmt.Errorf("core IR is read after %s, and printed after those and %s", strings.Join(names, ", "), lower.Name)
	case j < i:
		return nil, fmt.Errorf("%s comes before %s", after, from)
	}
	return pipeline.All()[i:j], nil
}
