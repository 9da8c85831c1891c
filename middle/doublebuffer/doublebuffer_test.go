package doublebuffer_test

import (
	"testing"

	"skald/middle/doublebuffer"
	"skald/middle/passtest"
)

func TestArraysChangePlaces(t *testing.T) { passtest.Golden(t, "testdata/*.txtar", doublebuffer.Pass) }
