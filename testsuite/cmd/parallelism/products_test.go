package main

import (
	"os"
	"path/filepath"
	"testing"

	"skald/runtime/cpu"
	"skald/runtime/prim"
	"skald/runtime/value"
	"skald/targets"
)

// A product with few results and long rows keeps as many threads at work as tiles of chunks have.
func TestProductsWithFewResultsRunInChunks(t *testing.T) {
	file := filepath.Join(t.TempDir(), "product.fut")
	text := `entry main [n] [m] [p] (xss: [n][m]i32) (yss: [m][p]i32) : [n][p]i32 =
  map (\xs -> map (\ys -> reduce (+) 0 (map2 (*) xs ys)) (transpose yss)) xss
`
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	const n, m, units = 32, 16_400, 8 // 2^14 threads, which have 2^10 iterations each
	args := []value.Value{value.New(prim.I32, n, m), value.New(prim.I32, m, n)}
	for i := range n * m {
		args[0].SetWord(i, uint64(i%7))
		args[1].SetWord(i, uint64(i%5))
	}
	h200, err := findProfile("h200-wgpu")
	if err != nil {
		t.Fatal(err)
	}
	facts := *h200.Facts
	facts.Units = units
	small := h200.Target.Model(&facts)
	with, without := trafficOf(t, small, file, "main", args), trafficOf(t, small, file, "main", args, "splitk")
	if !value.Equal(with.result[0], without.result[0]) {
		t.Error("results differ")
	}
	if x, y := with.bytes(), without.bytes(); 3*x > y {
		t.Errorf("%d bytes are asked for, %d without the pass", x, y)
	}
	if a := with.fewest(n * m); a == nil || a.Threads < 16*n*n/16 {
		t.Errorf("%+v has the fewest threads at work", a)
	}
}

func trafficOf(t *testing.T, m *targets.Model, file, entry string, args []value.Value, without ...string) *report {
	r, err := call(file, entry, args, without, func(watch func(cpu.Access)) *targets.Device {
		return m.Evaluated(cpu.Options{Watch: watch})
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func (r *report) bytes() int64 {
	n := int64(0)
	for _, u := range r.arrays() {
		n += u.Bytes
	}
	return n
}
