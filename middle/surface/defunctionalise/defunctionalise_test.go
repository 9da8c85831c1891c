package defunctionalise_test

import (
	"testing"

	"skald/middle/surface/defunctionalise"
	"skald/middle/surface/surfacetest"
)

func TestFunctionValuesBecomeRecords(t *testing.T) {
	surfacetest.Golden(t, "testdata/*.txtar", defunctionalise.Pass)
}
