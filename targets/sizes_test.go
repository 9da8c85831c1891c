package targets

import (
	"cmp"
	"testing"
)

func TestSizesTakeThePlaceOfFacts(t *testing.T) {
	for _, c := range []struct {
		profile           string
		sizes             Sizes
		groupSize, groups int
		threshold         int
		wrong             bool
	}{
		{profile: "h200-wgpu", sizes: Sizes{GroupSize: 100}, groupSize: 64},
		{profile: "h200-wgpu", sizes: Sizes{GroupSize: 1 << 20}, groupSize: 1024},
		{profile: "h200-wgpu", sizes: Sizes{Groups: 7, Threshold: 5}, groups: 7, threshold: 5},
		{profile: "h200-wgpu", sizes: Sizes{Groups: -7}, wrong: true},
		{profile: "cpu", sizes: Sizes{Threshold: 5}, threshold: 5},
		{profile: "cpu", sizes: Sizes{GroupSize: 64}, wrong: true},
	} {
		m, usual := FindProfile(c.profile), FindProfile(c.profile)
		if err := c.sizes.set(m); (err != nil) != c.wrong {
			t.Errorf("%+v on %s: %v", c.sizes, c.profile, err)
		} else if c.wrong {
			continue
		}
		f, want := m.Lowering, usual.Lowering
		want.GroupSize, want.Groups = cmp.Or(c.groupSize, want.GroupSize), cmp.Or(c.groups, want.Groups)
		want.Threshold = cmp.Or(c.threshold, want.Threshold)
		if f.GroupSize != want.GroupSize || f.Groups != want.Groups || f.Threshold != want.Threshold {
			t.Errorf("%+v on %s: %+v", c.sizes, c.profile, f)
		}
		if f.WideGroup < f.GroupSize || m.Covers(usual) || m.Key() == usual.Key() {
			t.Errorf("%+v on %s is taken for the usual model", c.sizes, c.profile)
		}
	}
}
