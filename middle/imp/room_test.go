package imp_test

import (
	"slices"
	"testing"

	"skald/middle/imp"
)

// sized is a kernel with arrays of f32 and, if n is 2, of i64 and i8, whose sizes launches give, in so much room.
func sized(t *testing.T, arrays, room string) *imp.Kernel {
	t.Helper()
	p, err := imp.Parse("kernel k() group 1 room " + room + " {\n" + arrays + "}")
	if err != nil {
		t.Fatal(err)
	}
	if err := imp.Verify(p); err != nil {
		t.Fatal(err)
	}
	return p.Kernels[0]
}

const (
	oneSized  = "  shared @x_0: f32[room]\n"
	twoSized  = oneSized + "  shared @y_1: i64[room]\n"
	tinySized = oneSized + "  shared @y_1: i8[room]\n"
)

// Sizes are rounded up to powers of two, and from 16 KiB to those between, 1 KiB at least, from 4 KiB with a sixteenth more, too; together
// they are no more than there is.
func TestSizesOfArraysAreRoundedUpToFew(t *testing.T) {
	for _, c := range []struct {
		arrays, room string
		need, want   []int64
	}{
		{oneSized, "49120", []int64{0}, []int64{256}},
		{oneSized, "49120", []int64{256}, []int64{256}},
		{oneSized, "49120", []int64{257}, []int64{512}},
		{oneSized, "49120", []int64{2049}, []int64{2176}},        // 8.5 KiB
		{oneSized, "49120", []int64{2177}, []int64{4096}},        // 16 KiB
		{oneSized, "49120", []int64{4353}, []int64{6144}},        // 24 KiB
		{oneSized, "49120", []int64{8193}, []int64{8704}},        // 34 KiB
		{oneSized, "49120", []int64{8705}, []int64{12280}},       // all there is
		{twoSized, "49120", []int64{100, 65}, []int64{128, 128}}, // 512 bytes and 1 KiB
		{tinySized, "49120", []int64{1, 129}, []int64{128, 256}}, // a word each
		{twoSized, "49120", []int64{6400, 2300}, []int64{6932, 2674}},
		{twoSized, "49120", []int64{1, 6100}, nil}, // No sixteenth is to spare: that there is room is checked below.
	} {
		k := sized(t, c.arrays, c.room)
		got := k.RoomFor(c.need)
		if c.want != nil && !slices.Equal(got, c.want) {
			t.Errorf("%v elements: room for %v, not %v", c.need, got, c.want)
		}
		bytes := 0
		for i, m := range imp.InRoom(k, got).Mems {
			if got[i] < c.need[i] {
				t.Errorf("%v elements: room for %v", c.need, got)
			}
			bytes += m.Count * max(m.Elem.Size(), 4)
		}
		if bytes > k.Room+imp.RoomAlign*len(got) {
			t.Errorf("%v elements: %v take %d of %d bytes", c.need, got, bytes, k.Room)
		}
	}
}

// A kernel's form for constant sizes has none that launches give.
func TestAFormInARoomHasConstantSizes(t *testing.T) {
	k := sized(t, twoSized, "1000")
	for _, form := range []*imp.Kernel{imp.LargestRoom(k), imp.InRoom(k, []int64{3, 0})} {
		if err := imp.VerifyKernel(form); err != nil || form.Room != 0 || len(form.Sized()) != 0 {
			t.Errorf("%v:\n%s", err, imp.PrintKernel(form))
		}
	}
	if n := len(k.Sized()); n != 2 {
		t.Errorf("the kernel itself has %d sized arrays", n)
	}
}

// What launches cannot give a size to is refused.
func TestSizedArraysAreVerified(t *testing.T) {
	for _, text := range []string{
		"kernel k() group 1 {\n  shared @x_0: f32[room]\n}",
		"kernel k() group 1 room 64 {\n  private @x_0: f32[room]\n}",
		"kernel k() group 1 room 64 {\n  shared @x_0: f32[room]\n}\nfun main() -> () {\n  launch k<1:i64>() blocks() fits()\n}",
		"kernel k() group 1 {\n}\nfun main() -> () {\n  launch k<1:i64>() blocks() room(4:i64) fits()\n}",
		"kernel k() group 1 room 64 {\n  shared @x_0: f32[room]\n}\nfun main() -> () {\n  launch k<1:i64>() blocks() room(4:i32) fits()\n}",
	} {
		p, err := imp.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if imp.Verify(p) == nil {
			t.Errorf("verifies:\n%s", text)
		}
	}
}
