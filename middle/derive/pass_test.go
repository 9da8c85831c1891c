package derive_test

import (
	"os"
	"testing"

	"skald/frontend/diag"
	"skald/middle/core"
	"skald/middle/derive"
	"skald/middle/pass"
	"skald/middle/passtest"
)

func TestGolden(t *testing.T) { passtest.Golden(t, "testdata/*.txtar", derive.Pass) }

// What the golden programs compute, worked out by hand.
func TestDerivativesOfPrograms(t *testing.T) {
	for _, c := range []struct{ name, args, want string }{
		{"jvp", "3f64", "9.0f64 6.0f64"},
		{"vjp-sizes", "3f64 [1f64, 10f64, 100f64]", "666.0f64"},
		{"many", "3f64 [1f64, 10f64]", "[6.0f64, 60.0f64]"},
		{"withvjp", "3f64", "9.0f64 103.0f64"},
	} {
		t.Run(c.name, func(t *testing.T) {
			prog := passtest.Input(t, "testdata/"+c.name+".txtar")
			if got := run(t, passtest.Apply(t, derive.Pass, prog), "main", c.args); got != c.want {
				t.Errorf("%s, not %s", got, c.want)
			}
		})
	}
}

// A function whose derivative is part of itself is a limit, with its place.
func TestDerivativeOfAFunctionInsideOfItself(t *testing.T) {
	prog, err := core.Parse(`stage soacs

fun f (x_1: f64): (r_2: f64) = {
  let (y_3: f64, dy_4: f64) = jvp (z_5: f64 = x_1) inert () () seeds (1.0f64) {
    let (w_6: f64) = call f (z_5)
    in (w_6)
  } at "a.fut:3:5-9"
  in (dy_4)
}`)
	if err != nil {
		t.Fatal(err)
	}
	_, d := pass.Apply(&pass.Context{DumpDir: os.TempDir()}, derive.Pass, prog, core.Print)
	if d == nil || d.Code != diag.CodeLimit || d.Place != "a.fut:3:5-9" {
		t.Errorf("%v", d)
	}
}
