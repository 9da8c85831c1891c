package compiler_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"skald/compiler"
	"skald/frontend/check"
	"skald/frontend/interp"
	"skald/frontend/source"
)

// enter feeds the inputs to a session, and fails the test if one is not accepted. It returns the last answer.
func enter(t *testing.T, s *compiler.Session, inputs ...string) string {
	t.Helper()
	text := ""
	for _, in := range inputs {
		a := s.Enter(context.Background(), in)
		if !a.OK() {
			t.Fatalf("%s: %v, %v", in, a.Messages, a.Err)
		}
		text = a.Text
	}
	return text
}

func TestSessionRemembersDeclarations(t *testing.T) {
	files := check.Files{"lib.fut": "def answer = 42i32"}
	s := compiler.NewSession(files, interp.Options{})
	for _, c := range []struct {
		inputs []string
		want   string
	}{
		{[]string{"def x = 1i32", "x + 1"}, "2i32"},
		{[]string{"def y = x", "def x = 10i32", "x + y"}, "11i32"}, // what was defined before keeps its meaning
		{[]string{"type t = {a: i32}", "module m = { def f (r: t) = r.a }", "m.f {a = 3}"}, "3i32"},
		{[]string{"let z = 4i32", "let w = z in w * 2"}, "8i32"},
		{[]string{"import \"lib\"", "answer"}, "42i32"},
		{[]string{"def a = 1i32 def b = 2i32", "(a, b)"}, "(1i32, 2i32)"},
		{[]string{"def f [n] (xs: [n]i32) = n", "f [1, 2, 3]"}, "3i64"},
		{[]string{"open m", "f {a = 7}"}, "7i32"},
	} {
		if got := enter(t, s, c.inputs...); got != c.want {
			t.Errorf("%q: got %s, want %s", c.inputs, got, c.want)
		}
	}
}

func TestSessionGoesOnAfterErrors(t *testing.T) {
	s := compiler.NewSession(check.Files{}, interp.Options{})
	for _, in := range []string{"def x = y", "1 +", "true + 1", "import \"nowhere\"", "def = 1", "1i32 / 0"} {
		if a := s.Enter(context.Background(), in); a.OK() || a.Text != "" {
			t.Errorf("%s: accepted, with the answer %q", in, a.Text)
		}
	}
	if got := enter(t, s, "1i32 + 1"); got != "2i32" {
		t.Errorf("got %s", got)
	}
}

func TestSessionKnowsTheProgram(t *testing.T) {
	files := check.Files{"a.fut": "local def hidden = 1i32\ndef shown (x: i32) = x + hidden"}
	s, _, ok := compiler.LoadSession("a.fut", files, interp.Options{})
	if !ok {
		t.Fatal("the program is not accepted")
	}
	if got := enter(t, s, "shown hidden"); got != "2i32" {
		t.Errorf("got %s", got)
	}
	if names, n := s.Complete("1 + sh"); n != 2 || !slices.Contains(names, "shown") {
		t.Errorf("completions are %v", names)
	}
	if names, n := s.Complete("f32.sq"); n != 2 || !slices.Equal(names, []string{"sqrt"}) {
		t.Errorf("completions in a module are %v", names)
	}
	if a := s.Type("shown"); a.Text != "shown : (x: i32) -> i32" && a.Text != "shown : i32 -> i32" {
		t.Errorf("the type is %q", a.Text)
	}
	if _, sink, ok := compiler.LoadSession("b.fut", files, interp.Options{}); ok || !sink.HasErrors() {
		t.Error("a file that is not there was loaded")
	}
}

func TestSessionLooksAroundAtBreakpoints(t *testing.T) {
	var s *compiler.Session
	var got []string
	s = compiler.NewSession(check.Files{}, interp.Options{Break: func(stop *interp.Stop) {
		inner := s.At(stop)
		for _, in := range []string{"x + k", "map (+k) [x]", "let k = 2 in k", "g x"} {
			got = append(got, enter(t, inner, in))
		}
	}})
	enter(t, s, "def g (x: i32) = x * 100", "def f (k: i32) (xs: []i32) = map (\\x -> #[break] x) xs", "f 10 [1, 2]")
	want := []string{"11i32", "[11i32]", "2i32", "100i32", "12i32", "[12i32]", "2i32", "200i32"}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestQueryFindsTheSmallest(t *testing.T) {
	text := "def twice (x: i32) = x + x\ndef main (ys: []i32) = map twice ys\n"
	prog, _, ok := compiler.Check("a.fut", compiler.CheckOptions{Loader: check.Files{"a.fut": text}})
	if !ok {
		t.Fatal("the program is not accepted")
	}
	for at, want := range map[source.Position]string{
		{Line: 1, Column: 6}:  "twice a.fut:1:5-9 i32 -> i32",
		{Line: 1, Column: 12}: "x a.fut:1:12-12 i32",
		{Line: 1, Column: 22}: "x a.fut:1:12-12 i32",
		{Line: 1, Column: 24}: "  i32", // the sum
		{Line: 2, Column: 29}: "twice a.fut:1:5-9 i32 -> i32",
	} {
		f, ok := compiler.Query(prog, nil, "a.fut", at)
		defined := ""
		if f.Defined.Valid() {
			defined = f.Defined.String()
		}
		if got := f.Name + " " + defined + " " + f.Type.String(); !ok || strings.ReplaceAll(got, "(x: i32)", "i32") != want {
			t.Errorf("%v: got %q, want %q", at, got, want)
		}
	}
	if _, ok := compiler.Query(prog, nil, "a.fut", source.Position{Line: 3, Column: 1}); ok {
		t.Error("there is something after the end")
	}
}

// FuzzSession feeds a session inputs that it does not evaluate.
func FuzzSession(f *testing.F) {
	texts := []string{
		"1 + 1", "map (+1)", "{def x = 1}", "f32", "\\x -> x", "m.", "(", "\"", "#[a] 1", "[1,[2]]", "let (x, y) = 1 in",
	}
	for _, text := range texts {
		f.Add(text)
	}
	f.Fuzz(func(_ *testing.T, text string) {
		s := compiler.NewSession(check.Files{}, interp.Options{})
		s.Type(text)
		s.Module(text)
		s.Complete(text)
	})
}
