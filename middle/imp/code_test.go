package imp_test

import (
	"slices"
	"testing"

	"skald/middle/imp"
)

func TestParametersUnpackAsTheyWerePacked(t *testing.T) {
	p, err := imp.Parse("kernel k(a_1: i8, b_2: u64, c_3: f16, d_4: bool, e_5: idx, f_6: f64) group 1 room 100 {\n" +
		"  shared @x_0: f32[room]\n  shared @y_1: i8[room]\n}")
	if err != nil {
		t.Fatal(err)
	}
	k := p.Kernels[0]
	args := []uint64{^uint64(4), 1 << 63, 0x3c01, 1, ^uint64(8), 0x3ff0000000000001}
	for _, wide := range []bool{false, true} {
		c := &imp.Code{Wide: wide}
		c.Layout(k)
		b := c.Pack(k, args, 70000, 9, 17)
		if len(b)%16 != 0 {
			t.Errorf("a block of %d bytes", len(b))
		}
		got, groups, room := c.Unpack(k, b)
		for i := range args {
			if got[i] != args[i] {
				t.Errorf("wide %t: argument %d is %#x, not %#x", wide, i, got[i], args[i])
			}
		}
		if !slices.Equal(room, []int64{9, 17}) {
			t.Errorf("arrays of %v elements", room)
		}
		if groups != 70000 {
			t.Errorf("%d workgroups", groups)
		}
	}
}

func TestLaunchesAskForWholeWords(t *testing.T) {
	p, err := imp.Parse("kernel k() group 1 room 33 {\n  shared @x_0: i8[room]\n  shared @y_1: i8[room]\n}\nkernel fixed() group 1 {\n}")
	if err != nil {
		t.Fatal(err)
	}
	c := &imp.Code{Shared: 5}
	c.Layout(p.Kernels[0])
	if got := c.Dynamic(p.Kernels[0], []int64{9, 17}); got != 16+16+20 {
		t.Errorf("%d bytes", got)
	}
	if got := c.MostDynamic(p.Kernels[0]); got != 16+16+36 {
		t.Errorf("at most %d bytes", got)
	}
	c.Layout(p.Kernels[1])
	if got, most := c.Dynamic(p.Kernels[1], nil), c.MostDynamic(p.Kernels[1]); got != 8 || most != 8 {
		t.Errorf("%d bytes, at most %d, without sized arrays", got, most)
	}
}
