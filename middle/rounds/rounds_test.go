package rounds_test

import (
	"testing"

	"skald/middle/facts"
	"skald/middle/passtest"
	"skald/middle/rounds"
)

// The reads of eight rounds come first, or are what an earlier round writes; updates keep their order.
func TestRoundsAreDoneTogether(t *testing.T) {
	passtest.Golden(t, "testdata/*.txtar", rounds.Pass)
}

// Loops of which it is not known what a round reads that another writes stay, and those of the host and of whole workgroups.
func TestOtherLoopsStay(t *testing.T) {
	passtest.Stays(t, "testdata/stays.core", rounds.Pass)
}

// Processors have what they read in their caches.
func TestProcessorsDoRoundByRound(t *testing.T) {
	passtest.StaysOn(t, "testdata/differences.txtar", rounds.Pass, facts.Facts{Tasks: 4}, facts.Facts{Software: true})
}
