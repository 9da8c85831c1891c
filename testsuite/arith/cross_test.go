package main

import (
	"strings"
	"testing"

	"skald/runtime/webgpu"
	"skald/shaders"
)

// openNative opens a software device with every type, which the judge needs.
func openNative(t *testing.T) *sweeper {
	t.Helper()
	dev, err := webgpu.Open(webgpu.Options{Library: "wgpu-native", Driver: "lavapipe"})
	if err != nil {
		t.Skipf("no software device with every type: %v", err)
	}
	t.Cleanup(func() { _ = dev.Close() })
	return &sweeper{dev: dev, done: map[string]outcome{}}
}

func TestFunctionsAgreeWithTheJudge(t *testing.T) {
	s := openNative(t)
	for _, portable := range []bool{false, true} {
		s.plan.portable = portable
		for _, name := range []string{"conv_f32_i16", "sqrt_f16", "eq_f64", "div_i64", "exp_f32"} {
			c, ok := crossingOf(name, 1<<20)
			if !ok {
				t.Fatalf("%s has no judge", name)
			}
			if c.total > 1<<20 {
				c.total, c.all = 1<<20, false
			}
			out, err := s.cross(c)
			if err != nil {
				t.Fatal(err)
			}
			if out.Wrong > 0 || out.ULP > out.Bound || out.Count == 0 {
				t.Errorf("%s, portable %v: %d wrong of %d, %.3g ulp, at %s", name, portable, out.Wrong, out.Count, out.ULP, out.At)
			}
			if c.inexact && out.ULP < 0.25 {
				t.Errorf("%s: the worst error is %.3g ulp: rounding alone makes nearly a half", name, out.ULP)
			}
		}
	}
}

// A judge that finds fault with nothing is none: here ceil stands in the kernel where floor is judged, and log where exp is.
func TestJudgeSeesWrongResults(t *testing.T) {
	s := openNative(t)
	for name, other := range map[string]string{"floor_f32": "ceil_f32", "exp_f32": "log_f32"} {
		c, ok := crossingOf(name, 1<<20)
		if !ok {
			t.Fatalf("%s has no judge", name)
		}
		c.total, c.all = 1<<20, false
		spec, err := crossKernel(shaders.Native, c)
		if err != nil {
			t.Fatal(err)
		}
		text, err := shaders.Library(shaders.Native, []string{other})
		if err != nil {
			t.Fatal(err)
		}
		spec.Source = strings.Replace(spec.Source, "let r = "+name+"(", "let r = stranger_"+other+"(", 1)
		spec.Source += strings.ReplaceAll(prefixed(text), refPrefix, "stranger_")
		out, err := s.judged(c, spec)
		if err != nil {
			t.Fatal(err)
		}
		if out.Wrong == 0 && out.ULP <= 1000 {
			t.Errorf("%s in place of %s: nothing wrong, %.3g ulp", other, name, out.ULP)
		}
	}
}
