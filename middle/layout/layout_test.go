package layout_test

import (
	"testing"

	"skald/middle/facts"
	"skald/middle/layout"
	"skald/middle/passtest"
)

func TestArraysAreLaidOutForTheirReaders(t *testing.T) {
	passtest.Golden(t, "testdata/*.txtar", layout.Pass)
}

// What neighbouring threads read and write side by side stays as it is.
func TestWhatIsReadSideBySideStays(t *testing.T) { passtest.Stays(t, "testdata/*.core", layout.Pass) }

// Processors keep rows together, and software devices have no lanes that wait for memory.
func TestProcessorsKeepRows(t *testing.T) {
	passtest.StaysOn(t, "testdata/rows.txtar", layout.Pass, facts.Facts{Tasks: 4}, facts.Facts{Software: true})
}
