package fuse_test

import (
	"testing"

	"skald/middle/fuse"
	"skald/middle/passtest"
)

func TestSOACsAreFused(t *testing.T) { passtest.Golden(t, "testdata/*.txtar", fuse.Pass) }

func TestMapsAreFusedIntoScans(t *testing.T) {
	passtest.Golden(t, "testdata/scans/*.txtar", fuse.ScanPass)
}

func TestMapsArePutBehindScans(t *testing.T) {
	passtest.Golden(t, "testdata/posts/*.txtar", fuse.PostPass)
}

func TestKernelsThatFollowEachOtherAreOne(t *testing.T) {
	passtest.Golden(t, "testdata/adjacent/*.txtar", fuse.AdjacentPass)
}

func TestConstantsThatOneStatementFillsAreOneMap(t *testing.T) {
	passtest.Golden(t, "testdata/fills/*.txtar", fuse.FillPass)
}
