package surface_test

import (
	"testing"

	"skald/frontend/types"
	"skald/middle/pass"
	"skald/middle/surface"
	"skald/middle/surface/form"
	"skald/middle/surface/surfacetest"
)

const program = `def twice 'a (f: a -> a) (x: a) = f (f x)
entry main (n: i64) = twice (\x -> x + n) n
`

func TestRunStopsAfterTheNamedPass(t *testing.T) {
	prog := surfacetest.Check(t, program)
	seen := map[string]string{types.Source(prog): "check"}
	for _, p := range surface.Passes {
		out, d := surface.Run(&pass.Context{Check: true, DumpDir: t.TempDir()}, prog, p.Name)
		if d != nil {
			t.Fatalf("%s: %s", p.Name, d.Message)
		}
		if err := form.Check(surface.Forms[p.Name], out); err != nil {
			t.Errorf("after %s: %v", p.Name, err)
		}
		text := types.Source(out)
		if before, ok := seen[text]; ok && p.Name != "normalise" {
			t.Errorf("after %s the program is as after %s", p.Name, before)
		}
		seen[text] = p.Name
	}
	all, d := surface.Run(&pass.Context{}, prog, "")
	if d != nil {
		t.Fatal(d.Message)
	}
	if last := surface.Passes[len(surface.Passes)-1].Name; seen[types.Source(all)] != last {
		t.Errorf("all passes do not end with %s", last)
	}
}
