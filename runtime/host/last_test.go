package host_test

import (
	"fmt"
	"strings"
	"testing"

	"skald/middle/imp"
	"skald/runtime/cpu"
	"skald/runtime/prim"
	"skald/runtime/value"
)

// counted returns an array of the first numbers, its last element, twice that, and what is behind it.
const counted = `entry "main" main "" {
  param "n" "i64" -1 (0: i64)
  result "" "[]i64" -1 (0: SIZE)
  result "" "i64" -1 (1: i64)
  result "" "i64" -1 (2: i64)
}
kernel count(n_1: idx, write @xs_0: i64) group 8 {
  if lt.idx(thread_id, n_1) {
    @xs_0[thread_id] = conv.idx.i64(thread_id)
  }
}
fun main(n_1: i64) -> (xs_2, m_3, t_4) {
  alloc xs_2: i64[n_1]
  alloc ys_5: i64[n_1]
  launch count<div.i64(add.i64(n_1, 7:i64), 8:i64)>(conv.i64.idx(n_1)) blocks(xs_2) fits(n_1)
  launch count<div.i64(add.i64(n_1, 7:i64), 8:i64)>(conv.i64.idx(n_1)) blocks(ys_5) fits(n_1)
  LAST
}
`

// readLast reads the last element.
const readLast = "read m_3: i64 = ys_5[sub.i64(n_1, 1:i64)]\n  "

var lastReadings = []struct {
	name, last, size string
	waits            int
	want             string
}{
	{"a reading", readLast + "free ys_5\n  let t_4: i64 = mul.i64(m_3, 2:i64)", "[param 0]", 1, "[0i64, 1i64, 2i64] 2i64 4i64"},
	{"two at once", readLast + "read t_4: i64 = ys_5[0:i64]\n  free ys_5", "[param 0]", 1, "[0i64, 1i64, 2i64] 2i64 0i64"},
	{"two, of which one leads to the other", readLast + "read t_4: i64 = xs_2[m_3]", "[param 0]", 2, "[0i64, 1i64, 2i64] 2i64 2i64"},
	{
		"in a branch",
		"let t_4: i64 = 7:i64\n  let m_3: i64 = 5:i64\n  if lt.i64(0:i64, n_1) {\n    read r_6: i64 = ys_5[0:i64]\n    m_3 = r_6\n  }",
		"[param 0]", 1, "[0i64, 1i64, 2i64] 0i64 7i64",
	},
	{
		"in a loop", "let t_4: i64 = 7:i64\n  let m_3: i64 = 0:i64\n  for i_7: i64 < 2:i64 {\n    read r_6: i64 = ys_5[m_3]\n    m_3 = r_6\n  }",
		"[param 0]", 3, "[0i64, 1i64, 2i64] 0i64 7i64",
	},
	{
		"in a loop, at its counter",
		"let t_4: i64 = 7:i64\n  let m_3: i64 = 5:i64\n  for i_7: i64 < 2:i64 {\n    read r_6: i64 = ys_5[i_7]\n    m_3 = r_6\n  }",
		"[param 0]", 2, "[0i64, 1i64, 2i64] 1i64 7i64",
	},
	{"a size", readLast + "let t_4: i64 = 1:i64", "[result 1]", 2, "[0i64, 1i64] 2i64 1i64"},
	{"a size that is computed before", readLast + "let t_4: i64 = 1:i64", "[2]", 1, "[0i64, 1i64] 2i64 1i64"},
	{
		"something is written behind", readLast + "write i64 xs_2[0:i64] = m_3\n  let t_4: i64 = 1:i64", "[param 0]", 2,
		"[2i64, 1i64, 2i64] 2i64 1i64",
	},
	{"the array is another behind", readLast + "let t_4: i64 = 1:i64\n  xs_2 = ys_5", "[param 0]", 2, "[0i64, 1i64, 2i64] 2i64 1i64"},
}

// Where host code reads a scalar and then only computes, the arrays whose sizes are known come with it; others come after it.
func TestResultsComeWithTheLastReading(t *testing.T) {
	for _, c := range lastReadings {
		t.Run(c.name, func(t *testing.T) {
			dev := cpu.Open(cpu.Options{})
			p := load(t, dev, strings.NewReplacer("LAST", c.last, "SIZE", c.size+"i64").Replace(counted))
			args := []value.Value{value.Scalar(prim.MakeI64(3))}
			before := dev.Stats()
			got, err := p.Call("main", args)
			if err != nil {
				t.Fatal(err)
			}
			if text := fmt.Sprint(got[0], got[1], got[2]); text != c.want {
				t.Errorf("%s, wanted %s", text, c.want)
			}
			after := dev.Stats()
			if n := int(after.Syncs - before.Syncs); n != c.waits {
				t.Errorf("%d waits, wanted %d", n, c.waits)
			}
			if after.InUse > before.InUse+4*imp.FailureWords {
				t.Errorf("%d bytes stay in use", after.InUse-before.InUse)
			}
			a, err := p.Upload("main", args)
			if err != nil {
				t.Fatal(err)
			}
			r, err := p.RunLast(t.Context(), a)
			if err != nil {
				t.Fatal(err)
			}
			streams, err := p.Streams(r)
			if err != nil {
				t.Fatal(err)
			}
			if v, err := streams[0].Value(); err != nil || v.String() != got[0].String() {
				t.Errorf("streamed: %v, %v", v, err)
			}
			if n := int(dev.Stats().Syncs - after.Syncs); n != c.waits {
				t.Errorf("the last run waits %d times, wanted %d", n, c.waits)
			}
			p.FreeResults(r)
			p.FreeArgs(a)
		})
	}
}

// A check behind the last reading may refuse the size that a result would have.
func TestResultsThatAreRefusedAreNotRead(t *testing.T) {
	dev := cpu.Open(cpu.Options{})
	last := readLast + "assert lt.i64(m_3, 0:i64) site 0 ()\n  let t_4: i64 = 1:i64"
	p := load(t, dev, "site \"a.fut:1:1\" \"too long\" ()\n"+strings.NewReplacer("LAST", last, "SIZE", "[1000]i64").Replace(counted))
	if _, err := p.Call("main", []value.Value{value.Scalar(prim.MakeI64(3))}); err == nil || !strings.Contains(err.Error(), "too long") {
		t.Errorf("%v, not the check's message", err)
	}
}
