package monomorphise_test

import (
	"testing"

	"skald/middle/surface/monomorphise"
	"skald/middle/surface/surfacetest"
)

func TestEachInstanceIsACopyWithoutTypeParameters(t *testing.T) {
	surfacetest.Golden(t, "testdata/*.txtar", monomorphise.Pass)
}
