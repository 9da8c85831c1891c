package targets

import (
	"cmp"
	"strings"
	"testing"
)

func TestSizesTakeThePlaceOfFacts(t *testing.T) {
	for _, c := range []struct {
		profile           string
		sizes             Sizes
		groupSize, groups int
		threshold         int
		wrong             string
	}{
		{profile: "h200-wgpu", sizes: Sizes{GroupSize: 100}, groupSize: 64},
		{profile: "h200-wgpu", sizes: Sizes{GroupSize: 1 << 20}, groupSize: 1024},
		{profile: "h200-wgpu", sizes: Sizes{Groups: 7, Threshold: 5}, groups: 7, threshold: 5},
		{profile: "h200-wgpu", sizes: Sizes{Groups: -7}, wrong: "default_num_thread_blocks is a positive number, not -7"},
		{profile: "h200-wgpu", sizes: Sizes{Tile: 33, RegTile: 2, SeqFactor: 3}},
		{profile: "h200-wgpu", sizes: Sizes{Tile: 64}, wrong: "tiles of 64 by 64 threads are too large: workgroups of the device have 1024"},
		{profile: "portable", sizes: Sizes{Tile: 32}, wrong: "tiles of 32 by 32 threads are too large: workgroups of the device have 256"},
		{profile: "portable", sizes: Sizes{Tile: 16, RegTile: 8}, wrong: "take 16896 bytes of workgroup memory, of which the device has 163"},
		{profile: "h200-cuda", sizes: Sizes{RegTile: 16}, wrong: "a thread has at most 8 by 8 points of a tile, not 16 by 16"},
		{profile: "portable", sizes: Sizes{SeqFactor: 32}, wrong: "workgroups whose threads take 32 elements each need more workgroup memory"},
		{profile: "cpu", sizes: Sizes{Tile: 8}, wrong: "there are no workgroups on the processor"},
		{profile: "cpu", sizes: Sizes{Threshold: 5}, threshold: 5},
		{profile: "cpu", sizes: Sizes{GroupSize: 64}, wrong: "there are no workgroups on the processor"},
	} {
		m, usual := FindProfile(c.profile), FindProfile(c.profile)
		switch err := c.sizes.set(m); {
		case c.wrong == "" && err != nil, c.wrong != "" && (err == nil || !strings.Contains(err.Error(), c.wrong)):
			t.Errorf("%+v on %s: %v", c.sizes, c.profile, err)
			continue
		case err != nil:
			continue
		}
		f, want := m.Lowering, usual.Lowering
		want.GroupSize, want.Groups = cmp.Or(c.groupSize, want.GroupSize), cmp.Or(c.groups, want.Groups)
		want.Threshold = cmp.Or(c.threshold, want.Threshold)
		if f.GroupSize != want.GroupSize || f.Groups != want.Groups || f.Threshold != want.Threshold {
			t.Errorf("%+v on %s: %+v", c.sizes, c.profile, f)
		}
		if f.Tile != powerUpTo(c.sizes.Tile, 0) && c.sizes.Tile > 0 || f.RegTile != c.sizes.RegTile || f.SeqFactor != c.sizes.SeqFactor {
			t.Errorf("%+v on %s: %+v", c.sizes, c.profile, f)
		}
		if f.WideGroup < f.GroupSize || m.Covers(usual) || m.Key() == usual.Key() {
			t.Errorf("%+v on %s is taken for the usual model", c.sizes, c.profile)
		}
	}
}

// A file beside a program may be for another device: what a processor has not is passed over, and tiles that do not fit a GPU, and options
// win.
func TestTunedSizesYieldToOptions(t *testing.T) {
	dev := &Device{Model: FindProfile("h200-wgpu")}
	o := Options{Sizes: Sizes{Tile: 8}, Tuned: Sizes{Tile: 16, RegTile: 2}}
	sized, err := o.sized(dev)
	if err != nil || sized.Model.Sizes != (Sizes{Tile: 8, RegTile: 2}) || sized.Model.Lowering.Tile != 8 {
		t.Errorf("sizes are %+v: %v", sized.Model.Sizes, err)
	}
	if dev.Model.Sizes != (Sizes{}) || dev.Model.Lowering.Tile != 0 {
		t.Error("the device itself has changed")
	}
	dev = &Device{Model: FindProfile("cpu")}
	if sized, err = dev.Tuned(Sizes{Tile: 8, Threshold: 9}); err != nil || sized.Model.Sizes != (Sizes{Threshold: 9}) {
		t.Errorf("the processor has %+v: %v", sized.Model.Sizes, err)
	}
	dev = &Device{Model: FindProfile("portable")}
	if sized, err = dev.Tuned(Sizes{Tile: 32, GroupSize: 64}); err != nil || sized.Model.Sizes != (Sizes{GroupSize: 64}) {
		t.Errorf("a small GPU has %+v: %v", sized.Model.Sizes, err)
	}
}

func TestSizesAreTakenFromTuningFiles(t *testing.T) {
	var s Sizes
	rest, err := s.Take("main.suff_outer_par_0=3\n default_tile_size = 16\ndefault_group_size=128\n\ndefault_seq_factor=4")
	want := Sizes{Tile: 16, GroupSize: 128, SeqFactor: 4}
	if err != nil || s != want || rest != "main.suff_outer_par_0=3\n\n\n\n" {
		t.Errorf("%+v are taken, and %q is left: %v", s, rest, err)
	}
	for _, text := range []string{"\ndefault_tile_size=big", "\ndefault_tile_size=0", "\ndefault_tile_size"} {
		if _, err := s.Take(text); err == nil || !strings.HasPrefix(err.Error(), "2: default_tile_size is a positive number, not ") {
			t.Errorf("%q: %v", text, err)
		}
	}
}
