package conformance

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skald/runtime/value"
)

// TestResultsAgreeWithFigures compares results with the figures that an index has of them.
func TestResultsAgreeWithFigures(t *testing.T) {
	dir := t.TempDir()
	index := "program,entry,case,out_stats\n" +
		`a/b.fut,main,2,"[{""type"":""i32"",""shape"":[2,2],""sum"":6442450939,""min"":-2,""max"":2147483647,` +
		`""at"":[[1,-2],[3,2147483647]]}]"` + "\n" +
		`a/b.fut,main,3,"[{""type"":""f32"",""shape"":[2],""sum"":3000001.0,""min"":0.5,""max"":3000000.0,""at"":[[0,0.5]]}]"` + "\n" +
		`a/b.fut,main,4,"[{""type"":""bool"",""shape"":[2]}]"` + "\n"
	if err := os.WriteFile(filepath.Join(dir, "index.csv"), []byte(index), 0o600); err != nil {
		t.Fatal(err)
	}
	ints := func(a, b, c, d int32) value.Value { return value.FromSlice([]int32{a, b, c, d}, 2, 2) }
	for _, c := range []struct {
		n    int
		got  value.Value
		want string
	}{
		{2, ints(2147483647, -2, 2147483647, 2147483647), ""},
		{2, ints(2147483647, 2147483647, -2, 2147483647), "the element 1 is 2147483647i32, but -2i32 is expected"},
		{2, ints(2147483647, -2, 2147483646, 2147483647), "the sum is 6442450938, but 6442450939 is expected"},
		{2, ints(2147483647, -3, 2147483647, 2147483647), "the least element"},
		{2, ints(7, -2, 7, 7), "the greatest element"},
		{2, value.FromSlice([]int32{1, 2, 3, 4}), "a value of type [4]i32"},
		{3, value.FromSlice([]float32{0.5004, 3000100}), ""},
		{3, value.FromSlice([]float32{0.6, 3000000}), "the least element"},
	} {
		figures, ok, err := indexFigures(dir, "a/b.fut", c.n)
		if err != nil || !ok {
			t.Fatal(ok, err)
		}
		msg := compareFigures([]value.Value{c.got}, figures)
		if (msg == "") != (c.want == "") || !strings.Contains(msg, c.want) {
			t.Errorf("%v: %q, wanted %q", c.got, msg, c.want)
		}
	}
	for _, n := range []int{1, 4} {
		if _, ok, err := indexFigures(dir, "a/b.fut", n); ok || err != nil {
			t.Errorf("case %d has figures, or fails: %v", n, err)
		}
	}
}

// Sums of integers are exact beyond 64 bits, and bounds pass over what is not a number.
func TestMeasures(t *testing.T) {
	const most, least = math.MaxInt64, math.MinInt64
	for _, c := range []struct {
		v                value.Value
		least, most, sum string
	}{
		{value.FromSlice([]int64{most, most, 3}), "3i64", "9223372036854775807i64", "18446744073709551617"},
		{value.FromSlice([]int64{least, least, least, 1}), "-9223372036854775808i64", "1i64", "-27670116110564327423"},
		{value.FromSlice([]int8{-128, 127, -128}), "-128i8", "127i8", "-129"},
		{value.FromSlice([]int16{}), "0i16", "0i16", "0"},
		{value.FromSlice([]float32{2, float32(math.NaN()), -1}), "-1.0f32", "2.0f32", "NaN"},
		{value.FromSlice([]value.Half{0x3c00, 0xc000}), "-2.0f16", "1.0f16", "-1"},
	} {
		m := measure(c.v)
		sum := m.whole().String()
		if c.v.Elem().IsFloat() {
			sum = fmt.Sprint(m.sum)
		}
		if m.least.String() != c.least || m.most.String() != c.most || sum != c.sum {
			t.Errorf("%v: from %v to %v, sum %s", c.v, m.least, m.most, sum)
		}
	}
}
