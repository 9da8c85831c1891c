package compiler_test

import (
	"slices"
	"strings"
	"testing"

	"skald/compiler"
	"skald/runtime/cpu"
	"skald/runtime/value"
	"skald/targets"
)

// sizedProgram is a program with tiles, and with workgroups whose threads take several elements.
const sizedProgram = `
entry product [n][m][k] (xss: [n][k]i32) (yss: [k][m]i32) : [n][m]i32 =
  map (\xs -> map (\ys -> reduce (+) 0 (map2 (*) xs ys)) (transpose yss)) xss
entry sums [n][m] (xss: [n][m]i32) : [n][m]i32 =
  #[flattening(only_intra)] map (\xs -> scan (+) 0 (map (+ i32.sum xs) xs)) xss
entry rows [n][m] (xss: [n][m]i32) : [n][m]i32 = map (scan (+) 0) xss
`

// matrix has numbers that differ, and wrap around in sums of products.
func matrix(rows, cols int) value.Value {
	xs := make([]int32, rows*cols)
	for i := range xs {
		xs[i] = int32(i*i*7919 + i)
	}
	return value.FromSlice(xs, rows, cols)
}

// Sizes that somebody has set are in the kernels and in the name of what is kept; what comes out is the same.
func TestSizesChangeKernelsAndNotResults(t *testing.T) {
	p := compile(t, sizedProgram)
	usual := compiler.DeviceProfile("h200-wgpu").Evaluated(cpu.Options{Races: true})
	calls := []struct {
		entry string
		args  []value.Value
	}{
		{"product", []value.Value{matrix(150, 21), matrix(21, 157)}},
		{"sums", []value.Value{matrix(3, 700)}},
		{"rows", []value.Value{matrix(3, 3000)}},
	}
	results := func(dev *compiler.Device) (out []string, threads []int, key string) {
		loaded, err := p.On(dev)
		if err != nil {
			t.Fatal(err)
		}
		defer loaded.Close()
		for _, c := range calls {
			vs, err := loaded.Call(c.entry, c.args)
			if err != nil {
				t.Fatalf("%s with %+v: %v", c.entry, dev.Model.Sizes, err)
			}
			out = append(out, vs[0].String())
		}
		low, err := p.Lower(dev.Model)
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range low.Kernels {
			if strings.Contains(k.Name, "_tile") {
				threads = append(threads, k.GroupSize)
			}
		}
		text, err := p.LowText(dev.Model)
		if err != nil {
			t.Fatal(err)
		}
		return append(out, text), threads, dev.Model.Key()
	}
	want, _, key := results(usual)
	keys := []string{key}
	for _, c := range []struct {
		sizes   targets.Sizes
		threads int // of workgroups that have a tile
	}{
		{targets.Sizes{Tile: 32}, 1024},
		{targets.Sizes{Tile: 8, RegTile: 2}, 64},
		{targets.Sizes{Tile: 2, RegTile: 1}, 4},
		{targets.Sizes{Tile: 5, RegTile: 8}, 16},
		{targets.Sizes{RegTile: 4}, 0},
		{targets.Sizes{SeqFactor: 1}, 0},
		{targets.Sizes{SeqFactor: 3}, 0},
		{targets.Sizes{SeqFactor: 16}, 0},
	} {
		dev, err := usual.Tuned(c.sizes)
		if err != nil {
			t.Fatalf("%+v: %v", c.sizes, err)
		}
		got, threads, key := results(dev)
		for i := range calls {
			if got[i] != want[i] {
				t.Errorf("%+v: %s returns something else", c.sizes, calls[i].entry)
			}
		}
		if got[len(calls)] == want[len(calls)] {
			t.Errorf("%+v: kernels are the same", c.sizes)
		}
		if slices.Contains(keys, key) {
			t.Errorf("%+v: the name of what is kept is that of others", c.sizes)
		}
		keys = append(keys, key)
		if c.threads > 0 && !slices.Contains(threads, c.threads) {
			t.Errorf("%+v: tiles have %v threads", c.sizes, threads)
		}
	}
}
