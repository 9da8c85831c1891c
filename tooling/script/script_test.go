package script_test

import (
	"testing"

	"skald/frontend/source"
	"skald/tooling/script"
)

func TestExpressionsParseAndPrint(t *testing.T) {
	for text, want := range map[string]string{
		`f 1 x (g 2)`:                              `f 1 x (g 2)`,
		`$loaddata "data/a b.in"`:                  `$loaddata "data/a b.in"`,
		`let (a, b) = f 10i64 let c = a in (c, b)`: `let (a, b) = f 10i64 in let c = a in (c, b)`,
		`f [1, 2,3] -1.5e-3f32 f32.nan true`:       `f [1, 2,3] -1.5e-3f32 f32.nan true`,
		`f {a = 1, b=(x).0.c} ()`:                  `f {a=1, b=x.0.c} ()`,
		`(x)`:                                      `x`,
		` xs[i, 0] `:                               `xs[i, 0]`,
		`empty([0]i32)`:                            `empty([0]i32)`,
		`f -f32.inf 0x1.8p-3`:                      `f -f32.inf 0x1.8p-3`,
		`(let a = 1 in a, "x\"y")`:                 `(let a = 1 in a, "x\"y")`,
	} {
		f := source.NewFile("s", text)
		e, failed := script.Parse(f.All(), text)
		if failed != nil {
			t.Errorf("%s: %v", text, failed)
		} else if got := script.Format(e); got != want {
			t.Errorf("%s\n prints %s\n   not %s", text, got, want)
		}
	}
}

func TestBadExpressionsAreRejected(t *testing.T) {
	for text, want := range map[string]string{
		"":            "s:1:1-1: error: expected an expression [script-syntax]",
		"f (1":        "s:1:5-5: error: expected ')' [script-syntax]",
		"let x = 1":   "s:1:10-10: error: expected 'in' [script-syntax]",
		"f 1 ]":       "s:1:5-5: error: expected the end of the expression [script-syntax]",
		`"abc`:        "s:1:1-1: error: expected a string that is closed [script-syntax]",
		"x.":          "s:1:3-3: error: expected a name [script-syntax]",
		"f [1":        "s:1:3-3: error: expected an array that is closed [script-syntax]",
		"f - 1":       "s:1:3-3: error: expected an expression [script-syntax]",
		"let in = in": "s:1:5-5: error: expected a name [script-syntax]",
	} {
		f := source.NewFile("s", text)
		if _, failed := script.Parse(f.All(), text); failed == nil || failed.Error() != want {
			t.Errorf("%q: got %v, want %s", text, failed, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(`let (a, b) = f {x = -1.0f32} in $g a[0, 1].c "s\n" [1, 2]`)
	f.Fuzz(func(t *testing.T, text string) {
		file := source.NewFile("s", text)
		e, failed := script.Parse(file.All(), text)
		if failed != nil {
			return
		}
		printed := script.Format(e)
		again, failed := script.Parse(source.NewFile("s", printed).All(), printed)
		if failed != nil {
			t.Fatalf("%q prints as %q: %v", text, printed, failed)
		}
		if second := script.Format(again); second != printed {
			t.Fatalf("%q prints as %q, then %q", text, printed, second)
		}
	})
}
