package lift_test

import (
	"testing"

	"skald/middle/surface/lift"
	"skald/middle/surface/surfacetest"
)

func TestLocalFunctionsBecomeDefinitions(t *testing.T) {
	surfacetest.Golden(t, "testdata/*.txtar", lift.Pass)
}
