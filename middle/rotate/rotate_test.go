package rotate_test

import (
	"testing"

	"skald/middle/passtest"
	"skald/middle/rotate"
)

func TestRoundsReduceTheArrayOfTheNext(t *testing.T) {
	passtest.Golden(t, "testdata/*.txtar", rotate.Pass)
}

// Reductions stay that only the device needs, that may fail, and those of arrays whose length the host knows before the loop.
func TestOtherReductionsStay(t *testing.T) {
	passtest.Stays(t, "testdata/stays.core", rotate.Pass)
}
