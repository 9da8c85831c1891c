package normalise_test

import (
	"testing"

	"skald/middle/surface/normalise"
	"skald/middle/surface/surfacetest"
)

func TestExistentialSizesAreBoundByLets(t *testing.T) {
	surfacetest.Golden(t, "testdata/*.txtar", normalise.Pass)
}
