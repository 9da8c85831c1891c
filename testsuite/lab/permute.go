package main

import (
	"fmt"

	"skald/runtime/device"
)

// Note [Three dimensions]
//
// Of the six orders that the dimensions of [a][b][c] may take, two keep the innermost one, so that rows are copied
// whole. The other four bring another dimension innermost: the tiles of a transposition lie in the plane of the two, and
// the third dimension is the batch. Only strides differ (plane, in transpose.go).

// rowsKept copies rows of vectors or words to other places: row (i, j) becomes row (j, i).
//
// It moves 8 bytes a word and has no barrier.
func rowsKept(typ string) *Source {
	return &Source{
		Name: "permute-rows-" + typ[:3], Threads: 256, Buffers: []string{"x " + typ, "y " + typ},
		Params: []string{"n", "a", "b", "c"},
		Body: `
  let i = group * $W + tid;
  if (i >= params.n) { return; }
  let row = i / params.c;
  let source = row % params.a * params.b + row / params.a;
  y[i] = x[source * params.c + (i - row * params.c)];
`,
	}
}

// permuteCase reorders three dimensions: dimension k of the result is dimension order[k] of the argument. See Note [Three dimensions].
func permuteCase(dims, order [3]int) Case {
	n := dims[0] * dims[1] * dims[2]
	strides := [3]int{dims[1] * dims[2], dims[2], 1}
	var to [3]int // Strides of the argument's dimensions in the result.
	stride := 1
	for k := 2; k >= 0; k-- {
		to[order[k]] = stride
		stride *= dims[order[k]]
	}
	return Case{
		Name:  fmt.Sprintf("permute/%dx%dx%d/%d%d%d", dims[0], dims[1], dims[2], order[0], order[1], order[2]),
		Bytes: 8 * int64(n),
		Plan: func(f *device.Facts) (*Plan, string) {
			xs := random(n)
			p := &Plan{Buffers: []Data{{n, xs}, {Words: n}}}
			if order[2] == 2 {
				source, words := rowsKept("u32"), 1
				if dims[2]%4 == 0 {
					source, words = rowsKept("vec4<u32>"), 4
				}
				a, b := dims[order[1]], dims[order[0]]
				if order[0] == 0 {
					a, b = 1, dims[0]*dims[1] // Nothing changes its place.
				}
				p.Kernels = []*Source{source}
				p.Steps = []Step{{
					Groups: (n/words + 255) / 256, Buffers: []int{0, 1},
					Params: []uint32{uint32(n / words), uint32(a), uint32(b), uint32(dims[2] / words)},
				}}
			} else {
				row := order[2]
				batch := 1 - row
				s, step := (&plane{
					dims[batch], dims[row], dims[2], strides[row], strides[batch], to[2], to[batch],
				}).tiles(usual.chosen(f), f)
				p.Kernels, p.Steps = []*Source{s}, []Step{step}
			}
			p.Check = func(read func(int) []uint32) error {
				return sameInAnyOrder("permute", read(1), func(i int) uint32 {
					from := 0
					for k := 2; k >= 0; k-- {
						d := dims[order[k]]
						from += i % d * strides[order[k]]
						i /= d
					}
					return xs[from]
				})
			}
			return p, ""
		},
	}
}
