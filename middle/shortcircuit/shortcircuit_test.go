package shortcircuit_test

import (
	"testing"

	"skald/middle/passtest"
	"skald/middle/shortcircuit"
)

func TestArraysAreMadeWhereTheyAreCopiedTo(t *testing.T) {
	passtest.Golden(t, "testdata/*.txtar", shortcircuit.Pass)
}

// What reads or writes a region in between, what somebody else has as a block, what shares words, and what may fail in another order.
func TestOtherArraysStay(t *testing.T) { passtest.Stays(t, "testdata/kept.core", shortcircuit.Pass) }
