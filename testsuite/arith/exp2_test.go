package main

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"skald/runtime/prim"
	"skald/shaders"
	"skald/testsuite/depth"
)

var hexFloat = regexp.MustCompile(`-?0x1[.0-9a-f]*p[+-]\d+f`)

// erfNumbers are the numbers in the text of erf_f32, in their order.
func erfNumbers(t *testing.T) []float32 {
	text, err := shaders.Library(shaders.Portable, []string{"erf_f32"})
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ = strings.Cut(text, "fn erf_f32(")
	text, _, _ = strings.Cut(text, "\n}")
	var numbers []float32
	for _, s := range hexFloat.FindAllString(text, -1) {
		v, err := strconv.ParseFloat(strings.TrimSuffix(s, "f"), 32)
		if err != nil {
			t.Fatal(err)
		}
		numbers = append(numbers, float32(v))
	}
	if len(numbers) != 15 {
		t.Fatalf("erf_f32 has %d numbers: %v", len(numbers), numbers)
	}
	return numbers
}

// farErf is erf_f32 from 1.125 on, by the numbers that it has there and an exp2 that errs by some ulps.
func farErf(x float32, numbers []float32, mad func(a, b, c float32) float32, ulps float64) float32 {
	t := min(x, numbers[0])
	q := numbers[1]
	for _, c := range numbers[2:6] {
		q = mad(q, t, c)
	}
	const whole = 0x1.8p+23
	w := mad(q, t, whole)
	n := w - whole
	return 1 - float32(math.Ldexp(float64(float32(offExp2(mad(q, t, numbers[6])-n, ulps))), int(n)))
}

// offExp2 is 2^r with an error of some ulps of f32.
func offExp2(r float32, ulps float64) float64 {
	power := math.Exp2(float64(r))
	_, exponent := math.Frexp(power)
	return power + math.Ldexp(ulps, exponent-24)
}

// WGSL allows exp2 an error of 3 + 2 |x| ulp, which no software device uses up: here it does, with multiplications and additions that are
// fused and that are not.
func TestErfKeepsItsBoundByAnyExp2(t *testing.T) {
	x, ok := inexactFunction(shaders.Portable, "erf_f32")
	if !ok {
		t.Fatal("there is no erf_f32")
	}
	numbers := erfNumbers(t)[7:]
	worst := 0.0
	first, last := math.Float32bits(1.125), math.Float32bits(4)
	for bits := first; bits < last; bits += uint32(depth.Choose(257, 17, 1)) {
		v := math.Float32frombits(bits)
		exact := math.Erf(float64(v))
		for _, mad := range []func(a, b, c float32) float32{fused, func(a, b, c float32) float32 { p := a * b; return p + c }} {
			for _, ulps := range []float64{-4.02, 0, 4.02} {
				worst = max(worst, math.Abs(float64(farErf(v, numbers, mad, ulps))-exact)*0x1p24)
			}
		}
	}
	if worst > x.bound {
		t.Errorf("worst %.3f ulp, bound %g", worst, x.bound)
	}
	t.Logf("worst %.4f ulp of %s", worst, prim.F32)
}

// No software device has an exp2 that is near enough for exp_f32, so that what GPUs compute is computed here, with the largest errors that
// device.Floats allows.
func TestExpKeepsItsBoundByANearExp2(t *testing.T) {
	x, ok := inexactFunction(shaders.Native, "exp_f32")
	if !ok {
		t.Fatal("there is no exp_f32")
	}
	const whole, near = 0x1.8p+23, 1.7
	worst := 0.0
	last := math.Float32bits(87)
	for bits := uint32(0); bits < last; bits += uint32(depth.Choose(65_537, 4_099, 257)) {
		for _, v := range []float32{math.Float32frombits(bits), -math.Float32frombits(bits)} {
			n := fused(v, 0x1.715476p+0, whole) - whole
			r := fused(v, 0x1.4ae0cp-26, fused(v, 0x1.715476p+0, -n))
			exact := math.Exp(float64(v))
			_, exponent := math.Frexp(exact)
			for _, ulps := range []float64{-near, near} {
				worst = max(worst, math.Abs(math.Ldexp(offExp2(r, ulps), int(n))-exact)*math.Ldexp(1, 24-exponent))
			}
		}
	}
	if worst > x.bound {
		t.Errorf("worst %.3f ulp, bound %g", worst, x.bound)
	}
	t.Logf("worst %.4f ulp", worst)
}
