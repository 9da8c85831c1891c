package elect_test

import (
	"testing"

	"skald/middle/elect"
	"skald/middle/facts"
	"skald/middle/passtest"
)

func TestBinsKeepTheNumbersOfPoints(t *testing.T) {
	passtest.Golden(t, "testdata/*.txtar", elect.Pass)
}

// Operators of one value, which devices update anyway, operators that mix the values of both operands, and values that loops compute or
// that fail stay as they are.
func TestOtherHistogramsStay(t *testing.T) {
	passtest.Stays(t, "testdata/stays.core", elect.Pass)
}

// Processors have copies of the bins for each task, and no atomic updates.
func TestProcessorsKeepValues(t *testing.T) {
	passtest.StaysOn(t, "testdata/pairs.txtar", elect.Pass, facts.Facts{Tasks: 4}, facts.Facts{Software: true})
}
