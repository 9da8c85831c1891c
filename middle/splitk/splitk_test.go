package splitk_test

import (
	"testing"

	"skald/middle/facts"
	"skald/middle/passtest"
	"skald/middle/splitk"
)

func TestProductsHaveAVersionInChunks(t *testing.T) {
	passtest.Golden(t, "testdata/*.txtar", splitk.Pass)
}

// What has no tiles, as each element is read once, and what keeps its elements, stays.
func TestReductionsWithoutTilesStay(t *testing.T) {
	passtest.Stays(t, "testdata/stays.core", splitk.Pass)
}

// Processors and software devices have no tiles.
func TestProcessorsReduceWholeRows(t *testing.T) {
	passtest.StaysOn(t, "testdata/product.txtar", splitk.Pass, facts.Facts{Tasks: 4}, facts.Facts{Software: true})
}
