package shortcircuit_test

import (
	"os"
	"testing"

	"skald/middle/core"
	"skald/middle/passtest"
	"skald/middle/shortcircuit"
)

func TestArraysAreMadeWhereTheyAreCopiedTo(t *testing.T) {
	passtest.Golden(t, "testdata/*.txtar", shortcircuit.Pass)
}

// What reads or writes a region in between, what somebody else has as a block, what shares words, and what may fail in another order.
func TestOtherArraysStay(t *testing.T) {
	text, err := os.ReadFile("testdata/kept.core")
	if err != nil {
		t.Fatal(err)
	}
	p, err := core.Parse(string(text))
	if err != nil {
		t.Fatal(err)
	}
	if got := core.Print(passtest.Apply(t, shortcircuit.Pass, p)); got != core.Print(p) {
		t.Errorf("became\n%s", got)
	}
}
