package flatten_test

import (
	"testing"

	"skald/middle/flatten"
	"skald/middle/passtest"
)

func TestCombinatorsBecomeKernels(t *testing.T) { passtest.Golden(t, "testdata/*.txtar", flatten.Pass) }
