package tile_test

import (
	"testing"

	"skald/middle/passtest"
	"skald/middle/tile"
)

func TestMapsGetTiles(t *testing.T) { passtest.Golden(t, "testdata/*.txtar", tile.Pass) }
