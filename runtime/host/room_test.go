package host_test

import (
	"slices"
	"strings"
	"testing"

	"skald/middle/imp"
	"skald/runtime/device"
)

// roomy launches a kernel with workgroup memory for n numbers; behind a read, which ends a rehearsal, it does so for 1, 2, … n times 300.
const roomy = `entry "main" main "" {
  param "n" "i64" -1 (0: i64)
  param "xs" "[m]i32" -1 (2: [param 1]i32)
}
kernel one(n_1: idx, write @xs_0: i32) group 8 room 16000 {
  shared @a_1: i32[room]
}
kernel again(n_1: idx, write @xs_0: i32) group 8 room 16000 {
  shared @a_1: i32[room]
}
fun main(n_1: i64, m_2: i64, xs_3: block) -> () {
  alloc xs_9: i32[m_2]
  launch one<1:i64>(conv.i64.idx(n_1)) blocks(xs_9) room(n_1) fits(n_1)
  read x_6: i32 = xs_9[0:i64]
  let n_7: i64 = select.i64(eq.i32(x_6, 0:i32), n_1, 0:i64)
  for i_5: i64 < n_7 {
    let size_8: i64 = mul.i64(add.i64(i_5, 1:i64), 300:i64)
    launch again<1:i64>(conv.i64.idx(n_1)) blocks(xs_9) room(size_8) fits(n_1)
  }
}
`

// sizes are those of the workgroup arrays of a kernel in all forms that were compiled.
func (d *compiling) sizes(t *testing.T, name string) []int {
	t.Helper()
	var out []int
	for _, s := range d.compiled {
		if s.Name != name {
			continue
		}
		p, err := imp.Parse(s.Source)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, p.Kernels[0].Mems[1].Count)
	}
	return out
}

// A call's sizes are rounded up before it starts; a loop whose sizes nobody knew then has one form, with all memory.
func TestALoopMakesNoFormForEachSize(t *testing.T) {
	dev := newCompiling()
	p := loadNarrow(t, dev, roomy)
	for _, n := range []int64{10, 13, 10} {
		if err := callGuarded(p, n); err != nil {
			t.Fatal(err)
		}
	}
	if got := dev.sizes(t, "one"); !slices.Equal(got, []int{256}) {
		t.Errorf("forms of %v elements", got)
	}
	if got := dev.sizes(t, "again"); !slices.Equal(got, []int{4000}) {
		t.Errorf("forms of %v elements in the loop", got)
	}
}

// A kernel has few forms, whatever sizes come.
func TestAKernelHasAtMostEightRooms(t *testing.T) {
	dev := newCompiling()
	one, _, _ := strings.Cut(roomy, "  read x_6")
	p := loadNarrow(t, dev, strings.ReplaceAll(one, "room 16000", "room 4000000")+"}\n")
	for n := int64(1); n < 900_000; n = n*5/3 + 1 {
		if err := callGuarded(p, n); err != nil {
			t.Fatal(err)
		}
	}
	got := dev.sizes(t, "one")
	if len(got) > 9 || !slices.IsSorted(got) || got[len(got)-1] != 1_000_000 {
		t.Errorf("forms of %v elements", got)
	}
}

// A device that takes sizes with each launch gets them, and one text.
func TestSizesGoWithTheLaunchWhereTheDeviceTakesThem(t *testing.T) {
	f := device.NullFacts()
	f.SizesAtLaunch = true
	dev := &compiling{Recorder: device.NewRecorder(f)}
	p := loadNarrow(t, dev, roomy)
	if err := callGuarded(p, 3); err != nil {
		t.Fatal(err)
	}
	if got := dev.sizes(t, "again"); !slices.Equal(got, []int{0}) {
		t.Errorf("forms of %v elements", got)
	}
	if want := []int{12, 1200, 2400, 3600}; !slices.Equal(dev.shared, want) {
		t.Errorf("launches ask for %v bytes, not %v", dev.shared, want)
	}
}
