package inline_test

import (
	"testing"

	"skald/middle/inline"
	"skald/middle/passtest"
)

func TestCallsBecomeBodies(t *testing.T) { passtest.Golden(t, "testdata/*.txtar", inline.Pass) }
