package migrate_test

import (
	"testing"

	"skald/middle/migrate"
	"skald/middle/passtest"
)

func TestScalarsMove(t *testing.T) { passtest.Golden(t, "testdata/*.txtar", migrate.Pass) }

// What the host needs it computes as before: a program about sizes and bounds is left alone.
func TestSizesAndBoundsStay(t *testing.T) { passtest.Stays(t, "testdata/stays.core", migrate.Pass) }
