package internalise_test

import (
	"errors"
	"testing"

	"golang.org/x/tools/txtar"

	"skald/frontend/types"
	"skald/middle/core"
	"skald/middle/core/eval"
	"skald/middle/goldentest"
	"skald/middle/internalise"
	"skald/middle/pass"
	"skald/middle/surface/surfacetest"
	"skald/runtime/value"
)

func compile(t testing.TB, text string) *core.Prog {
	t.Helper()
	before := surfacetest.Before(t, surfacetest.Check(t, text), internalise.Pass.Name)
	source := types.Source(before)
	out, d := pass.Apply(&pass.Context{DumpDir: t.TempDir()}, internalise.Pass, before, types.Source)
	if d != nil {
		t.Fatalf("%v", d)
	}
	if types.Source(before) != source {
		t.Error("internalise changes its input")
	}
	if err := core.Verify(out); err != nil {
		t.Fatalf("%v\n%s", err, core.Print(out))
	}
	if out.Stage != core.StageSOACS {
		t.Errorf("the result is at stage %s", out.Stage)
	}
	return out
}

// The text of core IR is as expected and reads back, and the evaluator finds the results that were worked out by hand.
func TestCoreIR(t *testing.T) {
	surfacetest.Files(t, "testdata/*.txtar", func(t *testing.T, file string, ar *txtar.Archive) {
		prog := compile(t, goldentest.Section(ar, "in"))
		text := core.Print(prog)
		if again, err := core.Parse(text); err != nil || core.Print(again) != text {
			t.Errorf("the text does not read back: %v", err)
		}
		goldentest.Out(t, file, ar, text)
		surfacetest.Calls(t, ar, func(_ *testing.T, name string, args []value.Value) ([]value.Value, error) {
			out, err := eval.RunEntry(prog, name, args, eval.Options{})
			var failed *eval.AssertError
			if errors.As(err, &failed) {
				return nil, errors.New(failed.Msg)
			}
			return out, err
		})
	})
}
