package syntax_test

import (
	"testing"
	"unicode/utf8"

	"skald/frontend/diag"
	"skald/frontend/source"
	"skald/frontend/syntax"
)

// seed adds texts that reach most of the language.
func seed(f *testing.F) {
	f.Add(indexed)
	f.Add(table(20))
	f.Add(expressions()[:600])
	for _, text := range []string{
		"def x = match a case #c (1, {b, c = -1f32}) 'x' -> ??? case _ -> \"\\955\"",
		"def x = (`f`) ((- 1) +) (.a[1:2,::3].0) a[0].b m.(x m.+ y) with [1].f = 0x1.8p3",
		"def f [n] 't '~u '^v (x: ?[m].*[m]t u -> #a t | #b): [n+1]i32 = loop (a, b) for i < n do (b, a)",
		"module f (p: {val x [n] 't : t type~ t 'a module m : S include T}) : S with p.t [n] = i32" +
			" = \\(q: A -> B) : C -> (p q) : D",
		"def x = 1..2...3 : i32 :> [n]u8 let a[1] = 2 let g [n] x = 1 in 0r__ #[a(b,1)] 1i8 '\\''",
	} {
		f.Add(text)
	}
}

func FuzzLex(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, text string) {
		tokens, comments := syntax.Lex(source.NewFile("fuzz", text))
		end := int32(0)
		for i, tok := range tokens {
			last := i == len(tokens)-1
			if tok.Start < end || tok.End < tok.Start || (tok.Kind == syntax.EOF) != last || !last && tok.End == tok.Start {
				t.Fatalf("token %d is %v after %d", i, tok, end)
			}
			end = tok.End
		}
		if int(end) != len(text) {
			t.Fatalf("tokens end at %d of %d", end, len(text))
		}
		for _, c := range comments {
			if len(c.Text) < 2 || c.Text[:2] != "--" {
				t.Fatalf("comment %q", c.Text)
			}
		}
	})
}

func FuzzParse(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) {
			t.Skip("not UTF-8: such files are refused before they are parsed")
		}
		checkRoundTrip(t, "fuzz", text, true)
		file := source.NewFile("fuzz", text)
		for _, e := range syntax.IndexFile(file) {
			var sink diag.Sink
			syntax.ParseDec(e.At, &sink)
		}
	})
}
