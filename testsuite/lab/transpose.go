package main

import (
	"fmt"

	"skald/runtime/device"
)

// Note [Transposition]
//
// Tiles go through workgroup memory, so that both sides are read and written in runs. Where both dimensions are
// multiples of four, a thread owns a block of 4 x 4: it reads four vectors, transposes them in registers and writes
// four; a tile of workgroup memory holds vectors, whose place in a row is rotated by the row's number over four, so
// that neither side meets a bank twice. Elsewhere tiles are 32 x 32 words in rows of 33. Thin matrices are cut along
// the long side only: a piece is consecutive on the thin side. A batch is one more dimension of tiles.

// tiling is how a transposition is carried out: tiles of so many rows and columns, by workgroups that take one tile,
// or go on to further ones where loop is set. See Note [Transposition].
type tiling struct {
	rows, cols int
	loop       int // Workgroups a unit, 0 for a workgroup a tile.

	// four: where one side is four, its words are one vector, without a tile.
	four bool
}

// blockSource transposes tiles of blocks of 4 x 4.
//
// It moves 8 bytes an element and has one barrier, a second where workgroups take several tiles. See Note [Transposition].
func blockSource(t tiling) *Source {
	begin, end := "  let tile = group;\n  if (tile < params.across * params.down * params.batches) {\n", "  }\n"
	if t.loop > 0 {
		begin = "  for (var tile = group; tile < params.across * params.down * params.batches; tile += groups) {\n"
		end = "    workgroupBarrier();\n  }\n"
	}
	return &Source{
		Name:    fmt.Sprintf("transpose-blocks-%dx%d-%d", t.rows, t.cols, t.loop),
		Threads: t.rows / 4 * t.cols / 4, Buffers: []string{"x vec4<u32>", "y vec4<u32>"},
		Params: planeParams,
		Shared: []string{fmt.Sprintf("s vec4<u32> %d", t.rows*t.cols/4)},
		Consts: map[string]any{"TR": fmt.Sprintf("%du", t.rows/4), "TC": fmt.Sprintf("%du", t.cols/4)},
		Body: `
  let r4 = params.rows / 4u;
  let c4 = params.cols / 4u;
` + begin + `
    let within = tile % (params.across * params.down);
    let batch = tile / (params.across * params.down);
    let xbase = batch * (params.xbatch / 4u);
    let ybase = batch * (params.ybatch / 4u);
    let xrow = params.xrow / 4u;
    let c0 = (within % params.across) * $TC;
    let r0 = (within / params.across) * $TR;
    let c = tid % $TC;
    let r = tid / $TC;
    if (r0 + r < r4 && c0 + c < c4) {
      let at = xbase + (r0 + r) * 4u * xrow + c0 + c;
      let v0 = x[at]; let v1 = x[at + xrow]; let v2 = x[at + 2u * xrow]; let v3 = x[at + 3u * xrow];
      let p = c * 4u * $TR + (r + c) % $TR;
      s[p] = vec4<u32>(v0.x, v1.x, v2.x, v3.x);
      s[p + $TR] = vec4<u32>(v0.y, v1.y, v2.y, v3.y);
      s[p + 2u * $TR] = vec4<u32>(v0.z, v1.z, v2.z, v3.z);
      s[p + 3u * $TR] = vec4<u32>(v0.w, v1.w, v2.w, v3.w);
    }
    workgroupBarrier();
    let q = tid % $TR;
    let d = tid / $TR;
    for (var k = 0u; k < 4u; k++) {
      let o = d + k * $TC;
      if (r0 + q < r4 && c0 * 4u + o < params.cols) {
        stream y[ybase + (c0 * 4u + o) * (params.yrow / 4u) + r0 + q] = s[o * $TR + (q + o / 4u) % $TR];
      }
    }
` + end,
	}
}

// wordTiles transposes tiles of 32 x 32 elements of a type of whole words, of any sizes.
//
// It moves 8 bytes a word and has one barrier (Ruetsch and Micikevicius, Optimizing Matrix Transpose in CUDA, 2009).
func wordTiles(typ string) *Source {
	return &Source{
		Name: "transpose-words-" + typ[:3], Threads: 256, Buffers: []string{"x " + typ, "y " + typ},
		Params: planeParams, Shared: []string{"s " + typ + " 1056"},
		Body: `
  let within = group % (params.across * params.down);
  let batch = group / (params.across * params.down);
  let xbase = batch * params.xbatch;
  let ybase = batch * params.ybatch;
  let c0 = (within % params.across) * 32u;
  let r0 = (within / params.across) * 32u;
  let a = tid % 32u;
  let b = tid / 32u;
  let xrow = params.xrow;
  let whole = r0 + 32u <= params.rows && c0 + 32u <= params.cols;
  if (group >= params.across * params.down * params.batches) { return; }
  if (whole) {
    let at = xbase + (r0 + b) * xrow + c0 + a;
    let m0 = x[at]; let m1 = x[at + 8u * xrow];
    let m2 = x[at + 16u * xrow]; let m3 = x[at + 24u * xrow];
    s[b * 33u + a] = m0; s[(b + 8u) * 33u + a] = m1; s[(b + 16u) * 33u + a] = m2; s[(b + 24u) * 33u + a] = m3;
  } else {
    for (var k = b; k < 32u; k += 8u) {
      if (r0 + k < params.rows && c0 + a < params.cols) {
        s[k * 33u + a] = x[xbase + (r0 + k) * xrow + c0 + a];
      }
    }
  }
  workgroupBarrier();
  for (var k = b; k < 32u; k += 8u) {
    if (whole || (c0 + k < params.cols && r0 + a < params.rows)) {
      y[ybase + (c0 + k) * params.yrow + r0 + a] = s[a * 33u + k];
    }
  }
`,
	}
}

// thinSource transposes [n][k] into [k][n], or back: pieces of the long side lie whole in workgroup memory.
//
// It moves 8 bytes an element and has one barrier.
func thinSource(k, piece int, back bool) *Source {
	name := "thin"
	inner := `
  for (var j = tid; j < part * $K; j += $W) { s[j / $K * $ROW + j % $K] = x[base + c0 * $K + j]; }
  workgroupBarrier();
  for (var j = tid; j < $PIECE * $K; j += $W) {
    let r = j % $PIECE; let c = j / $PIECE;
    if (r < part) { y[base + c * params.n + c0 + r] = s[r * $ROW + c]; }
  }
`
	if back {
		name, inner = "thin-back", `
  for (var j = tid; j < $PIECE * $K; j += $W) {
    let r = j % $PIECE; let c = j / $PIECE;
    if (r < part) { s[r * $ROW + c] = x[base + c * params.n + c0 + r]; }
  }
  workgroupBarrier();
  for (var j = tid; j < part * $K; j += $W) { y[base + c0 * $K + j] = s[j / $K * $ROW + j % $K]; }
`
	}
	return &Source{
		Name: fmt.Sprintf("transpose-%s-%d", name, k), Threads: 256, Buffers: []string{"x u32", "y u32"},
		Params: []string{"n", "across", "batches"}, Shared: []string{fmt.Sprintf("s u32 %d", piece*(k|1))},
		Consts: map[string]any{
			"K": fmt.Sprintf("%du", k), "PIECE": fmt.Sprintf("%du", piece), "ROW": fmt.Sprintf("%du", k|1),
		},
		Body: `
  if (group >= params.across * params.batches) { return; }
  let c0 = group % params.across * $PIECE;
  let base = group / params.across * (params.n * $K);
  let part = min($PIECE, params.n - c0);
` + inner,
	}
}

// thinVectors transposes [n][4] into [4][n], or back: a thread owns four words that lie together on the thin side, one
// vector, and those beside its neighbours' on the other.
//
// It moves 8 bytes an element and has no barrier.
func thinVectors(back bool) *Source {
	s := &Source{
		Name: "transpose-four", Threads: 256, Buffers: []string{"x vec4<u32>", "y u32"}, Params: []string{"n", "total"},
		Body: `
  let i = group * $W + tid;
  if (i >= params.total) { return; }
  let at = i / params.n * 4u * params.n + i % params.n;
`,
	}
	if back {
		s.Name, s.Buffers = "transpose-four-back", []string{"x u32", "y vec4<u32>"}
		s.Body += "  y[i] = vec4<u32>(x[at], x[at + params.n], x[at + 2u * params.n], x[at + 3u * params.n]);\n"
	} else {
		s.Body += "  let v = x[i]; y[at] = v.x; y[at + params.n] = v.y; y[at + 2u * params.n] = v.z; y[at + 3u * params.n] = v.w;\n"
	}
	return s
}

// usual are the tiles of the table: the best that were measured, which differ by language.
var usual = tiling{rows: -1, cols: -1}

// chosen returns the tiles for a device.
func (t tiling) chosen(f *device.Facts) tiling {
	switch {
	case t != usual:
		return t
	case isCUDA(f):
		return tiling{rows: 128, cols: 64}
	}
	return tiling{rows: 32, cols: 64}
}

// plane says which elements are exchanged: of each batch, those of a row lie together in x, those of a column in y. The
// other strides are of rows and batches in x, and of what were columns, and of batches, in y.
type plane struct{ batches, rows, cols, xrow, xbatch, yrow, ybatch int }

// planeParams are a plane's parameters, with how many tiles stand beside and below each other.
var planeParams = []string{"rows", "cols", "across", "down", "batches", "xrow", "xbatch", "yrow", "ybatch"}

// step is the launch that exchanges a plane's elements by workgroups with tiles of h x w.
func (p *plane) step(h, w int) Step {
	across, down := (p.cols+w-1)/w, (p.rows+h-1)/h
	s := Step{Groups: across * down * p.batches, Buffers: []int{0, 1}}
	for _, v := range []int{p.rows, p.cols, across, down, p.batches, p.xrow, p.xbatch, p.yrow, p.ybatch} {
		s.Params = append(s.Params, uint32(v))
	}
	return s
}

// tiles chooses the kernel for planes of words that are not thin.
func (p *plane) tiles(t tiling, f *device.Facts) (*Source, Step) {
	if t.rows == 0 || p.rows%4 != 0 || p.cols%4 != 0 {
		return wordTiles("u32"), p.step(32, 32)
	}
	step := p.step(t.rows, t.cols)
	if t.loop > 0 {
		step.Groups = min(step.Groups, t.loop*f.Units)
	}
	return blockSource(t), step
}

// transposeCase exchanges the last two dimensions of [batches][rows][cols].
func transposeCase(batches, rows, cols int, t tiling) Case {
	n := batches * rows * cols
	name := fmt.Sprintf("transpose/%dx%d", rows, cols)
	if batches > 1 {
		name = fmt.Sprintf("transpose/%dx%dx%d", batches, rows, cols)
	}
	switch {
	case t.four:
		name += "/four"
	case t != usual:
		name += fmt.Sprintf("/%dx%d-%d", t.rows, t.cols, t.loop)
	}
	return Case{Name: name, Bytes: 8 * int64(n), Plan: func(f *device.Facts) (*Plan, string) {
		xs, t := random(n), t.chosen(f)
		p := &Plan{Buffers: []Data{{n, xs}, {Words: n}}}
		const thin = 16
		switch {
		case t.four && min(rows, cols) == 4:
			long := max(rows, cols)
			p.Kernels = []*Source{thinVectors(rows < cols)}
			p.Steps = []Step{{
				Groups: (long*batches + 255) / 256, Buffers: []int{0, 1}, Params: []uint32{uint32(long), uint32(long * batches)},
			}}
		case t.rows > 0 && min(rows, cols) < thin:
			k, long, piece := max(1, min(rows, cols)), max(rows, cols), 256
			across := (long + piece - 1) / piece
			p.Kernels = []*Source{thinSource(k, piece, rows < cols)}
			p.Steps = []Step{{
				Groups: min(n, across*batches), Buffers: []int{0, 1}, Params: []uint32{uint32(long), uint32(across), uint32(batches)},
			}}
		default:
			s, step := (&plane{batches, rows, cols, cols, rows * cols, rows, rows * cols}).tiles(t, f)
			p.Kernels, p.Steps = []*Source{s}, []Step{step}
		}
		p.Check = func(read func(int) []uint32) error {
			m := rows * cols
			return sameInAnyOrder("transpose", read(1), func(i int) uint32 {
				j := i % m
				return xs[i/m*m+j%rows*cols+j/rows]
			})
		}
		return p, ""
	}}
}
