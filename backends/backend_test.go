package backends_test

import (
	"testing"

	"skald/backends"
	"skald/middle/imp"
)

func TestEveryBackEndPrintsAKernel(t *testing.T) {
	p, err := imp.Parse("kernel k(n_1: idx, write @xs_0: i32) group 4 {\n  @xs_0[n_1] = 7:i32\n}")
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range backends.All {
		if backends.Find(b.Name) == nil {
			t.Errorf("%s is not found by its name", b.Name)
		}
		c, err := b.Print(p.Kernels[0], backends.Options{})
		if err != nil || c.Source == "" || c.Entry == "" || len(c.Offsets) != 1 {
			t.Errorf("%s: %+v %v", b.Name, c, err)
		}
	}
	if backends.Find("basic") != nil {
		t.Error("a back end that does not exist is found")
	}
}

func TestParametersUnpackAsTheyWerePacked(t *testing.T) {
	p, err := imp.Parse("kernel k(a_1: i8, b_2: u64, c_3: f16, d_4: bool, e_5: idx, f_6: f64) group 1 {\n}")
	if err != nil {
		t.Fatal(err)
	}
	k := p.Kernels[0]
	args := []uint64{^uint64(4), 1 << 63, 0x3c01, 1, ^uint64(8), 0x3ff0000000000001}
	for _, wide := range []bool{false, true} {
		c := &imp.Code{Wide: wide}
		c.Layout(k)
		b := c.Pack(k, args, 70000)
		if len(b)%16 != 0 {
			t.Errorf("a block of %d bytes", len(b))
		}
		got, groups := c.Unpack(k, b)
		for i := range args {
			if got[i] != args[i] {
				t.Errorf("wide %t: argument %d is %#x, not %#x", wide, i, got[i], args[i])
			}
		}
		if groups != 70000 {
			t.Errorf("%d workgroups", groups)
		}
	}
}
