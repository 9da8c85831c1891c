package targets_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"skald/middle/imp"
	"skald/runtime/cpu"
	"skald/runtime/device"
	"skald/targets"
)

// Every target says all that is asked of one: names that nothing else has, a profile, and a printer that prints.
func TestTheTableIsComplete(t *testing.T) {
	p, err := imp.Parse("kernel k(n_1: idx, write @xs_0: i32) group 4 {\n  @xs_0[n_1] = 7:i32\n}")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]string{}
	unique := func(kind, name string) {
		if seen[kind+name] != "" || name == "" {
			t.Errorf("%s %q of %s is one of %s", kind, name, name, seen[kind+name])
		}
		seen[kind+name] = name
	}
	for i, target := range targets.All {
		unique("target", target.Name)
		for _, e := range target.Emits {
			unique("emit", e.Name)
			if targets.FindEmit(e.Name) != target {
				t.Errorf("%s is not found by %s", target.Name, e.Name)
			}
		}
		if target.Doc == "" || len(target.Profiles) == 0 || target.Open == nil || target.Find == nil {
			t.Errorf("%s lacks something: %+v", target.Name, target)
		}
		if (target.Bundled == "") != (target.Bundle == nil) {
			t.Errorf("%s: what is bundled, and how, are not said together", target.Name)
		}
		if targets.Find(target.Name) != targets.All[i] {
			t.Errorf("%s is not found by its names", target.Name)
		}
		for _, f := range target.Flags {
			unique("flag", f.Name)
			if !strings.HasPrefix(f.Name, target.Name+"-") || f.Doc == "" {
				t.Errorf("%s: the flag %s: %s", target.Name, f.Name, f.Doc)
			}
		}
		for _, profile := range target.Profiles {
			unique("profile", profile.Name)
			m := targets.FindProfile(profile.Name)
			if m == nil || m.Target != target {
				t.Fatalf("the profile %s is not found", profile.Name)
			}
			c, err := m.Print(p.Kernels[0])
			if err != nil || c.Source == "" || c.Entry == "" || len(c.Offsets) != 1 {
				t.Errorf("%s: %+v %v", profile.Name, c, err)
			}
		}
	}
	if targets.Find("basic") != nil || targets.FindEmit("") != nil || targets.FindProfile("basic") != nil {
		t.Error("a target that does not exist is found")
	}
}

// Kernels of the evaluator have workgroups whose threads wait for each other, which no language of processors has.
func TestKernelsOfTheEvaluatorAreEmittedAsTheyAre(t *testing.T) {
	p, err := imp.Parse("kernel k(n_1: idx, write @xs_0: i32) group 4 {\n  @xs_0[n_1] = 7:i32\n}")
	if err != nil {
		t.Fatal(err)
	}
	m := targets.FindProfile("cpu-evaluator")
	c, err := m.Emit(p.Kernels[0])
	if err != nil || c.Source != imp.PrintKernel(p.Kernels[0]) {
		t.Errorf("it is emitted as %+v: %v", c, err)
	}
	if m.Emitting("c") != nil || m.Emitting("wasm") != nil {
		t.Error("it is emitted in a language that needs a compiler")
	}
	if m = targets.FindProfile("cpu"); m.Emitting("c") == nil || m.Emitting("wasm") == nil || m.Emitting("wgsl") != nil {
		t.Error("a processor with a compiler has C and WebAssembly")
	}
}

// Recorded facts are read as they were printed, and kernels print for them.
func TestEveryProfileIsFound(t *testing.T) {
	p, err := imp.Parse("kernel k(n_1: idx, write @xs_0: i32) group 4 {\n  @xs_0[n_1] = 7:i32\n}")
	if err != nil {
		t.Fatal(err)
	}
	names := targets.ProfileNames()
	if len(names) < 7 {
		t.Errorf("profiles: %v", names)
	}
	for _, name := range targets.BuiltProfiles() {
		if !slices.Contains(names, name) {
			t.Errorf("%s is no profile", name)
		}
	}
	for _, name := range names {
		m := targets.FindProfile(name)
		if m == nil || m.Facts.MaxThreads == 0 || m.Facts.Units == 0 {
			t.Fatalf("the profile %s: %+v", name, m)
		}
		if _, err := m.Print(p.Kernels[0]); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		text, err := json.Marshal(targets.Recorded{Target: m.Target.Name, Facts: *m.Facts})
		if err != nil {
			t.Fatal(err)
		}
		var back targets.Recorded
		if err := json.Unmarshal(text, &back); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(*m.Facts, back.Facts); d != "" {
			t.Errorf("%s is read back differently: %s", name, d)
		}
	}
}

// Nobody can be refused: the last target opens everywhere.
func TestTheLastTargetAlwaysOpens(t *testing.T) {
	last := targets.All[len(targets.All)-1]
	d, err := last.Open(targets.Options{}, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
}

// A driver in software is the processor in a GPU's place, which runs slower than code that is compiled for it.
func TestAutoTakesNoDriverInSoftware(t *testing.T) {
	all := targets.All
	defer func() { targets.All = all }()
	last := all[len(all)-1]
	software := *last
	software.Name = "software"
	targets.All = []*targets.Target{&software, last}
	d, note, err := targets.Open(targets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close() //nolint:errcheck // nothing ran
	if d.Model.Target != last || note != "no device through software: its device is this processor" {
		t.Errorf("%s, %q", d.Model.Target.Name, note)
	}
}

func TestNamesOfDevicesThatDoNotExistAreErrors(t *testing.T) {
	for name, want := range map[string]string{
		"toaster":   `no device is called "toaster"; there are auto,`,
		"cpu:1":     "there is one cpu",
		"cpu:one":   `"one" is not the number of a device`,
		"webgpu:-1": `"-1" is not the number of a device`,
	} {
		if _, _, err := targets.Open(targets.Options{Name: name}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What belongs to one target has its file here: the packages that serve all targets do not name any, so that a new one needs no change
// of them.
func TestNoOtherLayerNamesATarget(t *testing.T) {
	names := regexp.MustCompile(`(?i)webgpu|wgsl|wgpu|cuda\b|nvrtc|\bdawn\b`)
	for _, folder := range []string{"..", "../cmd/skald", "../runtime/device"} {
		files, err := filepath.Glob(filepath.Join(folder, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatal("no files in", folder, err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for i, line := range strings.Split(string(text), "\n") {
				if name := names.FindString(line); name != "" {
					t.Errorf("%s:%d names %s: %s", file, i+1, name, strings.TrimSpace(line))
				}
			}
		}
	}
}

// A kernel whose arrays take all workgroup memory that lowering may use has room for the word that says whether a thread has failed.
func TestKernelsHaveRoomForTheirFailures(t *testing.T) {
	for _, name := range targets.ProfileNames() {
		m := targets.FindProfile(name)
		if m.Facts.WorkgroupMemory == 0 {
			continue // the evaluator has no bound
		}
		if l := m.Lowering; max(l.SharedBytes, l.WideBytes)+16 > m.Facts.WorkgroupMemory {
			t.Errorf("%s: %d and %d of %d bytes", name, l.SharedBytes, l.WideBytes, m.Facts.WorkgroupMemory)
		}
	}
}

func TestDevicesCoverSmallerProfilesOfTheirArchitecture(t *testing.T) {
	h200, sm90, sm80 := targets.FindProfile("h200-cuda"), targets.FindProfile("sm_90"), targets.FindProfile("sm_80")
	if !h200.Covers(sm90) || h200.Covers(sm80) || sm90.Covers(h200) {
		t.Errorf("an H200 covers sm_90 %v, sm_80 %v; sm_90 covers an H200 %v", h200.Covers(sm90), h200.Covers(sm80), sm90.Covers(h200))
	}
	for what, change := range map[string]func(*device.Facts){
		"less workgroup memory": func(f *device.Facts) { f.WorkgroupMemory /= 2 },
		"less memory":           func(f *device.Facts) { f.MaxBufferSize = 8 << 30 },
		"fewer bindings":        func(f *device.Facts) { f.MaxBindings = 8 },
		"no subgroups":          func(f *device.Facts) { f.Subgroups = false },
		"an older architecture": func(f *device.Facts) { f.Architecture = "sm_87" },
	} {
		f := *h200.Facts
		change(&f)
		if h200.Target.Model(&f).Covers(sm90) {
			t.Errorf("a device with %s covers sm_90", what)
		}
	}
	text, err := sm90.Record()
	if err != nil {
		t.Fatal(err)
	}
	read, err := targets.ReadModel(text)
	if err != nil || read.Key() != sm90.Key() || !h200.Covers(read) {
		t.Errorf("a recorded profile is another one: %v", err)
	}
	if web := targets.FindProfile("portable"); web.Covers(web) || h200.Covers(web) {
		t.Error("code for WebGPU is taken for another profile")
	}
}

// A launch of more workgroups than a GPU takes in a row runs where code for that GPU is evaluated, though the evaluator has no rows.
func TestEvaluatedDevicesTakeLaunchesInOneRow(t *testing.T) {
	d := targets.FindProfile("h200-wgpu").Evaluated(cpu.Options{})
	defer d.Close() //nolint:errcheck // nothing is under way
	if f := d.Facts(); f.MaxGroups[0] <= 1<<16 || f.MaxGroups[1] != 1 {
		t.Errorf("workgroups in each dimension: %v", f.MaxGroups)
	}
}
