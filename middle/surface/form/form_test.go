package form_test

import (
	"strings"
	"testing"

	"skald/middle/pass"
	"skald/middle/surface"
	"skald/middle/surface/form"
	"skald/middle/surface/surfacetest"
)

func TestEachFormRefusesWhatItsPassRemoves(t *testing.T) {
	for _, c := range []struct {
		form    form.Form
		program string
		want    string
	}{
		{form.Normal, "def main (xs: []i32) = length (filter (> 0) xs)", "no let binds"},
		{form.Monomorphic, "def id' 'a (x: a) = x\ndef main (x: i32) = id' x", ""},
		{form.Lifted, "def main (xs: []i32) (k: i32) = map (+ k) xs", "a local function is left"},
		{form.FirstOrder, "def twice (f: i32 -> i32) x = f (f x)\ndef main (x: i32) = twice (\\y -> y + x) x", ""},
	} {
		prog := surfacetest.Check(t, c.program)
		for _, p := range surface.Passes {
			if surface.Forms[p.Name] >= c.form {
				err := form.Check(c.form, prog)
				if err == nil || !strings.Contains(err.Error(), c.want) {
					t.Errorf("before %s: %v, want %q", p.Name, err, c.want)
				}
			}
			out, d := pass.Apply(&pass.Context{}, p, prog, nil)
			if d != nil {
				t.Fatal(d.Message)
			}
			prog = out
			if surface.Forms[p.Name] == c.form {
				if err := form.Check(c.form, prog); err != nil {
					t.Errorf("after %s: %v", p.Name, err)
				}
				break
			}
		}
	}
}
