package main

import (
	"fmt"

	"skald/runtime/device"
)

// copyCase moves 16 bytes a thread. Its rate is the copy rate of the floors.
func copyCase(n int) Case {
	return Case{Name: fmt.Sprintf("copy/%d", n), Bytes: 8 * int64(n), Plan: func(*device.Facts) (*Plan, string) {
		xs := random(n)
		return &Plan{
			Kernels: []*Source{{
				Name: "copy", Threads: 256, Buffers: []string{"x vec4<u32>", "y vec4<u32>"}, Params: []string{"n4"},
				Body: "  let i = group * $W + tid;\n  if (i < params.n4) { y[i] = x[i]; }\n",
			}},
			Buffers: []Data{{n, xs}, {Words: n}},
			Steps:   []Step{{Groups: (n + 1023) / 1024, Buffers: []int{0, 1}, Params: []uint32{uint32(n+3) / 4}}},
			Check: func(read func(int) []uint32) error {
				return same("copy", read(1), func(i int) uint32 { return xs[i] })
			},
		}, ""
	}}
}

// transposeCase exchanges two dimensions by tiles of 32 x 32 in workgroup memory, whose rows are one word longer
// so that columns lie in different banks.
func transposeCase(rows, cols int) Case {
	n := rows * cols
	return Case{
		Name: fmt.Sprintf("transpose/%dx%d", rows, cols), Bytes: 8 * int64(n), Target: [2]float64{235, 220},
		Plan: func(*device.Facts) (*Plan, string) {
			xs := random(n)
			across, down := (cols+31)/32, (rows+31)/32
			return &Plan{
				Kernels: []*Source{{
					Name: "transpose", Threads: 256, Buffers: []string{"x u32", "y u32"},
					Params: []string{"rows", "cols", "across", "down"}, Shared: []string{"s u32 1056"},
					Body: `
  let c0 = (group % params.across) * 32u;
  let r0 = (group / params.across) * 32u;
  let a = tid % 32u;
  let b = tid / 32u;
  if (r0 + 32u <= params.rows && c0 + 32u <= params.cols) {
  let m0 = x[(r0 + b + 0u) * params.cols + c0 + a];
  let m1 = x[(r0 + b + 8u) * params.cols + c0 + a];
  let m2 = x[(r0 + b + 16u) * params.cols + c0 + a];
  let m3 = x[(r0 + b + 24u) * params.cols + c0 + a];
  s[(b + 0u) * 33u + a] = m0;
  s[(b + 8u) * 33u + a] = m1;
  s[(b + 16u) * 33u + a] = m2;
  s[(b + 24u) * 33u + a] = m3;
  } else {
  for (var k = b; k < 32u; k += 8u) {
    if (r0 + k < params.rows && c0 + a < params.cols) { s[k * 33u + a] = x[(r0 + k) * params.cols + c0 + a]; }
  }
  }
  workgroupBarrier();
  if (r0 + 32u <= params.rows && c0 + 32u <= params.cols) {
  y[(c0 + b + 0u) * params.rows + r0 + a] = s[a * 33u + b + 0u];
  y[(c0 + b + 8u) * params.rows + r0 + a] = s[a * 33u + b + 8u];
  y[(c0 + b + 16u) * params.rows + r0 + a] = s[a * 33u + b + 16u];
  y[(c0 + b + 24u) * params.rows + r0 + a] = s[a * 33u + b + 24u];
  } else {
  for (var k = b; k < 32u; k += 8u) {
    if (c0 + k < params.cols && r0 + a < params.rows) { y[(c0 + k) * params.rows + r0 + a] = s[a * 33u + k]; }
  }
  }
`,
				}},
				Buffers: []Data{{n, xs}, {Words: n}},
				Steps: []Step{{
					Groups: across * down, Buffers: []int{0, 1},
					Params: []uint32{uint32(rows), uint32(cols), uint32(across), uint32(down)},
				}},
				Check: func(read func(int) []uint32) error {
					return same("transpose", read(1), func(i int) uint32 { return xs[i%rows*cols+i/rows] })
				},
			}, ""
		},
	}
}
