package splitk_test

import (
	"os"
	"testing"

	"golang.org/x/tools/txtar"

	"skald/middle/core"
	"skald/middle/facts"
	"skald/middle/pass"
	"skald/middle/passtest"
	"skald/middle/splitk"
)

func TestProductsHaveAVersionInChunks(t *testing.T) {
	passtest.Golden(t, "testdata/*.txtar", splitk.Pass)
}

// What has no tiles, as each element is read once, and what keeps its elements, stays.
func TestReductionsWithoutTilesStay(t *testing.T) {
	text, err := os.ReadFile("testdata/stays.core")
	if err != nil {
		t.Fatal(err)
	}
	p, err := core.Parse(string(text))
	if err != nil {
		t.Fatal(err)
	}
	if got := core.Print(passtest.Apply(t, splitk.Pass, p)); got != core.Print(p) {
		t.Errorf("became\n%s", got)
	}
}

// Processors and software devices have no tiles.
func TestProcessorsReduceWholeRows(t *testing.T) {
	ar, err := txtar.ParseFile("testdata/product.txtar")
	if err != nil {
		t.Fatal(err)
	}
	p, err := core.Parse(string(ar.Files[0].Data))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []facts.Facts{{Tasks: 4}, {Software: true}} {
		out, d := pass.Apply(&pass.Context{Device: f}, splitk.Pass, p, core.Print)
		if d != nil || out != p {
			t.Errorf("%+v: changed, %v", f, d)
		}
	}
}
