package host_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"skald/runtime/cpu"
	"skald/runtime/device"
	"skald/runtime/prim"
	"skald/runtime/value"
)

// fetcher notes how many launches there were when a reading began.
type fetcher struct {
	*cpu.Device
	at []int64
}

func (f *fetcher) Fetch(regions ...device.Region) (device.Fetch, error) {
	f.at = append(f.at, f.Stats().Launches)
	return f.Device.Fetch(regions...)
}

// early computes with blocks of three numbers, of which kernel add makes one from another and fails above 100.
const early = `site "a.fut:1:1" "too large" ()
site "a.fut:2:1" "refused" ()
entry "main" main "" {
  param "n" "i64" -1 (0: i64)
  result "" "i64" -1 (0: i64)
}
kernel add(k_1: i64, read @xs_0: i64, write @ys_1: i64) group 4 {
  if lt.idx(thread_id, 3:idx) {
    assert lt.i64(k_1, 100:i64) site 0 ()
    @ys_1[thread_id] = add.i64(@xs_0[thread_id], k_1)
  }
}
fun main(n_1: i64) -> (r_2) {
  alloc a_3: i64[3:i64]
  alloc b_4: i64[3:i64]
  alloc c_5: i64[3:i64]
  fill i64 a_3[0:i64], 3:i64 = 1:i64
  fill i64 b_4[0:i64], 3:i64 = 0:i64
  BODY
}
`

var earlyReadings = []struct {
	name, body string
	at         []int64 // launches before each reading that begins early
	waits      int64
	want       string
}{
	{
		"behind what writes it", "LAUNCH(n_1)(a_3, b_4)\n LAUNCH(n_1)(a_3, c_5)\n read x_6: i64 = b_4[0:i64]\n write i64 a_3[0:i64] = x_6\n" +
			"read r_2: i64 = a_3[0:i64]", []int64{1}, 2, "3i64",
	},
	{
		"not if it is written by another name", "let d_7: block = b_4\n LAUNCH(n_1)(a_3, b_4)\n LAUNCH(5:i64)(a_3, d_7)\n" +
			"read x_6: i64 = b_4[0:i64]\n write i64 a_3[0:i64] = x_6\n read r_2: i64 = a_3[0:i64]", nil, 2, "6i64",
	},
	{
		"not if its place is not known", "LAUNCH(n_1)(a_3, b_4)\n LAUNCH(n_1)(a_3, c_5)\n let i_8: i64 = sub.i64(n_1, 1:i64)\n" +
			"read x_6: i64 = b_4[i_8]\n write i64 a_3[0:i64] = x_6\n read r_2: i64 = a_3[0:i64]", nil, 2, "3i64",
	},
	{
		"before a branch", "LAUNCH(n_1)(a_3, b_4)\n if lt.i64(n_1, 9:i64) {\n LAUNCH(n_1)(a_3, c_5)\n }\n read x_6: i64 = b_4[0:i64]\n" +
			"write i64 a_3[0:i64] = x_6\n read r_2: i64 = a_3[0:i64]", []int64{1}, 2, "3i64",
	},
	{
		"in each round", "let r_2: i64 = 0:i64\n while lt.i64(r_2, 5:i64) {\n LAUNCH(n_1)(a_3, b_4)\n LAUNCH(n_1)(b_4, a_3)\n" +
			"LAUNCH(n_1)(b_4, c_5)\n read x_6: i64 = a_3[0:i64]\n r_2 = x_6\n }", []int64{2}, 2, "5i64",
	},
	{
		"two at once", "LAUNCH(n_1)(a_3, b_4)\n read x_6: i64 = a_3[0:i64]\n let y_7: i64 = add.i64(x_6, 1:i64)\n read z_8: i64 = b_4[0:i64]\n" +
			"write i64 a_3[0:i64] = add.i64(y_7, z_8)\n read r_2: i64 = a_3[0:i64]", nil, 2, "5i64",
	},
	{
		"a failure before", "LAUNCH(mul.i64(n_1, 90:i64))(a_3, b_4)\n LAUNCH(n_1)(a_3, c_5)\n read x_6: i64 = b_4[0:i64]\n" +
			"write i64 a_3[0:i64] = x_6\n read r_2: i64 = a_3[0:i64]", []int64{1}, 2, "too large",
	},
	{
		"a failure behind", "LAUNCH(n_1)(a_3, b_4)\n LAUNCH(mul.i64(n_1, 90:i64))(a_3, c_5)\n read x_6: i64 = b_4[0:i64]\n" +
			"write i64 a_3[0:i64] = x_6\n read r_2: i64 = a_3[0:i64]", []int64{1}, 2, "too large",
	},
	{
		"a failure behind, and one of the host", "LAUNCH(n_1)(a_3, b_4)\n LAUNCH(mul.i64(n_1, 90:i64))(a_3, c_5)\n" +
			"read x_6: i64 = b_4[0:i64]\n assert lt.i64(x_6, 0:i64) site 1 ()\n read r_2: i64 = a_3[0:i64]", []int64{1}, 2, "too large",
	},
}

func TestReadingsBeginWhereWhatTheyReadIsWritten(t *testing.T) {
	launch := func(text string) string {
		for _, k := range []string{"mul.i64(n_1, 90:i64)", "n_1", "5:i64"} {
			text = strings.ReplaceAll(text, "LAUNCH("+k+")", "launch add<1:i64>("+k+") blocks")
		}
		lines := strings.Split(text, "\n")
		for i, l := range lines {
			if strings.Contains(l, "launch add") {
				lines[i] = l + " fits()"
			}
		}
		return strings.Join(lines, "\n")
	}
	for _, c := range earlyReadings {
		t.Run(c.name, func(t *testing.T) {
			dev := &fetcher{Device: cpu.Open(cpu.Options{})}
			p := load(t, dev, strings.ReplaceAll(early, "BODY", launch(c.body)))
			for range 2 { // the second time there must be nothing left of the first
				before := dev.Stats()
				dev.at = nil
				got, err := p.Call("main", []value.Value{value.Scalar(prim.MakeI64(2))})
				text := fmt.Sprint(err)
				if err == nil {
					text = got[0].String()
				}
				if !strings.Contains(text, c.want) {
					t.Errorf("%s, wanted %s", text, c.want)
				}
				for i := range dev.at {
					dev.at[i] -= before.Launches
				}
				if !slices.Equal(dev.at, c.at) {
					t.Errorf("readings begin at %v, wanted %v", dev.at, c.at)
				}
				if n := dev.Stats().Syncs - before.Syncs; n != c.waits {
					t.Errorf("%d waits, wanted %d", n, c.waits)
				}
			}
		})
	}
}
