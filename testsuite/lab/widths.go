package main

import (
	"fmt"
	"strings"
)

// Note [Moving elements of any width]
//
// What only moves elements sees them as so many bits. A thread owns 16 bytes of the result, so that no two threads
// write to one word, and fetches each of its elements by itself: 16 of 8 bits, 8 of 16, 4 of 32, 2 of 64. The place
// that an element comes from is the only thing that gather, copies between layouts, replicate and concat differ in.

// move says where the elements of a result come from.
type move struct {
	name string
	// from returns, for element i, its place k: statements of a body that may use params.m, and the same in Go.
	from  string
	place func(i, n, m int) int
	at    bool // Places are read from a buffer.
	two   bool // From place m on elements come from a second array.
	iota  bool // The place is the element.
}

// The moves. An m is the length of the source, of a row, or of the first array.
var moves = []move{
	{
		name: "gather", from: "let k = at[i];", at: true,
		place: func(i, _, m int) int { return int(mix(uint32(i)) % uint32(m)) },
	},
	{
		name: "flip", from: "let r = i / params.m; let k = r * params.m + (params.m - 1u - (i - r * params.m));",
		place: func(i, _, m int) int { return i/m*m + m - 1 - i%m },
	},
	{
		name: "columns", from: "let k = i % (params.n / params.m) * params.m + i / (params.n / params.m);",
		place: func(i, n, m int) int { return i%(n/m)*m + i/(n/m) },
	},
	{
		name: "replicate", from: "let k = i % params.m;",
		place: func(i, _, m int) int { return i % m },
	},
	{name: "concat", from: "let k = i;", place: func(i, _, _ int) int { return i }, two: true},
	{name: "iota", from: "let k = i;", place: func(i, _, _ int) int { return i }, iota: true},
}

// element is the text of the element at place k of an array.
func element(array, k string, bits int) string {
	switch {
	case bits >= 32:
		return array + "[" + k + "]"
	default:
		return fmt.Sprintf("((%[1]s[(%[2]s) / %[3]du] >> ((%[2]s) %% %[3]du * %[4]du)) & %[5]du)", array, k, 32/bits, bits, 1<<bits-1)
	}
}

// moveSource makes a result of elements of some bits.
//
// It reads and writes each element once, and has no barrier. See Note [Moving elements of any width].
func moveSource(m *move, bits int) *Source {
	typ, per := "u32", 32/min(bits, 32)
	if bits == 64 {
		typ = "vec2<u32>"
	}
	s := &Source{
		Name: fmt.Sprintf("move-%s-%d", m.name, bits), Threads: 256, Buffers: []string{"x " + typ, "y vec4<u32>"},
		Params: []string{"n", "m"},
	}
	if m.at {
		s.Buffers = append(s.Buffers, "at u32")
	}
	fetch := element("x", "k", bits)
	switch {
	case m.two:
		s.Buffers = append(s.Buffers, "z "+typ)
		fetch = ""
	case m.iota && bits == 64:
		fetch = "vec2<u32>(k, 0u)"
	case m.iota:
		fetch = fmt.Sprintf("(k & %du)", uint32(1<<bits-1))
	}
	count := 128 / bits
	var b strings.Builder
	fmt.Fprintf(&b, "  let j = group * $W + tid;\n  if (j * %du >= params.n) { return; }\n", count)
	b.WriteString("  var w0 = 0u; var w1 = 0u; var w2 = 0u; var w3 = 0u;\n")
	for c := range count {
		fmt.Fprintf(&b, "  { let i = j * %du + %du;\n    if (i < params.n) {\n      %s\n", count, c, m.from)
		if m.two {
			fmt.Fprintf(&b, "      var e = %s;\n      if (k < params.m) { e = %s; } else { e = %s; }\n", zeroOf(typ),
				element("x", "k", bits), element("z", "(k - params.m)", bits))
		} else {
			fmt.Fprintf(&b, "      let e = %s;\n", fetch)
		}
		if bits == 64 {
			fmt.Fprintf(&b, "      w%d = e.x; w%d = e.y;\n", 2*c, 2*c+1)
		} else {
			fmt.Fprintf(&b, "      w%d |= e << %du;\n", c/per, c%per*bits)
		}
		b.WriteString("    }\n  }\n")
	}
	s.Body = b.String() + "  y[j] = vec4<u32>(w0, w1, w2, w3);\n"
	return s
}

// zeroOf is zero of a type of words.
func zeroOf(typ string) string {
	if typ == "u32" {
		return "0u"
	}
	return "vec2<u32>(0u, 0u)"
}

// widthCase moves n elements of a type.
func widthCase(m *move, t *numeric, n, size int) Case {
	bytes := int64(t.bits) / 8 * int64(n)
	switch {
	case m.at:
		bytes = 2*bytes + 4*int64(n)
	case m.name == "flip", m.name == "columns", m.two:
		bytes *= 2
	}
	return Case{Name: fmt.Sprintf("move/%s/%s/%d-%d", m.name, t.name, n, size), Bytes: bytes, Plan: always(func() *Plan {
		length := n
		switch {
		case m.at, m.two, m.name == "replicate":
			length = size
		}
		xs := t.pack(length, t.sample)
		p := &Plan{Kernels: []*Source{moveSource(m, t.bits)}}
		buffers := append(p.give(xs), p.reserve(1, (n*t.bits/8+15)/16*4)...)
		want := func(i int) uint64 { return t.at(xs, m.place(i, n, size)) }
		switch {
		case m.at:
			at := make([]uint32, n)
			inParallel(n, func(i int) { at[i] = uint32(m.place(i, n, size)) })
			buffers = append(buffers, p.give(at)...)
		case m.two:
			zs := t.pack(n-size, func(i int) uint64 { return t.sample(i + 5) })
			buffers = append(buffers, p.give(zs)...)
			want = func(i int) uint64 {
				if i < size {
					return t.at(xs, i)
				}
				return t.at(zs, i-size)
			}
		case m.iota:
			want = func(i int) uint64 { return uint64(i) & (1<<min(t.bits, 32) - 1) }
		}
		per := 256 * 128 / t.bits
		p.Steps = []Step{{Groups: (n + per - 1) / per, Buffers: buffers, Params: []uint32{uint32(n), uint32(size)}}}
		p.Check = func(read func(int) []uint32) error { return t.sameElements(m.name, read(buffers[1]), n, want) }
		return p
	})}
}

// sameElements compares elements with a reference.
func (t *numeric) sameElements(what string, got []uint32, n int, want func(i int) uint64) error {
	return firstError(n, func(_, first, last int) (int, error) {
		for i := first; i < last; i++ {
			if g, w := t.at(got, i), want(i); g != w {
				return i, fmt.Errorf("%s of %s: element %d is %#x, want %#x", what, t.name, i, g, w)
			}
		}
		return 0, nil
	})
}

// narrowTiles transposes elements of 8 or 16 bits, of which a word holds `per`, where both sizes are multiples of that:
// a thread turns blocks of per x per elements in registers, and tiles of 32 words by 16 blocks lie in workgroup memory.
//
// It moves 8 bytes a word and has one barrier.
func narrowTiles(bits int) *Source {
	per := 32 / bits
	var load, turn, put strings.Builder
	for r := range per {
		fmt.Fprintf(&load, "      let v%[1]d = x[at + %[1]du * xrow];\n", r)
	}
	mask := 1<<bits - 1
	for c := range per {
		var words []string
		for r := range per {
			words = append(words, fmt.Sprintf("(((v%d >> %du) & %du) << %du)", r, c*bits, mask, r*bits))
		}
		fmt.Fprintf(&turn, "      s[(c * %du + %du) * 16u + (r + c) %% 16u] = %s;\n", per, c, strings.Join(words, " | "))
	}
	fmt.Fprintf(&put, "  for (var k = tid / 16u; k < %du; k += 16u) {\n", 32*per)
	return &Source{
		Name: fmt.Sprintf("transpose-narrow-%d", bits), Threads: 256, Buffers: []string{"x u32", "y u32"},
		Params: []string{"rows", "cols", "across", "down"}, // In blocks.
		Shared: []string{fmt.Sprintf("s u32 %d", 32*per*16)}, Consts: map[string]any{"PER": fmt.Sprintf("%du", per)},
		Body: `
  if (group >= params.across * params.down) { return; }
  let c0 = group % params.across * 32u;
  let r0 = group / params.across * 16u;
  let xrow = params.cols;
  let c = tid % 32u;
  for (var r = tid / 32u; r < 16u; r += 8u) {
    if (r0 + r < params.rows && c0 + c < params.cols) {
      let at = (r0 + r) * $PER * xrow + c0 + c;
` + load.String() + turn.String() + `    }
  }
  workgroupBarrier();
  let q = tid % 16u;
` + put.String() + `
    if (r0 + q < params.rows && c0 + k / $PER < params.cols) {
      y[(c0 * $PER + k) * params.rows + r0 + q] = s[k * 16u + (q + k / $PER) % 16u];
    }
  }
`,
	}
}

// narrowAnyTiles transposes elements of 8 or 16 bits of any sizes: tiles of 64 x 32 elements lie in workgroup memory, one a
// word; a thread loads all of its eight before it stores the first. A workgroup writes the words that begin in its tile's
// part of a row of the result; elements of such a word that belong to the next tile, or the next row, are fetched from
// storage.
//
// It moves 2 bytes an element of 8 bits, and a word a row of each tile beside; it has one barrier.
func narrowAnyTiles(bits int) *Source {
	per := 32 / bits
	var compose strings.Builder
	whole := make([]string, per)
	var all, store, some strings.Builder
	for k := range 8 {
		from := fmt.Sprintf("(at + %du * step)", k)
		fmt.Fprintf(&all, "    let e%d = %s;\n", k, element("x", from, bits))
		fmt.Fprintf(&store, "    s[c * 65u + r + %du] = e%d;\n", 8*k, k)
		fmt.Fprintf(&some, "    if (r0 + r + %du < params.rows && c0 + c < params.cols) { s[c * 65u + r + %du] = %s; }\n",
			8*k, 8*k, element("x", from, bits))
	}
	all.WriteString(store.String())
	for q := range per {
		whole[q] = fmt.Sprintf("(s[i + %du] << %du)", q, q*bits)
		fmt.Fprintf(&compose, "      { let pos = w * $PER + %du; var e = 0u;\n"+
			"        if (pos < end) { e = s[c * 65u + pos - begin]; } else { if (pos < n) {\n"+
			"          let from_ = pos %% params.rows * params.cols + pos / params.rows; e = %s; } }\n"+
			"        word |= e << %du; }\n", q, element("x", "from_", bits), q*bits)
	}
	return &Source{
		Name: fmt.Sprintf("transpose-narrow-any-%d", bits), Threads: 256, Buffers: []string{"x u32", "y u32"},
		Params: []string{"rows", "cols", "across", "down"}, Shared: []string{"s u32 2080"},
		Consts: map[string]any{"PER": fmt.Sprintf("%du", per), "MOST": fmt.Sprintf("%du", 64/per+1)},
		Body: `
  if (group >= params.across * params.down) { return; }
  let c0 = group % params.across * 32u;
  let r0 = group / params.across * 64u;
  let n = params.rows * params.cols;
  let c = tid % 32u;
  let r = tid / 32u;
  let at = (r0 + r) * params.cols + c0 + c;
  let step = 8u * params.cols;
  if (r0 + 64u <= params.rows && c0 + 32u <= params.cols) {
` + all.String() + `  } else {
` + some.String() + `  }
  workgroupBarrier();
  for (var k = tid; k < 32u * $MOST; k += $W) {
    let c = k / $MOST;
    let begin = (c0 + c) * params.rows + r0;
    let end = begin + min(64u, params.rows - r0);
    let w = (begin + $PER - 1u) / $PER + k % $MOST;
    if (c0 + c < params.cols && w * $PER < end) {
      var word = 0u;
      if (w * $PER + $PER <= end) {
        let i = c * 65u + w * $PER - begin;
        word = ` + strings.Join(whole, " | ") + `;
      } else {
` + compose.String() + `      }
      y[w] = word;
    }
  }
`,
	}
}

// widthTransposeCase transposes [rows][cols] of elements of a type.
func widthTransposeCase(t *numeric, rows, cols int) Case {
	n := rows * cols
	return Case{
		Name: fmt.Sprintf("transpose/%s/%dx%d", t.name, rows, cols), Bytes: int64(t.bits) / 4 * int64(n),
		Plan: always(func() *Plan {
			xs := t.pack(n, t.sample)
			p := &Plan{Buffers: []Data{{len(xs), xs}, {Words: len(xs)}}}
			pl := plane{1, rows, cols, cols, n, rows, n}
			per := 32 / min(t.bits, 32)
			switch {
			case t.bits == 64:
				p.Kernels, p.Steps = []*Source{wordTiles("vec2<u32>")}, []Step{pl.step(32, 32)}
			case t.bits == 32:
				p.Kernels, p.Steps = []*Source{wordTiles("u32")}, []Step{pl.step(32, 32)}
			case rows%per == 0 && cols%per == 0:
				across, down := (cols/per+31)/32, (rows/per+15)/16
				p.Kernels = []*Source{narrowTiles(t.bits)}
				p.Steps = []Step{{
					Groups: across * down, Buffers: []int{0, 1},
					Params: []uint32{uint32(rows / per), uint32(cols / per), uint32(across), uint32(down)},
				}}
			default:
				across, down := (cols+31)/32, (rows+63)/64
				p.Kernels = []*Source{narrowAnyTiles(t.bits)}
				p.Steps = []Step{{
					Groups: across * down, Buffers: []int{0, 1},
					Params: []uint32{uint32(rows), uint32(cols), uint32(across), uint32(down)},
				}}
			}
			p.Check = func(read func(int) []uint32) error {
				return t.sameElements("transpose", read(1), n, func(i int) uint64 { return t.at(xs, i%rows*cols+i/rows) })
			}
			return p
		}),
	}
}
