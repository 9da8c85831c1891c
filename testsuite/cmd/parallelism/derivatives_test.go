package main

import (
	"testing"

	"skald/runtime/prim"
	"skald/runtime/value"
)

// A point that reads some elements of a row adds to as many elements of the adjoint: it makes no adjoint of the row, nor one of the matrix.
func TestDerivativesOfRowsCostWhatTheRowsCost(t *testing.T) {
	const points, width, each = 1000, 100, 64
	args := []value.Value{value.New(prim.F64, width, width), value.New(prim.I64, points), value.New(prim.I64, points)}
	for i := range points {
		args[1].SetWord(i, uint64(i%width))
		args[2].SetWord(i, uint64(i*7%width))
	}
	r, err := runOn("h200-wgpu", "../../programs/derivatives/rows.fut", "gradient", args, 0)
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

// Adjoints and their derivatives, which a point adds to elements that other points add to as well, are atomic additions each: no thread has
// all points.
func TestDerivativesOfAdjointsKeepManyThreadsAtWork(t *testing.T) {
	const points, width = 4096, 64
	args := []value.Value{value.New(prim.I64, points), value.New(prim.F32, width)}
	for i := range points {
		args[0].SetWord(i, uint64(i%width))
	}
	for _, profile := range []string{"h200-wgpu", "h200-cuda"} {
		r, err := runOn(profile, "../../programs/derivatives/second-gathered.fut", "gathered32", args, 0)
		if err != nil {
			t.Fatal(err)
		}
		if a := r.fewest(points); a == nil || a.Threads < points/8 {
			t.Errorf("%s: %+v has the fewest threads at work of the launches with %d accesses or more", profile, a, points)
		}
	}
}
