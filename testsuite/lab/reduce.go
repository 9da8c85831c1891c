package main

import (
	"fmt"

	"skald/runtime/device"
)

// groupAdd is the end of a reduction in a workgroup: acc of all threads into `total` of thread 0.
const groupAdd = `
  let part = subgroupAdd(acc);
  if (tid % $SG == 0u) { s[tid / $SG] = part; }
  workgroupBarrier();
  var total = s[0];
  if (tid == 0u) { for (var k = 1u; k < $W / $SG; k++) { total += s[k]; } }
`

// sumSource adds up 4-byte integers: each workgroup strides over the input with four loads of 16 bytes in flight
// and leaves one word.
//
// It moves 4 bytes an element and has one barrier (Harris, Optimizing Parallel Reduction in CUDA, 2007).
func sumSource(sg, threads int) *Source {
	return &Source{
		Name: "reduce", Threads: threads, Consts: map[string]any{"SG": fmt.Sprintf("%du", sg)},
		Buffers: []string{"x vec4<u32>", "part_of u32"}, Params: []string{"n"},
		Shared: []string{fmt.Sprintf("s u32 %d", threads/sg)},
		Body: `
  let n4 = params.n / 4u;
  let stride = groups * $W;
  var acc = 0u;
  var i = group * $W + tid;
  for (; i + 3u * stride < n4; i += 4u * stride) {
    let a = x[i]; let b = x[i + stride]; let c = x[i + 2u * stride]; let d = x[i + 3u * stride];
    let e = (a + b) + (c + d);
    acc += (e.x + e.y) + (e.z + e.w);
  }
  for (; i < n4; i += stride) { let a = x[i]; acc += (a.x + a.y) + (a.z + a.w); }
  let rest = params.n % 4u;
  if (group == 0u && tid == 0u && rest != 0u) {
    let a = x[n4];
    acc += a.x;
    if (rest > 1u) { acc += a.y; }
    if (rest > 2u) { acc += a.z; }
  }` + groupAdd + `
  if (tid == 0u) { part_of[group] = total; }
`,
	}
}

// reduceCase is a sum in two launches; its operator commutes.
func reduceCase(n int) Case {
	return Case{
		Name: fmt.Sprintf("reduce/add/%d", n), Bytes: 4 * int64(n), Target: [2]float64{106, 102},
		Plan: func(f *device.Facts) (*Plan, string) {
			sg, skip := subgroup(f)
			if sg == 0 {
				return nil, skip
			}
			groups := min(f.Units*8, max(1, (n+1023)/1024))
			xs := random(n)
			return &Plan{
				Kernels: []*Source{sumSource(sg, 256)},
				Buffers: []Data{{n, xs}, {Words: groups}, {Words: 1}},
				Steps: []Step{
					{Groups: groups, Buffers: []int{0, 1}, Params: []uint32{uint32(n)}},
					{Groups: 1, Buffers: []int{1, 2}, Params: []uint32{uint32(groups)}},
				},
				Check: func(read func(int) []uint32) error {
					want := opAdd.monoid().total(n, opAdd.elements([][]uint32{xs}))
					return same("sum", read(2), func(i int) uint32 { return want[i] })
				},
			}, ""
		},
	}
}

// msspOp joins two neighbouring pieces: best sum inside, from the start, to the end, and of all.
var msspOp = Func{
	Result: "vec4<i32>", Name: "join", Params: []string{"p vec4<i32>", "q vec4<i32>"},
	Body: ` return vec4<i32>(max(max(p.x, q.x), p.z + q.y), max(p.y, p.w + q.y), max(q.z, p.z + q.w), p.w + q.w); `,
}

var msspOne = Func{
	Result: "vec4<i32>", Name: "one", Params: []string{"v i32"},
	Body: ` let m = max(v, 0); return vec4<i32>(m, m, m, v); `,
}

// msspSources: every subgroup owns a contiguous piece. A thread folds 16 consecutive elements, the threads of a
// subgroup are joined in order by shuffles, and the subgroup keeps a running tuple. The second kernel joins the
// tuples that the subgroups left.
//
// They move 4 bytes an element and 16 a subgroup; only the second has a barrier, one.
func msspSources(sg int) []*Source {
	tree := ""
	for d := 1; d < sg; d *= 2 {
		tree += fmt.Sprintf("  t = join(t, subgroupShuffleDown(t, %du));\n", d)
	}
	consts := map[string]any{"SG": fmt.Sprintf("%du", sg)}
	load := ""
	for k := range 4 {
		load += fmt.Sprintf("let v%d = x[at + %du]; ", k, k)
	}
	fold := ""
	for k := range 4 {
		for c, part := range []string{"x", "y", "z", "w"} {
			fold += fmt.Sprintf("    if (at * 4u + %du < params.n) { t = join(t, one(v%d.%s)); }\n", 4*k+c, k, part)
		}
	}
	fast := ""
	for k := range 4 {
		for _, part := range []string{"x", "y", "z", "w"} {
			fast += fmt.Sprintf("    t = join(t, one(v%d.%s));\n", k, part)
		}
	}
	first := &Source{
		Name: "mssp", Threads: 256, Consts: consts, Funcs: []Func{msspOp, msspOne},
		Buffers: []string{"x vec4<i32>", "piece vec4<i32>"}, Params: []string{"n", "tiles", "each"},
		Body: `
  let lane = tid % $SG;
  let owner = group * ($W / $SG) + tid / $SG;
  var acc = vec4<i32>(0, 0, 0, 0);
  for (var k = 0u; k < params.each; k++) {
    let at = ((owner * params.each + k) * $SG + lane) * 4u;
    var t = vec4<i32>(0, 0, 0, 0);
    if (at * 4u + 15u < params.n) {
      ` + load + "\n" + fast + `
    } else { if (at * 4u < params.n) {
      ` + load + "\n" + fold + `
    } }
` + tree + `
    acc = join(acc, t);
  }
  if (lane == 0u) { piece[owner] = acc; }
`,
	}
	second := &Source{
		Name: "mssp-join", Threads: 256, Consts: consts, Funcs: []Func{msspOp},
		Buffers: []string{"piece vec4<i32>", "result vec4<i32>"}, Params: []string{"n"},
		Shared: []string{fmt.Sprintf("s vec4<i32> %d", 256/sg)},
		Body: `
  let each = (params.n + $W - 1u) / $W;
  var t = vec4<i32>(0, 0, 0, 0);
  for (var k = tid * each; k < min(params.n, (tid + 1u) * each); k++) { t = join(t, piece[k]); }
` + tree + `
  if (tid % $SG == 0u) { s[tid / $SG] = t; }
  workgroupBarrier();
  if (tid == 0u) {
    var r = s[0];
    for (var k = 1u; k < $W / $SG; k++) { r = join(r, s[k]); }
    result[0] = r;
  }
`,
	}
	return []*Source{first, second}
}

// msspCase is the reduction with an operator of four words that does not commute.
func msspCase(n int) Case {
	return Case{
		Name: fmt.Sprintf("reduce/mssp/%d", n), Bytes: 4 * int64(n), Target: [2]float64{200, 150},
		Plan: func(f *device.Facts) (*Plan, string) {
			sg, skip := subgroup(f)
			if sg == 0 {
				return nil, skip
			}
			perGroup := 256 / sg
			tiles := (n + 16*sg - 1) / (16 * sg)
			groups := min(f.Units*8, max(1, (tiles+perGroup-1)/perGroup))
			owners := groups * perGroup
			each := (tiles + owners - 1) / owners
			xs := random(n)
			return &Plan{
				Kernels: msspSources(sg),
				Buffers: []Data{{n, xs}, {Words: 4 * owners}, {Words: 4}},
				Steps: []Step{
					{Groups: groups, Buffers: []int{0, 1}, Params: []uint32{uint32(n), uint32(tiles), uint32(each)}},
					{Kernel: 1, Groups: 1, Buffers: []int{1, 2}, Params: []uint32{uint32(owners)}},
				},
				Check: func(read func(int) []uint32) error {
					want := opMSSP.monoid().total(n, opMSSP.elements([][]uint32{xs}))
					return same("mssp", read(2), func(i int) uint32 { return want[i] })
				},
			}, ""
		},
	}
}
