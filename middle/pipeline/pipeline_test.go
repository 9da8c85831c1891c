package pipeline_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"skald/middle/core"
	"skald/middle/pass"
	"skald/middle/passtest"
	"skald/middle/pipeline"
)

// programs are the inputs of the passes' golden tests, with their calls.
func programs(t testing.TB) map[string]*txtar.Archive {
	t.Helper()
	files, err := filepath.Glob("../*/testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no programs")
	}
	out := map[string]*txtar.Archive{}
	for _, f := range files {
		ar, err := txtar.ParseFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if len(ar.Files) > 0 && strings.HasPrefix(string(ar.Files[0].Data), "stage soacs") {
			out[f] = ar
		}
	}
	return out
}

func parse(t testing.TB, ar *txtar.Archive) *core.Prog {
	t.Helper()
	p, err := core.Parse(string(ar.Files[0].Data))
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Entries) == 0 {
		p.Entries = []core.Entry{{Name: "main", Fun: "main"}}
	}
	return p
}

func TestPassesHaveNamesAndDocs(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range pipeline.All() {
		if s.Name == "" || s.Doc == "" || seen[s.Name] {
			t.Errorf("pass %q (%q)", s.Name, s.Doc)
		}
		seen[s.Name] = true
	}
}

func TestPipelineKeepsResults(t *testing.T) {
	for name, ar := range programs(t) {
		t.Run(name, func(t *testing.T) {
			before := parse(t, ar)
			after, d := pipeline.Run(&pass.Context{DumpDir: t.TempDir(), Check: true}, pipeline.All(), before, "")
			if d != nil {
				t.Fatal(d)
			}
			if after.Stage != core.StageChosen {
				t.Errorf("ends at stage %s", after.Stage)
			}
			for _, f := range ar.Files {
				if strings.HasPrefix(f.Name, "call main") {
					passtest.SameResults(t, before, after, "main", string(f.Data))
				}
			}
		})
	}
}

func TestRunStopsAfterThePassNamed(t *testing.T) {
	for _, ar := range programs(t) {
		p, d := pipeline.Run(&pass.Context{}, pipeline.All(), parse(t, ar), "fuse")
		if d != nil || p.Stage != core.StageSOACS {
			t.Fatalf("stage %v, %v", p.Stage, d)
		}
	}
}

// Compiling twice makes the same text.
func TestPipelineIsDeterministic(t *testing.T) {
	for name, ar := range programs(t) {
		first, _ := pipeline.Run(&pass.Context{}, pipeline.All(), parse(t, ar), "")
		second, _ := pipeline.Run(&pass.Context{}, pipeline.All(), parse(t, ar), "")
		if core.Print(first) != core.Print(second) {
			t.Errorf("%s compiles differently the second time", name)
		}
	}
}

func BenchmarkPipeline(b *testing.B) {
	var progs []*core.Prog
	for _, ar := range programs(b) {
		progs = append(progs, parse(b, ar))
	}
	b.ResetTimer()
	for range b.N {
		for _, p := range progs {
			if _, d := pipeline.Run(&pass.Context{}, pipeline.All(), p, ""); d != nil {
				b.Fatal(d)
			}
		}
	}
}

// Whatever can be left out may be, alone or with all others that can be, and results stay the same.
func TestPassesCanBeLeftOut(t *testing.T) {
	var optional []string
	for _, s := range pipeline.All() {
		if s.Needed == "" {
			optional = append(optional, s.Name)
		}
	}
	without := func(steps []pipeline.Step, names ...string) []pipeline.Step {
		left, err := pipeline.Without(steps, names)
		if err != nil || len(left) > len(steps)-len(names) {
			t.Fatalf("without %v: %v", names, err)
		}
		return left
	}
	fewest := without(pipeline.All(), optional...)
	if len(fewest) != len(pipeline.All())-len(optional) {
		t.Fatalf("%d passes are left without %v", len(fewest), optional)
	}
	inputs, calls := map[string]*core.Prog{}, map[string][]string{}
	for seed := range uint64(20) {
		name := fmt.Sprintf("random%d", seed)
		inputs[name], calls[name] = program(seed), []string{arguments}
	}
	for name, ar := range programs(t) {
		inputs[name] = parse(t, ar)
		for _, f := range ar.Files {
			if strings.HasPrefix(f.Name, "call main") {
				calls[name] = append(calls[name], string(f.Data))
			}
		}
	}
	for name, before := range inputs {
		run := func(p *core.Prog, steps []pipeline.Step, how string) *core.Prog {
			after, d := pipeline.Run(&pass.Context{DumpDir: t.TempDir(), Check: true}, steps, p, "")
			if d != nil {
				t.Fatalf("%s %s: %v", name, how, d)
			}
			return after
		}
		same := func(after *core.Prog) {
			for _, call := range calls[name] {
				passtest.SameResults(t, before, after, "main", call)
			}
		}
		steps := stepsFor(before)
		same(run(before, fewest, "with the fewest passes"))
		tried := map[string]bool{}
		p := before // as the passes so far leave it, which are the same for whatever is left out later
		for i, s := range steps {
			if s.Needed == "" && !tried[s.Name] {
				tried[s.Name] = true
				same(run(p, without(steps[i:], s.Name), "without "+s.Name))
			}
			p = run(p, steps[i:i+1], "after "+s.Name)
		}
	}
}

// stepsFor lists the passes that a program wants.
func stepsFor(p *core.Prog) []pipeline.Step {
	var out []pipeline.Step
	for _, s := range pipeline.All() {
		if s.When == nil || s.When(p) {
			s.When = nil
			out = append(out, s)
		}
	}
	return out
}

func TestWithoutNamesWhatCannotBeLeftOut(t *testing.T) {
	for name, want := range map[string]string{
		"flatten": "cannot be left out: devices run segmented operations",
		"frob":    `no pass is called "frob"; those that can be left out are`,
	} {
		if _, err := pipeline.Without(pipeline.All(), []string{name}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("without %s: %v", name, err)
		}
	}
}

// A result is common to all devices unless a pass asks what the device is, as that of choices does.
func TestTheContextKnowsWhetherFactsWereAsked(t *testing.T) {
	asks := pipeline.Step{Name: "asks", Run: func(ctx *pass.Context, p *core.Prog) *core.Prog {
		if ctx.Facts().GroupSize != 256 {
			t.Errorf("%+v", ctx.Facts())
		}
		return p
	}}
	ctx := &pass.Context{}
	shared, own := pipeline.Shared(pipeline.All())
	if len(own) == 0 {
		t.Error("no pass is for one device")
	}
	if _, d := pipeline.Run(ctx, shared, program(1), ""); d != nil || len(ctx.Asked()) > 0 {
		t.Errorf("%v, %v", d, len(ctx.Asked()) > 0)
	}
	if _, d := pipeline.Run(ctx, []pipeline.Step{asks}, program(1), ""); d != nil || len(ctx.Asked()) == 0 {
		t.Errorf("%v, %v", d, len(ctx.Asked()) > 0)
	}
}
