package lowering

import (
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"skald/compiler"
	"skald/middle/core"
	"skald/runtime/cpu"
	"skald/runtime/value"
	"skald/targets"
)

// checking is a device of a profile whose kernels are evaluated, and fail where accesses race.
func checking(t *testing.T, profile string) *targets.Device {
	t.Helper()
	d := targets.FindProfile(profile).Evaluated(cpu.Options{Races: true})
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

// Programs that share memory wrongly are found, on devices whose threads come in workgroups.
func TestRacesOfCoreProgramsAreFound(t *testing.T) {
	ar, err := txtar.ParseFile("testdata/races.txtar")
	if err != nil || len(ar.Files) == 0 {
		t.Fatal(err)
	}
	for _, f := range ar.Files {
		head, text, _ := strings.Cut(string(f.Data), "\n")
		want := strings.TrimPrefix(head, "-- ")
		for _, profile := range []string{"portable", "sm_90"} {
			t.Run(f.Name+" on "+profile, func(t *testing.T) {
				prog, err := core.Parse(text)
				if err != nil {
					t.Fatal(err)
				}
				if err := core.Verify(prog); err != nil {
					t.Fatal(err)
				}
				dev := checking(t, profile)
				low, err := compiler.FromCore(prog).Lower(dev.Model)
				if err != nil {
					t.Fatal(err)
				}
				p, err := compiler.LoadLow(low, dev)
				if err != nil {
					t.Fatal(err)
				}
				defer p.Close()
				_, err = p.Call("main", []value.Value{value.FromSlice(make([]int32, 10))})
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("%v, want %q", err, want)
				}
			})
		}
	}
}
