package migrate_test

import (
	"os"
	"testing"

	"skald/middle/core"
	"skald/middle/migrate"
	"skald/middle/passtest"
)

func TestScalarsMove(t *testing.T) { passtest.Golden(t, "testdata/*.txtar", migrate.Pass) }

// What the host needs it computes as before: a program about sizes and bounds is left alone.
func TestSizesAndBoundsStay(t *testing.T) {
	text, err := os.ReadFile("testdata/stays.core")
	if err != nil {
		t.Fatal(err)
	}
	p, err := core.Parse(string(text))
	if err != nil {
		t.Fatal(err)
	}
	if got := core.Print(passtest.Apply(t, migrate.Pass, p)); got != core.Print(p) {
		t.Errorf("became\n%s", got)
	}
}
