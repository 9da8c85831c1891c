package main

import (
	"os"
	"path/filepath"
	"testing"

	"skald/runtime/prim"
	"skald/runtime/value"
)

// A point that reads some elements of a row adds to as many elements of the adjoint: it makes no adjoint of the row, nor one of the matrix.
func TestDerivativesOfRowsCostWhatTheRowsCost(t *testing.T) {
	const points, width, each = 1000, 100, 64
	text, err := os.ReadFile("../../programs/derivatives/rows.fut")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "rows.fut")
	if err := os.WriteFile(file, text, 0o644); err != nil {
		t.Fatal(err)
	}
	args := []value.Value{value.New(prim.F64, width, width), value.New(prim.I64, points), value.New(prim.I64, points)}
	for i := range points {
		args[1].SetWord(i, uint64(i%width))
		args[2].SetWord(i, uint64(i*7%width))
	}
	r, err := runOn("h200-wgpu", file, "gradient", args, 0)
	if err != nil {
		t.Fatal(err)
	}
	var accesses int64
	for _, a := range r.launches {
		accesses += a.Elements
	}
	if accesses > each*points {
		t.Errorf("%d accesses for %d points, more than %d each", accesses, points, each)
	}
}
