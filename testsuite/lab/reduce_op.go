package main

import (
	"fmt"
	"math"
	"strings"
	"sync"

	"skald/runtime/device"
)

// Note [Reductions with any operator]
//
// There are two ways. Where the operator commutes, threads stride over the input. Where it does not, every thread owns
// consecutive elements, and a workgroup reads pieces of all its threads' elements through a tile in workgroup memory,
// a row a thread and one word longer than the piece: reads of storage are consecutive, and each thread keeps one
// running element in registers. Either way threads are joined once, at the end, however wide elements are; the
// second launch joins what workgroups left. Compare mssp in reduce.go, which joins a subgroup's threads at each step.

// reduction is a reduction of words x at positions i, made elements by `lift`: see Note [Reductions with any operator].
type reduction struct {
	op       *Operator
	lift     string                        // The body of lift(x, i).
	element  func(x, i uint32, e []uint32) // The same in Go: fills e.
	commutes bool

	// The bodies of map0(x, i) and so on: words of further outputs, which the launch that reads the input writes. It is for
	// operators that commute.
	maps   []string
	mapped func(j int, x, i uint32) uint32
}

// Matrices are over the integers modulo 2^32.
var (
	reduceIndex = &reduction{
		op: &Operator{
			Name: "index", Fields: []string{"i32", "u32"}, Zero: []string{"(-2147483647 - 1)", "0xffffffffu"},
			Join: " if (q.f0 > p.f0 || (q.f0 == p.f0 && q.f1 < p.f1)) { return q; } return p; ",
			Reference: func(p, q []uint32) {
				if int32(q[0]) > int32(p[0]) || q[0] == p[0] && q[1] < p[1] {
					copy(p, q)
				}
			},
			neutralInNumber: []uint32{1 << 31, 0xffffffff},
		},
		lift: " return E(i32(x), i); ", element: func(x, i uint32, e []uint32) { e[0], e[1] = x, i }, commutes: true,
	}
	// Three reductions at once.
	reduceSeveral = &reduction{
		op: opSeveral, lift: " return E(x, i32(x ^ i), f32(i % 1024u)); ", commutes: true,
		element: func(x, i uint32, e []uint32) { e[0], e[1], e[2] = x, x^i, math.Float32bits(float32(i%1024)) },
	}
	// A sum of numbers of 64 bits.
	reduceI64 = &reduction{
		op: opAddI64, lift: " return E(x, select(0u, 0xffffffffu, i32(x) < 0)); ", commutes: true,
		element: func(x, _ uint32, e []uint32) { e[0], e[1] = x, uint32(int32(x)>>31) },
	}
	reduceMatrix = affine("matrix2x2", 2, 2)
	reduceTwelve = affine("affine3x4", 3, 4)
)

// affine is the product of matrices of some rows and columns; a column more than rows is a translation.
func affine(name string, rows, cols int) *reduction {
	r := &reduction{op: &Operator{Name: name}}
	var words, lift []string
	for i := range rows {
		for j := range cols {
			r.op.Fields = append(r.op.Fields, "u32")
			r.op.Zero = append(r.op.Zero, fmt.Sprintf("%du", bit(i == j)))
			r.op.neutralInNumber = append(r.op.neutralInNumber, bit(i == j))
			var sum []string
			for k := range rows {
				sum = append(sum, fmt.Sprintf("p.f%d * q.f%d", i*cols+k, k*cols+j))
			}
			if j == rows {
				sum = append(sum, fmt.Sprintf("p.f%d", i*cols+j))
			}
			words = append(words, strings.Join(sum, " + "))
			lift = append(lift, fmt.Sprintf("(x >> %du) + %du", i*cols+j, bit(i == j)))
		}
	}
	r.op.Join = " return E(" + strings.Join(words, ", ") + "); "
	r.lift = " return E(" + strings.Join(lift, ", ") + "); "
	r.element = func(x, _ uint32, e []uint32) {
		for k := range e {
			e[k] = x>>k + bit(k/cols == k%cols)
		}
	}
	r.op.Reference = func(p, q []uint32) {
		var t [12]uint32
		for i := range rows {
			for j := range cols {
				for k := range rows {
					t[i*cols+j] += p[i*cols+k] * q[k*cols+j]
				}
				if j == rows {
					t[i*cols+j] += p[i*cols+j]
				}
			}
		}
		copy(p, t[:])
	}
	return r
}

func bit(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

// directFold has a thread read its own consecutive elements from storage, 64 bytes at a time.
var directFold = func() string {
	var load, fold strings.Builder
	for k := range 4 {
		fmt.Fprintf(&load, "    var v%[1]d = vec4<u32>(0u, 0u, 0u, 0u); if (b + %[2]du < params.n) { v%[1]d = x[b / 4u + %[1]du]; }\n", k, 4*k)
		for c, w := range "xyzw" {
			fmt.Fprintf(&fold, "    if (b + %[1]du < params.n) { acc = join(acc, lift(v%[2]d.%[3]c, b + %[1]du)); }\n", 4*k+c, k, w)
		}
	}
	return `
  let start = (group * $W + tid) * params.each;
  for (var b = start; b < min(start + params.each, params.n); b += 16u) {
` + load.String() + fold.String() + "  }\n"
}()

// kernels are the two launches, for subgroups of some size; piece is how many elements of a thread the tile holds, 0
// where threads read storage themselves.
//
// The first moves each word once and has one barrier, and two more a tile where elements are brought through one; the
// second reads a tuple a workgroup (Larsen and Henriksen, Strategies for Regular Segmented Reductions on GPU, 2017).
func (r *reduction) kernels(sg, threads, piece int) []*Source {
	op := r.op
	s := &scanShape{op: op, threads: threads, sg: sg, rows: 1}
	lift := Func{Result: op.typ(), Name: "lift", Params: []string{"x u32", "i u32"}, Body: r.lift}
	tree := ""
	for d := 1; d < sg; d *= 2 {
		tree += fmt.Sprintf("  { let u = %s; acc = join(acc, u); }\n",
			op.shuffled("subgroupShuffleDown", "acc", fmt.Sprintf("%du", d)))
	}
	begin := "  let lane = tid % $SG;\n  let sub = tid / $SG;\n  var acc = $ZERO;\n"
	first := &Source{
		Name: "reduce-" + op.Name, Threads: threads, Consts: s.consts(), Shared: s.shared(), Structs: op.structs(),
		Funcs: append(op.funcs()[:1:1], lift), Buffers: []string{"x vec4<u32>", "part_of u32"}, Params: []string{"n", "each"},
	}
	if r.commutes {
		first.Body = begin + "  for (var i = (group * $W + tid) * 4u; i < params.n; i += groups * $W * 4u) {\n    let v = x[i / 4u];\n"
		for c, w := range "xyzw" {
			first.Body += fmt.Sprintf("    if (i + %[1]du < params.n) { acc = join(acc, lift(v.%[2]c, i + %[1]du)); }\n", c, w)
		}
		for j, m := range r.maps {
			name := fmt.Sprintf("map%d", j)
			first.Funcs = append(first.Funcs, Func{Result: "u32", Name: name, Params: lift.Params, Body: m})
			first.Buffers = append(first.Buffers, fmt.Sprintf("m%d vec4<u32>", j))
			first.Body += fmt.Sprintf("    m%d[i / 4u] = vec4<u32>(%[2]s(v.x, i), %[2]s(v.y, i + 1u), "+
				"%[2]s(v.z, i + 2u), %[2]s(v.w, i + 3u));\n", j, name)
		}
		first.Body += "  }\n"
	} else if piece == 0 {
		first.Body = begin + directFold
	} else {
		first.Buffers[0] = "x u32"
		first.Shared = append(first.Shared, fmt.Sprintf("tile u32 %d", threads*(piece+1)))
		first.Consts["PIECE"], first.Consts["ROW"] = fmt.Sprintf("%du", piece), fmt.Sprintf("%du", piece+1)
		first.Body = begin + `
  let start = group * $W * params.each;
  for (var b = 0u; b < params.each; b += $PIECE) {
    for (var k = tid; k < $W * $PIECE; k += $W) {
      let i = start + k / $PIECE * params.each + b + k % $PIECE;
      if (i < params.n) { tile[k / $PIECE * $ROW + k % $PIECE] = x[i]; }
    }
    workgroupBarrier();
    for (var k = 0u; k < $PIECE; k++) {
      let i = start + tid * params.each + b + k;
      if (i < params.n) { acc = join(acc, lift(tile[tid * $ROW + k], i)); }
    }
    workgroupBarrier();
  }
`
	}
	first.Body += tree + s.meet("acc", "ahead", "total") + "  if (tid == 0u) { " + s.write("part_of", "group", "total") + "}\n"
	second := &Source{
		Name: "reduce-join-" + op.Name, Threads: threads, Consts: s.consts(), Shared: s.shared(), Structs: op.structs(),
		Funcs: op.funcs()[:1], Buffers: []string{"part_of u32", "result u32"}, Params: []string{"n", "each"},
		Body: begin + `
  for (var i = tid * params.each; i < min(params.n, (tid + 1u) * params.each); i++) { let e = ` +
			s.read("part_of", "i") + `; acc = join(acc, e); }
` + tree + s.meet("acc", "ahead", "total") + "  if (tid == 0u) { " + s.write("result", "0u", "total") + "}\n",
	}
	return []*Source{first, second}
}

// reduceOpCase reduces n words with any operator.
func reduceOpCase(r *reduction, n, piece int) Case {
	name := fmt.Sprintf("reduce/%s/%d", r.op.Name, n)
	if !r.commutes {
		name += fmt.Sprintf("/piece%d", piece)
	}
	wanted := sync.OnceValue(func() []uint32 {
		xs := random(n)
		return r.op.monoid().total(n, func(i int, e []uint32) { r.element(xs[i], uint32(i), e) })
	})
	return Case{Name: name, Bytes: 4 * int64(n*(1+len(r.maps))), Plan: func(f *device.Facts) (*Plan, string) {
		sg, _ := subgroup(f)
		threads := 128
		few := max(16, piece) // What a thread takes at least.
		groups := max(1, min(f.Units*16, (n+threads*few-1)/(threads*few)))
		each := (n + groups*threads - 1) / (groups * threads)
		each = (each + few - 1) / few * few
		xs, w := random(n), r.op.width()
		p := &Plan{
			Kernels: r.kernels(sg, threads, piece),
			Buffers: []Data{{n, xs}, {Words: w * groups}, {Words: w}},
			Steps: []Step{
				{Groups: groups, Buffers: []int{0, 1}, Params: []uint32{uint32(n), uint32(each)}},
				{Kernel: 1, Groups: 1, Buffers: []int{1, 2}, Params: []uint32{uint32(groups), uint32((groups + threads - 1) / threads)}},
			},
		}
		p.Steps[0].Buffers = append(p.Steps[0].Buffers, p.reserve(len(r.maps), n)...)
		p.Check = func(read func(int) []uint32) error {
			want := wanted()
			for j := range r.maps {
				if err := sameInAnyOrder("map", read(3+j), func(i int) uint32 { return r.mapped(j, xs[i], uint32(i)) }); err != nil {
					return err
				}
			}
			return same("reduce", read(2), func(i int) uint32 { return want[i] })
		}
		return p, ""
	}}
}

// columnsCase adds up the columns of [n][m]: a workgroup takes some columns, and of the rows a part, each of its rows
// of threads every so many; the second launch adds up the parts the same way.
func columnsCase(n, m int) Case {
	return Case{
		Name: fmt.Sprintf("columns/%dx%d", n, m), Bytes: 4 * int64(n*m+m),
		Plan: func(f *device.Facts) (*Plan, string) {
			across := 4
			for across < 256 && across < m {
				across *= 2
			}
			down := 256 / across
			strips := (m + across - 1) / across
			parts := max(1, min((n+4*down-1)/(4*down), f.Units*8/strips))
			each := (n + parts - 1) / max(1, parts)
			s := &Source{
				Name: fmt.Sprintf("columns-%d", across), Threads: 256, Buffers: []string{"x u32", "y u32"},
				Params: []string{"n", "m", "strips", "each"}, Shared: []string{"s u32 256"},
				Consts: map[string]any{"ACROSS": fmt.Sprintf("%du", across), "DOWN": fmt.Sprintf("%du", down)},
				Body: `
  let c = group % params.strips * $ACROSS + tid % $ACROSS;
  let part = group / params.strips;
  let last = min(params.n, (part + 1u) * params.each);
  var a0 = 0u; var a1 = 0u; var a2 = 0u; var a3 = 0u;
  if (c < params.m) {
    var r = part * params.each + tid / $ACROSS;
    for (; r + 3u * $DOWN < last; r += 4u * $DOWN) {
      a0 += x[r * params.m + c]; a1 += x[(r + $DOWN) * params.m + c];
      a2 += x[(r + 2u * $DOWN) * params.m + c]; a3 += x[(r + 3u * $DOWN) * params.m + c];
    }
    for (; r < last; r += $DOWN) { a0 += x[r * params.m + c]; }
  }
  s[tid] = (a0 + a1) + (a2 + a3);
  workgroupBarrier();
  if (tid < $ACROSS && c < params.m) {
    var sum = s[tid];
    for (var k = 1u; k < $DOWN; k++) { sum += s[k * $ACROSS + tid]; }
    y[part * params.m + c] = sum;
  }
`,
			}
			xs := random(n * m)
			p := &Plan{
				Kernels: []*Source{s}, Buffers: []Data{{n * m, xs}, {Words: m * parts}, {Words: m}},
				Steps: []Step{
					{Groups: strips * parts, Buffers: []int{0, 1}, Params: []uint32{uint32(n), uint32(m), uint32(strips), uint32(each)}},
					{Groups: strips, Buffers: []int{1, 2}, Params: []uint32{uint32(parts), uint32(m), uint32(strips), uint32(parts)}},
				},
			}
			p.Check = func(read func(int) []uint32) error {
				want := make([]uint32, m)
				inPieces(m, func(_, first, last int) {
					for row := range n {
						for c := first; c < last; c++ {
							want[c] += xs[row*m+c]
						}
					}
				})
				return same("columns", read(2), func(i int) uint32 { return want[i] })
			}
			return p, ""
		},
	}
}
