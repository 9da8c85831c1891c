package main

import (
	"fmt"
	"math"
	"strings"

	"skald/runtime/device"
)

// anySource multiplies a batch of matrices of any sizes, [rows][inner] by [inner][cols], of a type of words. Tiles and
// results a thread are those of matmulSource; what lies outside a matrix is read as zero and not written, a word at a
// time, as rows begin anywhere.
//
// It moves a matrix as often as tiles stand beside each other, mostly from the cache, and has two barriers each 16 columns.
func anySource(typ string, pitch int) *Source {
	vec := "vec4<" + typ + ">"
	zero := fmt.Sprintf("%s(%[2]s(0), %[2]s(0), %[2]s(0), %[2]s(0))", vec, typ)
	product := func(sum, y string) string {
		if typ == "f32" {
			return fmt.Sprintf("%[1]s = fma(w, %[2]s, %[1]s);", sum, y)
		}
		return fmt.Sprintf("%[1]s = %[1]s + w * %[2]s;", sum, y)
	}
	var b strings.Builder
	b.WriteString(`
  if (group >= params.across * params.down * params.batches) { return; }
  let tile = group % (params.across * params.down);
  let batch = group / (params.across * params.down);
  let r0 = (tile / params.across) * 128u;
  let c0 = (tile % params.across) * 128u;
  let abase = batch * params.rows * params.inner;
  let bbase = batch * params.inner * params.cols;
  let cbase = batch * params.rows * params.cols;
  let tx = tid % 16u;
  let ty = tid / 16u;
`)
	for i := range 8 {
		fmt.Fprintf(&b, "  var p%[1]d = %[2]s; var q%[1]d = p%[1]d;\n", i, zero)
	}
	b.WriteString(`  for (var k = 0u; k < params.inner; k += 16u) {
    for (var h = 0u; h < 8u; h++) {
      let r = h * 16u + ty;
      var v = ` + typ + `(0);
      if (r0 + r < params.rows && k + tx < params.inner) { v = a[abase + (r0 + r) * params.inner + k + tx]; }
      sa[tx * $PITCH + r] = v;
    }
    for (var h = 0u; h < 2u; h++) {
      let r = h * 8u + tid / 32u;
      let c = (tid % 32u) * 4u;
      var v = ` + zero + `;
      if (k + r < params.inner) {
        let at = bbase + (k + r) * params.cols + c0 + c;
        if (c0 + c < params.cols) { v.x = b[at]; }
        if (c0 + c + 1u < params.cols) { v.y = b[at + 1u]; }
        if (c0 + c + 2u < params.cols) { v.z = b[at + 2u]; }
        if (c0 + c + 3u < params.cols) { v.w = b[at + 3u]; }
      }
      sb[r * 32u + tid % 32u] = v;
    }
    workgroupBarrier();
    for (var j = 0u; j < 16u; j++) {
      let y0 = sb[j * 32u + tx];
      let y1 = sb[j * 32u + 16u + tx];
      let at = j * $PITCH + ty * 4u;
`)
	for i := range 8 {
		fmt.Fprintf(&b, "      { let x = sa[at + %du]; let w = %s(x, x, x, x); %s %s }\n", i%4+i/4*64, vec,
			product(fmt.Sprintf("p%d", i), "y0"), product(fmt.Sprintf("q%d", i), "y1"))
	}
	b.WriteString("    }\n    workgroupBarrier();\n  }\n")
	for i := range 8 {
		fmt.Fprintf(&b, "  { let r = r0 + %du + ty * 4u;\n    if (r < params.rows) {\n      let at = cbase + r * params.cols;\n", i%4+i/4*64)
		for half, sum := range []string{"p", "q"} {
			for lane, w := range "xyzw" {
				fmt.Fprintf(&b, "      { let c = c0 + %du + tx * 4u; if (c < params.cols) { c_[at + c] = %s%d.%c; } }\n",
					64*half+lane, sum, i, w)
			}
		}
		b.WriteString("    }\n  }\n")
	}
	return &Source{
		Name: "matmul-any-" + typ, Threads: 256, Params: []string{"rows", "inner", "cols", "across", "down", "batches"},
		Buffers: []string{"a " + typ, "b " + typ, "c_ " + typ}, Body: b.String(),
		Shared: []string{fmt.Sprintf("sa %s %d", typ, 16*pitch), "sb " + vec + " 512"},
		Consts: map[string]any{"PITCH": fmt.Sprintf("%du", pitch)},
	}
}

// matmulAnyCase is the product of batches of matrices of whole numbers; some of its entries are checked, exactly.
func matmulAnyCase(typ string, batches, rows, inner, cols int) Case {
	return Case{
		Name:  fmt.Sprintf("matmul/%s/%dx%dx%dx%d", typ, batches, rows, inner, cols),
		Flops: 2 * float64(batches) * float64(rows) * float64(inner) * float64(cols),
		Plan: func(f *device.Facts) (*Plan, string) {
			at := func(i int) int32 { return int32(mix(uint32(i))%7) - 3 }
			word := func(x int32) uint32 {
				if typ == "f32" {
					return math.Float32bits(float32(x))
				}
				return uint32(x)
			}
			matrices := func(n int) []uint32 {
				xs := make([]uint32, n)
				for i := range xs {
					xs[i] = word(at(i))
				}
				return xs
			}
			across, down, n := (cols+127)/128, (rows+127)/128, batches*rows*cols
			p := &Plan{Kernels: []*Source{anySource(typ, pitchOn(f))}}
			b := append(p.give(matrices(batches*rows*inner), matrices(batches*inner*cols)), p.reserve(1, n)...)
			step := Step{Groups: across * down * batches, Buffers: b}
			for _, v := range []int{rows, inner, cols, across, down, batches} {
				step.Params = append(step.Params, uint32(v))
			}
			p.Steps = []Step{step}
			p.Check = func(read func(int) []uint32) error {
				got := read(b[2])
				for e := range min(n, 20_000) {
					i := e
					if n > 20_000 {
						i = int(mix(uint32(e)) % uint32(n))
					}
					batch, r, c := i/(rows*cols), i/cols%rows, i%cols
					var want int32
					for k := range inner {
						want += at((batch*rows+r)*inner+k) * at((batch*inner+k)*cols+c)
					}
					if got[i] != word(want) {
						return fmt.Errorf("entry %d is %#x, want %#x", i, got[i], word(want))
					}
				}
				return nil
			}
			return p, ""
		},
	}
}
