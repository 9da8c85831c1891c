package main

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"

	"skald/runtime/device"
	"skald/runtime/webgpu"
	"skald/testsuite/depth"
)

// Software drivers compute the kernels as they should: it is not the kernels that are wrong where others do not.
func TestSoftwareDriversDeviateNowhere(t *testing.T) {
	depth.Need(t, depth.Full)
	for _, library := range []string{"wgpu-native", "dawn"} {
		d, err := webgpu.Open(webgpu.Options{Library: library, Driver: "lavapipe"})
		if errors.Is(err, device.NoLibrary) || errors.Is(err, device.NoAdapter) {
			t.Skip("SKIPPED: ", err)
		} else if err != nil {
			t.Fatal(err)
		}
		defer d.Close() //nolint:errcheck // all results are in
		for _, v := range chosen(regexp.MustCompile(`^flags|^lookback/.*/256x4|^ballots/.*/4`), d.Facts().SubgroupSize) {
			said := v.outcome(d)
			if lacking := strings.Contains(said, "unresolved type") && library == "dawn"; said != "right" && !lacking {
				t.Errorf("%s: %s: %s", library, v.name, said)
			}
		}
	}
}

func TestAWrongResultIsToldWithItsFirstWords(t *testing.T) {
	v := variant{want: []uint32{1, 2, 3}}
	if said := v.judge([]uint32{1, 2, 3}); said != "right" {
		t.Error(said)
	}
	if said := v.judge([]uint32{1, 5, 3}); !strings.Contains(said, "WRONG: 1 of 3; [1] is 5, not 2") {
		t.Error(said)
	}
}

// The processes that share the work go by numbers, so all of them must see the same variants.
func TestVariantsAreTheSameForAllSubgroups(t *testing.T) {
	names := func(lanes int) []string {
		var out []string
		for _, v := range variants(lanes) {
			out = append(out, v.name)
		}
		return out
	}
	few, many := names(0), names(32)
	if !slices.Equal(few, many) || len(slices.Compact(many)) != len(few) {
		t.Errorf("%v\n%v", few, many)
	}
}
