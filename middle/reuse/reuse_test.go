package reuse_test

import (
	"testing"

	"skald/middle/core"
	"skald/middle/flatten"
	"skald/middle/memory"
	"skald/middle/passtest"
	"skald/middle/reuse"
)

func TestArraysHaveOneBlock(t *testing.T) { passtest.Golden(t, "testdata/*.txtar", reuse.Pass) }

// The programs that flattening is tested with keep their results.
func TestFlattenedProgramsKeepTheirResults(t *testing.T) {
	passtest.KeepsResults(t, "../flatten/testdata/*.txtar", func(t *testing.T, prog *core.Prog) []*core.Prog {
		return []*core.Prog{passtest.Apply(t, reuse.Pass, passtest.Apply(t, memory.Pass, passtest.Apply(t, flatten.Pass, prog)))}
	})
}
