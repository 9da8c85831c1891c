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

func TestMapsOverwriteArraysThatDie(t *testing.T) {
	passtest.Golden(t, "testdata/overwrite/*.txtar", shortcircuit.OverwritePass)
}

// What is read behind the map, by other points, in the next iteration or by the caller, what changes places, and what shares words.
func TestArraysThatLiveStay(t *testing.T) {
	passtest.Stays(t, "testdata/overwrite/kept.core", shortcircuit.OverwritePass)
}
