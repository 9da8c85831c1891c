package main

import (
	"fmt"
	"math"
	"strings"

	"skald/runtime/device"
)

// matmulSource multiplies square matrices of f32 whose side is a multiple of 128: tiles of 128 x 128 by 256 threads
// with 8 x 8 results each in registers, as two by two blocks of 4 x 4 so that reads of workgroup memory are whole;
// 16 columns of a and rows of b lie in workgroup memory at a time.
//
// It moves each matrix side/128 times, mostly from the cache, and has two barriers each 16 columns (Volkov and Demmel, Benchmarking
// GPUs to Tune Dense Linear Algebra, 2008).
func matmulSource(pitch int) *Source {
	var b strings.Builder
	b.WriteString(`
  let side = params.n / 128u;
  let r0 = (group / side) * 128u;
  let c0 = (group % side) * 128u;
  let n4 = params.n / 4u;
  let tx = tid % 16u;
  let ty = tid / 16u;
`)
	for i := range 8 {
		fmt.Fprintf(&b, "  var p%[1]d = vec4<f32>(0.0f, 0.0f, 0.0f, 0.0f); var q%[1]d = p%[1]d;\n", i)
	}
	b.WriteString(`  for (var k = 0u; k < params.n; k += 16u) {
    for (var h = 0u; h < 2u; h++) {
      let i = h * $W + tid;
      let v = a[(r0 + i / 4u) * n4 + k / 4u + i % 4u];
      let at = (i % 4u) * 4u * $PITCH + i / 4u;
      sa[at] = v.x; sa[at + $PITCH] = v.y; sa[at + 2u * $PITCH] = v.z; sa[at + 3u * $PITCH] = v.w;
      sb[i] = b[(k + i / 32u) * n4 + c0 / 4u + i % 32u];
    }
    workgroupBarrier();
    for (var j = 0u; j < 16u; j++) {
      let y0 = sb[j * 32u + tx];
      let y1 = sb[j * 32u + 16u + tx];
      let at = j * $PITCH + ty * 4u;
`)
	for i := range 8 {
		fmt.Fprintf(&b, `      { let x = sa[at + %[2]du]; let w = vec4<f32>(x, x, x, x);
        p%[1]d = fma(w, y0, p%[1]d); q%[1]d = fma(w, y1, q%[1]d); }
`, i, i%4+i/4*64)
	}
	b.WriteString("    }\n    workgroupBarrier();\n  }\n")
	for i := range 8 {
		fmt.Fprintf(&b, `  { let at = (r0 + %[2]du + ty * 4u) * n4 + c0 / 4u + tx; c[at] = p%[1]d; c[at + 16u] = q%[1]d; }
`, i, i%4+i/4*64)
	}
	return &Source{
		Name: "matmul", Threads: 256, Params: []string{"n"}, Body: b.String(),
		Buffers: []string{"a vec4<f32>", "b vec4<f32>", "c vec4<f32>"},
		Shared:  []string{fmt.Sprintf("sa f32 %d", 16*pitch), "sb vec4<f32> 512"},
		Consts:  map[string]any{"PITCH": fmt.Sprintf("%du", pitch)},
	}
}

// pitchOn is how far apart lie the columns of a tile of a, of 128 words: moved on so that threads that store them meet
// different banks, where workgroup memory is large enough for both tiles then.
func pitchOn(f *device.Facts) int {
	const tiles = 2 * 16 * 128 * 4
	if f.WorkgroupMemory < tiles+16*4*4 {
		return 128
	}
	return 132
}

// matmulCase is the product of two square matrices; some of its entries are checked, for whole numbers exactly.
func matmulCase(n int) Case {
	return Case{
		Name: fmt.Sprintf("matmul/%d", n), Flops: 2 * float64(n) * float64(n) * float64(n),
		Plan: func(f *device.Facts) (*Plan, string) {
			at := func(i int) float32 { return float32(mix(uint32(i))%7) - 3 }
			xs := make([]uint32, n*n)
			for i := range xs {
				xs[i] = math.Float32bits(at(i))
			}
			return &Plan{
				Kernels: []*Source{matmulSource(pitchOn(f))},
				Buffers: []Data{{n * n, xs}, {n * n, xs}, {Words: n * n}},
				Steps:   []Step{{Groups: n / 128 * (n / 128), Buffers: []int{0, 1, 2}, Params: []uint32{uint32(n)}}},
				Check: func(read func(int) []uint32) error {
					got := read(2)
					for e := range 2000 {
						i := int(mix(uint32(e)) % uint32(n*n))
						var want float32
						for k := range n {
							want += at(i/n*n+k) * at(k*n+i%n)
						}
						if g := math.Float32frombits(got[i]); g != want {
							return fmt.Errorf("entry %d is %v, want %v", i, g, want)
						}
					}
					return nil
				},
			}, ""
		},
	}
}
