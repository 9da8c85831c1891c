package check_test

import (
	"fmt"
	"testing"

	"skald/frontend/check"
	"skald/frontend/diag"
)

// attributeWarnings are the warnings of a program that are about attributes, and its errors: code, the text under the place, and hint.
func attributeWarnings(text string) []string {
	var sink diag.Sink
	check.Check(check.Files{"a.fut": text}, "a.fut", &sink, check.Options{})
	var got []string
	for _, d := range sink.Sorted() {
		if d.IsError() || d.Code.ID == "unknown-attribute" || d.Code.ID == "unused-attribute" {
			got = append(got, fmt.Sprintf("%s %s %s", d.Code.ID, d.Span.Text(), d.Message))
		}
	}
	return got
}

func TestAttributesThatAreNotUnderstoodAreWarnedOf(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{
			"name", "def main (xs: []i32) = #[nonsense] map (+ 1) xs",
			"unknown-attribute #[nonsense] #[nonsense] is ignored: there is no such attribute.",
		},
		{"number", "#[1] def main (x: i32) = x", "unknown-attribute #[1] #[1] is ignored: there is no such attribute."},
		{
			"argument", "def main (xs: []i32) = #[flattening(nonsense)] map (+ 1) xs",
			"unknown-attribute #[flattening(nonsense)] #[flattening(nonsense)] is ignored: in parentheses it takes one of no_outer, no_intra, " +
				"only_intra, only_inner, sequentialise_nonuniform.",
		},
		{
			"no argument", "def main (xs: []i32) = #[seq_factor] map (+ 1) xs",
			"unknown-attribute #[seq_factor] #[seq_factor] is ignored: in parentheses it takes one number.",
		},
		{
			"too many arguments", "def main (xs: []i32) = #[sequential(3)] map (+ 1) xs",
			"unknown-attribute #[sequential(3)] #[sequential(3)] is ignored: in parentheses it takes nothing.",
		},
		{
			"in a module type", "module type m = { #[noisy] val x : i32 }",
			"unknown-attribute #[noisy] #[noisy] is ignored: there is no such attribute.",
		},
		{
			"in a pattern", "def main (#[noisy] x: i32) = x",
			"unknown-attribute #[noisy] #[noisy] is ignored: there is no such attribute.",
		},
		{
			"Futhark's alone", "def main (xs: []i32) = #[flattening(sequentialise_nonuniform)] map (+ 1) xs",
			"unused-attribute #[flattening(sequentialise_nonuniform)] #[flattening(sequentialise_nonuniform)] has no effect: rows of different " +
				"lengths are flattened where that costs less. #[sequential_inner] runs all of the body sequentially in each point.",
		},
	} {
		if got := attributeWarnings(c.text); len(got) != 1 || got[0] != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestAMisspeltAttributeIsCorrected(t *testing.T) {
	for text, want := range map[string]string{
		"def main (xs: []i32) = #[sequental] map (+ 1) xs":                           "sequential",
		"def main (xs: []i32) = #[incremental_flattening(only_intr)] map i32.abs xs": "only_intra",
	} {
		var sink diag.Sink
		check.Check(check.Files{"a.fut": text}, "a.fut", &sink, check.Options{})
		all := sink.Sorted()
		if len(all) != 1 || all[0].Fix == nil || all[0].Fix.Text != want {
			t.Errorf("%s: no correction to %q in %v", text, want, all)
			continue
		}
		fix := all[0].Fix
		fixed := text[:fix.Span.Start] + fix.Text + text[fix.Span.End:]
		if left := attributeWarnings(fixed); len(left) > 0 {
			t.Errorf("%s: corrected, it gets %q", fixed, left)
		}
	}
}

func TestAttributesWithoutEffectAreWarnedOf(t *testing.T) {
	const (
		parallel  = "this expression: it belongs on a call of map, reduce or another parallel operation."
		aFunction = "module f (p: { val g : i32 -> i32 }) = { def h x = #[sequential_outer] p.g x }\nmodule a = f { def g x = x + 1i32 }\n"
	)
	for _, c := range []struct{ name, text, attr, place string }{
		{
			"unroll a map", "def main (xs: []i32) = #[unroll] map (\\x -> loop x for i < 3 do x + i) xs", "unroll",
			"this expression: it belongs on a loop.",
		},
		{"scalar", "def main (x: i32) = #[sequential_outer] x + 1", "sequential_outer", parallel},
		{"scratch of a scalar", "def main (x: i32) = #[scratch] x + 1", "scratch", "this expression: it belongs on an array."},
		{"branch", "def main (xs: []i32) = #[sequential_inner] if null xs then xs else map (+ 1) xs", "sequential_inner", parallel},
		{"loop", "def main (xs: []i32) = #[flattening(only_intra)] loop xs for _i < 3 do map (+ 1) xs", "flattening(only_intra)", parallel},
		{"partial application", "def main (xs: []i32) = xs |> #[sequential_inner] map (+ 1)", "sequential_inner", parallel},
		{"called function", "def f (x: i32) = x * x\ndef main (x: i32) = #[sequential_inner] f x", "sequential_inner", parallel},
		{"no call", "def main (x: i32) = #[noinline] x", "noinline", "this expression: it belongs on a function or a call of one."},
		{"inlined call", "def main (x: i32) = #[inline] i32.abs x", "inline", "this expression: it belongs on the definition of a function."},
		{"other type", "def main (x: i32) = #[param(x)] x", "param(x)", "this expression: it belongs on an expression of type i64."},
		{"definition", "#[unroll] def main (x: i32) = x", "unroll", "a definition: it belongs on a loop."},
		{"no entry point", "#[prop] def p (x: i32) = x == x", "prop", "a definition that is no entry point: it belongs on an entry point."},
		{"pattern", "def main (#[unroll] x: i32) = x", "unroll", "a pattern: it belongs on a loop."},
		{"specification", "module type m = { #[inline] val x : i32 }", "inline", "a specification: it belongs on the definition of a function."},
		{"module", "#[unroll] module m = {}", "unroll", "this declaration: it belongs on a loop."},
		{"parametric module", aFunction, "sequential_outer", parallel},
		{"twice in a parametric module", aFunction + "module b = f { def g x = x + 2i32 }\n", "sequential_outer", parallel},
		{"twice, with an effect once", aFunction + "module b = f { def g x = i32.sum (map (+ x) [1, 2]) }\n", "", ""},
	} {
		want := fmt.Sprintf("unused-attribute #[%s] #[%s] has no effect on %s", c.attr, c.attr, c.place)
		got := attributeWarnings(c.text)
		if c.attr == "" && len(got) > 0 || c.attr != "" && (len(got) != 1 || got[0] != want) {
			t.Errorf("%s: got %q, want %q", c.name, got, want)
		}
	}
}

func TestAttributesThatMayHaveAnEffectAreNotWarnedOf(t *testing.T) {
	for _, text := range []string{
		"def main (xs: []i32) = #[sequential_outer] map (+ 1) xs |> i32.sum",
		"def main (xs: []i32) = #[sequential_inner] (xs |> map (+ 1))",
		"def main (xs: []i32) = #[sequential_inner] map (+ 1) <| xs",
		"def f (xs: []i32) = let ys = map (+ 1) xs in ys\ndef main (xs: []i32) = #[flattening(only_inner)] f xs",
		"def f (xs: []i32) = loop xs for _i < 3 do xs\ndef main (xs: []i32) = #[unroll] f xs",
		"def twice 'a (f: a -> a) (x: a) = f (f x)\ndef main (xs: []i32) = #[sequential_inner] twice (map (+ 1)) xs",
		"def main (xs: []i32) = let f = \\x -> x + 1 in #[sequential] map f xs",
		"def main (xs: []i32) = let f (ys: []i32) = map (+ 1) ys in #[sequential_inner] f xs",
		"def main (xs: []i32) = #[sequential] if null xs then xs else map (+ 1) xs",
		"def main (xs: []i32) = #[sequential_outer] filter (> 0) xs",
		"def main [n] (xs: *[n]i32) (is: [n]i64) = #[seq_factor(2)] scatter xs is (map i32.i64 is)",
		"def f (x: i32) : i32 = if x == 0 then 0 else f (x - 1)\ndef main (x: i32) = #[noinline] f x",
		"def f 'a (x: a) = #[scratch] x\ndef main (xs: []i32) = f xs",
		"def main (x: i64) = loop (#[true_dep] x) for i < 3 do #[trace(x)] #[break] x + i",
		"#[inline] def f (x: i32) = x #[noinline] def g (x: i32) = x #[prop(gen(a), size(3))] entry p (x: i32) = #[blank] f x == #[unsafe] g x",
		"def main (x: f64) = #[opaque] vjp (\\x -> #[stripmine(2)] loop x for _i < 3 do #[bound(3)] x * x) x 1",
		"def main (xs: []i32) (i: i64) = #[warn(safety_checks)] xs[#[param(i)] i]",
	} {
		if got := attributeWarnings(text); len(got) > 0 {
			t.Errorf("%s\ngets %q", text, got)
		}
	}
}
