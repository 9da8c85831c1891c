package flatten_test

import (
	"testing"

	"skald/middle/flatten"
	"skald/middle/passtest"
)

func TestSOACsBecomeKernels(t *testing.T) { passtest.Golden(t, "testdata/*.txtar", flatten.Pass) }
