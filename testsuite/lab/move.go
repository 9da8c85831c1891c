package main

import "fmt"

// copyCase moves 16 bytes a thread. Its rate is the copy rate of the floors.
func copyCase(n int) Case {
	return Case{Name: fmt.Sprintf("copy/%d", n), Bytes: 8 * int64(n), Plan: always(func() *Plan {
		xs := random(n)
		return &Plan{
			Kernels: []*Source{{
				Name: "copy", Threads: 256, Buffers: []string{"x vec4<u32>", "y vec4<u32>"}, Params: []string{"n4"},
				Body: "  let i = group * $W + tid;\n  if (i < params.n4) { y[i] = x[i]; }\n",
			}},
			Buffers: []Data{{n, xs}, {Words: n}},
			Steps:   []Step{{Groups: (n + 1023) / 1024, Buffers: []int{0, 1}, Params: []uint32{uint32(n+3) / 4}}},
			Check: func(read func(int) []uint32) error {
				return sameInAnyOrder("copy", read(1), func(i int) uint32 { return xs[i] })
			},
		}
	})}
}
