package fuse_test

import (
	"testing"

	"skald/middle/fuse"
	"skald/middle/passtest"
)

func TestSOACsAreFused(t *testing.T) { passtest.Golden(t, "testdata/*.txtar", fuse.Pass) }
