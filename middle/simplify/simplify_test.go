package simplify_test

import (
	"testing"

	"skald/middle/core"
	"skald/middle/flatten"
	"skald/middle/memory"
	"skald/middle/passtest"
	"skald/middle/simplify"
)

func TestRulesShrinkPrograms(t *testing.T) { passtest.Golden(t, "testdata/*.txtar", simplify.Pass) }

// Simplification between the other passes, at every stage, keeps results.
func TestSimplifyingEveryStageKeepsResults(t *testing.T) {
	passtest.KeepsResults(t, "../flatten/testdata/*.txtar", func(t *testing.T, prog *core.Prog) []*core.Prog {
		soacs := passtest.Apply(t, simplify.Pass, prog)
		kernels := passtest.Apply(t, simplify.Pass, passtest.Apply(t, flatten.Pass, soacs))
		placed := passtest.Apply(t, simplify.Pass, passtest.Apply(t, memory.Pass, kernels))
		return []*core.Prog{soacs, kernels, placed}
	})
}
