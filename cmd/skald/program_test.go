package main

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"skald/compiler"
	"skald/frontend/check"
	"skald/runtime/bundle"
	"skald/runtime/prim"
	"skald/runtime/value"
)

// compileText returns the bundle of a program.
func compileText(t *testing.T, text string) bundle.Bundle {
	t.Helper()
	prog, sink, ok := compiler.Check("a.fut", compiler.CheckOptions{Loader: check.Files{"a.fut": text}})
	if !ok {
		t.Fatal(sink.Sorted()[0].Message)
	}
	compiled, d := compiler.Compile(prog, compiler.CompileOptions{DumpDir: t.TempDir()})
	if d != nil {
		t.Fatal(d.Message)
	}
	return compiled.Bundle()
}

// runText runs an entry point of a bundle on the CPU.
func runText(b bundle.Bundle, entry string, binary bool, in string) (string, error) {
	f := programFlags{entry: entry, runs: 1, binary: binary, device: compiler.DeviceOptions{Name: "cpu"}}
	var out bytes.Buffer
	err := f.run(context.Background(), b, strings.NewReader(in), &out)
	return out.String(), err
}

// Scalars, arrays, arrays of arrays and empty arrays of every type are written as they were read, in text and in binary.
func TestEveryTypeIsReadAndWrittenInTextAndBinary(t *testing.T) {
	var text strings.Builder
	for _, p := range prim.AllTypes() {
		fmt.Fprintf(&text, "entry of_%[1]v [n][m] (x: %[1]v) (xs: [n]%[1]v) (xss: [m][n]%[1]v) = (x, xs, xss)\n", p)
	}
	b := compileText(t, text.String())
	for _, p := range prim.AllTypes() {
		entry := "of_" + p.String()
		for _, values := range samplesOf(p) {
			asBinary, err := runText(b, entry, true, values)
			if err != nil {
				t.Errorf("%s of %s: %v", entry, values, err)
				continue
			}
			if n := strings.Count(asBinary, "b\x02"); n < 3 {
				t.Errorf("%s: %d values in binary: %q", entry, n, asBinary)
			}
			asText, err := runText(b, entry, false, asBinary)
			if err != nil || strings.ReplaceAll(asText, "\n", " ") != values {
				t.Errorf("%s: %s came back as %s, %v", entry, values, asText, err)
			}
		}
	}
}

// samplesOf returns arguments of a type as text: its extremes, and arrays without elements.
func samplesOf(p prim.Type) []string {
	low, high, one := prim.Lowest(p), prim.Highest(p), prim.One(p)
	row := value.New(p, 2)
	row.Set(0, low)
	row.Set(1, high)
	return []string{
		fmt.Sprintf("%v %v [%v] ", one, row, row),
		fmt.Sprintf("%v empty([0]%v) empty([3][0]%v) ", high, p, p),
	}
}

// What is wrong with an input is said with its place and what was wanted there.
func TestMalformedInputIsRefusedWithItsPlace(t *testing.T) {
	b := compileText(t, "def main [n] (x: f32) (xs: [n]i32) (yss: [n][2]bool) : bool = f32.isnan x || n == length yss && xs[0] == 0\n")
	for _, c := range []struct{ in, want string }{
		{"", "argument 1 (x: f32): the input ends where a value of type f32 is wanted"},
		{"1f32", "argument 2 (xs: [n]i32): the input ends where a value of type []i32 is wanted"},
		{"one", `argument 1 (x: f32): 1:1 (byte 0): expected an f32, found "one"`},
		{"1f64", "argument 1 (x: f32): 1:1 (byte 0): expected a value of type f32, but 1f64 is of type f64"},
		{"[1f32]", "argument 1 (x: f32): 1:1 (byte 0)"},
		{"1\n[1,\n2u8]", "argument 2 (xs: [n]i32): 3:1 (byte 6): expected a value of type i32, but 2u8 is of type u8"},
		{"1 [1, [2]]", "argument 2 (xs: [n]i32): 1:7 (byte 6)"},
		{"1 [1, 2", "argument 2 (xs: [n]i32): 1:8 (byte 7): the input ends within a value"},
		{"1 [99999999999]", "99999999999 is out of range for i32"},
		{"1 [1] [[true, false], [true]]", "argument 3 (yss: [n][2]bool): 1:23 (byte 22)"},
		{"1 [1] [[true, 1]]", "argument 3 (yss: [n][2]bool): 1:15 (byte 14)"},
		{"1 [1] [[true, true]] 5", "after the last argument of main: 1:22 (byte 21): there is more input after the last value"},
		{"b\x02\x01 i32", "argument 1 (x: f32)"},
		{"b\x07\x00 f32\x00\x00\x00\x00", "argument 1 (x: f32)"},
		{"b\x02\x00 f32\x00\x00", "argument 1 (x: f32)"},
		// Sizes.
		{"1 [1, 2] [[true, true]]", "argument yss has size 1 where its type [n][2]bool and the other arguments ask for 2"},
		{"1 [1] [[true, true, true]]", "argument yss has size 3 where its type [n][2]bool"},
	} {
		_, err := runText(b, "main", false, c.in)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v\nwanted: %s", c.in, err, c.want)
		}
	}
}
