package main

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"skald/shaders"
)

// The judge runs on GPUs; its measure is C as well, and here it is compiled as that and held against the measure of the
// series.
func TestJudgeMeasuresAsTheSeriesDo(t *testing.T) {
	inf, nan, least := math.Inf(1), math.NaN(), math.SmallestNonzeroFloat64
	pairs := [][2]float64{
		{1, 1},
		{1, math.Nextafter(1, 2)},
		{1, 1 - 0x1p-24},
		{3.1, 3.2},
		{-3.1, -3.1000001},
		{0, least},
		{least, 0},
		{0, -0x1p-149},
		{0x1p-130, 0x1p-149},
		{math.MaxFloat64, inf},
		{math.MaxFloat32, inf},
		{0x1p127, inf},
		{0x1p128, math.MaxFloat32},
		{0x1p900, inf},
		{-0x1p900, -math.MaxFloat32},
		{65504, inf},
		{65519, 65504},
		{1e300, -1e300},
		{0.5, -0.5},
		{0x1p-14, 0x1p-15},
		{1, nan},
		{nan, 1},
		{nan, nan},
		{1e-3, inf},
	}
	for _, name := range []string{"exp_f16", "exp_f32", "exp_f64", "lgamma_f64"} {
		x, ok := inexactFunction(shaders.Portable, name)
		if !ok {
			t.Fatal(name)
		}
		for i, e := range errorsOf(t, x, pairs) {
			want, got := pairs[i][0], pairs[i][1]
			_, frac := layout(x.sig.Result)
			if frac < 52 && math.Float64bits(got)<<(12+frac) != 0 && !math.IsNaN(got) {
				continue // No such result.
			}
			switch {
			case math.IsNaN(want) != math.IsNaN(got):
				if e != -1 {
					t.Errorf("%s: %g for %g is not wrong: %g", name, got, want, e)
				}
			case math.IsNaN(want):
				if e != 0 {
					t.Errorf("%s: NaN for NaN: %g", name, e)
				}
			default:
				exact := new(big.Float).SetPrec(200).SetFloat64(want)
				d := x.distance(exact, got)
				beyond := e > 1e9 && d > 1e9 || e < 1e-9 && d < 1e-9 // The judge's is an f32.
				if math.Abs(e-d) > 1e-6*d && !beyond {
					t.Errorf("%s: %g for %g: %g ulp, and %g by the series", name, got, want, e, d)
				}
			}
		}
	}
}

// errorsOf runs error_of for results, each beside the value that is wanted.
func errorsOf(t *testing.T, x inexact, pairs [][2]float64) []float64 {
	t.Helper()
	cc, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("no C compiler")
	}
	library, err := shaders.Library(shaders.Dialect{Language: shaders.C}, cBits)
	if err != nil {
		t.Fatal(err)
	}
	source := library + `#include <stdio.h>
#define __device__
#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
` + errorText(x) + `int main(void) {
  f64 a[2];
  while (fread(a, 8, 2, stdin) == 2) {
    f64 e = error_of(a[0], a[1], 1, 1);
    fwrite(&e, 8, 1, stdout);
  }
  return 0;
}
`
	dir := t.TempDir()
	file, program := filepath.Join(dir, "judge.c"), filepath.Join(dir, "judge")
	if err := os.WriteFile(file, []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	compile := exec.Command(cc, "-std=gnu11", "-ffp-contract=off", "-o", program, file, "-lm")
	if out, err := compile.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var in bytes.Buffer
	if err := binary.Write(&in, binary.LittleEndian, pairs); err != nil {
		t.Fatal(err)
	}
	run := exec.Command(program)
	run.Stdin = &in
	out, err := run.Output()
	if err != nil {
		t.Fatal(err)
	}
	errors := make([]float64, len(pairs))
	if err := binary.Read(bytes.NewReader(out), binary.LittleEndian, errors); err != nil {
		t.Fatal(err)
	}
	return errors
}
