package main

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"skald/runtime/device"
)

// always makes a plan that every device runs; it is the same for all.
func always(plan func() *Plan) func(*device.Facts) (*Plan, string) {
	once := sync.OnceValue(plan)
	return func(*device.Facts) (*Plan, string) { return once(), "" }
}

// gatherCase reads x[at[i]]. An index out of bounds is not read; of all that are wrong the first position is kept, by
// an atomic minimum that only a thread with an error carries out.
func gatherCase(n, m, wrongEvery int) Case {
	name := fmt.Sprintf("gather/%dfrom%d", n, m)
	if wrongEvery > 0 {
		name += "/wrong"
	}
	return Case{Name: name, Bytes: 8*int64(n) + 4*int64(min(n, m)), Plan: always(func() *Plan {
		xs, at := random(m), make([]uint32, n)
		first := ^uint32(0)
		if wrongEvery > 0 && wrongEvery <= n {
			first = uint32(wrongEvery - 1)
		}
		inParallel(n, func(i int) {
			at[i] = mix(uint32(i)) % uint32(m)
			if wrongEvery > 0 && i%wrongEvery == wrongEvery-1 {
				at[i] = uint32(m) + uint32(i)
			}
		})
		return &Plan{
			Kernels: []*Source{{
				Name: "gather", Threads: 256, Params: []string{"n", "m"},
				Buffers: []string{"x u32", "at u32", "y u32", "wrong atomic<u32>"},
				Body: `
  let i = group * $W + tid;
  if (i < params.n) {
    let k = at[i];
    if (k < params.m) { y[i] = x[k]; } else { atomicMin(&wrong[0], i); }
  }
`,
			}},
			Buffers: []Data{{m, xs}, {n, at}, {n, make([]uint32, n)}, {1, []uint32{^uint32(0)}}},
			Steps: []Step{{
				Groups: (n + 255) / 256, Buffers: []int{0, 1, 2, 3}, Params: []uint32{uint32(n), uint32(m)},
			}},
			Check: func(read func(int) []uint32) error {
				if got := read(3)[0]; got != first {
					return fmt.Errorf("gather: the first error is at %d, want %d", int32(got), int32(first))
				}
				return sameInAnyOrder("gather", read(2), func(i int) uint32 {
					if at[i] < uint32(m) {
						return xs[at[i]]
					}
					return 0
				})
			},
		}
	})}
}

// An lmad says where the elements of an array lie: its dimensions from the outermost, and a stride for each.
type lmad struct {
	offset  int
	strides []int
}

// lmadCase copies an array of some dimensions from one layout to another; the kernel is made for their number, and
// takes sizes, offsets and strides as parameters, that may be negative because addresses wrap.
func lmadCase(name string, dims []int, from, to lmad, words int) Case {
	n := 1
	for _, d := range dims {
		n *= d
	}
	address := func(l lmad, i int) int {
		a := l.offset
		for k := len(dims) - 1; k >= 0; k-- {
			a += i % dims[k] * l.strides[k]
			i /= dims[k]
		}
		return a
	}
	return Case{Name: fmt.Sprintf("lmad/%s/%d", name, n), Bytes: 8 * int64(n), Plan: always(func() *Plan {
		s := &Source{
			Name: fmt.Sprintf("lmad-%d", len(dims)), Threads: 256,
			Buffers: []string{"x u32", "y u32"}, Params: []string{"n", "ax", "ay"},
		}
		params := []uint32{uint32(n), uint32(from.offset), uint32(to.offset)}
		var b strings.Builder
		b.WriteString("  let i = group * $W + tid;\n  if (i >= params.n) { return; }\n" +
			"  var rest = i;\n  var a = params.ax;\n  var b = params.ay;\n")
		for k := len(dims) - 1; k >= 0; k-- {
			s.Params = append(s.Params, fmt.Sprintf("d%d", k), fmt.Sprintf("s%d", k), fmt.Sprintf("t%d", k))
			params = append(params, uint32(dims[k]), uint32(from.strides[k]), uint32(to.strides[k]))
			fmt.Fprintf(&b, "  { let q = rest / params.d%[1]d; let r = rest - q * params.d%[1]d; rest = q;"+
				" a += r * params.s%[1]d; b += r * params.t%[1]d; }\n", k)
		}
		b.WriteString("  y[b] = x[a];\n")
		s.Body = b.String()
		xs := random(words)
		want := sync.OnceValue(func() []uint32 {
			want := make([]uint32, words)
			inParallel(n, func(i int) { want[address(to, i)] = xs[address(from, i)] })
			return want
		})
		return &Plan{
			Kernels: []*Source{s},
			Buffers: []Data{{words, xs}, {words, make([]uint32, words)}},
			Steps:   []Step{{Groups: (n + 255) / 256, Buffers: []int{0, 1}, Params: params}},
			Check: func(read func(int) []uint32) error {
				want := want()
				return sameInAnyOrder("lmad", read(1), func(i int) uint32 { return want[i] })
			},
		}
	})}
}

// pickFunc is a word of a vector by number.
var pickFunc = Func{
	Result: "u32", Name: "pick", Params: []string{"v vec4<u32>", "c u32"},
	Body: ` return select(select(v.x, v.y, c == 1u), select(v.z, v.w, c == 3u), c > 1u); `,
}

// Note [16 bytes at any offset]
//
// An array that begins in the middle of 16 bytes is still copied 16 bytes at a time: a thread owns 16 aligned bytes
// of the destination, reads the one or two aligned vectors that hold them, and picks its words. Only the two ends of
// the destination are written word by word, as their neighbours belong to other arrays.

// shiftSource copies n words from any word of x to any word of y.
//
// It moves 8 bytes an element, those in the vectors of two threads a second time from the cache. See Note [16 bytes at any offset].
func shiftSource() *Source {
	ends := ""
	for c, part := range []string{"x", "y", "z", "w"} {
		ends += fmt.Sprintf("    { let k = j * 4u + %[1]du; if (k >= params.ay && k < params.ay + params.n) {\n"+
			"      let f = k - params.ay + params.ax; y[j].%[2]s = pick(x[f / 4u], f %% 4u); } }\n", c, part)
	}
	return &Source{
		Name: "copy-shifted", Threads: 256, Funcs: []Func{pickFunc},
		Buffers: []string{"x vec4<u32>", "y vec4<u32>"}, Params: []string{"n", "ax", "ay"},
		Body: `
  let j = params.ay / 4u + group * $W + tid;
  if (j * 4u >= params.ay && j * 4u + 3u < params.ay + params.n) {
    let f = j * 4u - params.ay + params.ax;
    let a = x[f / 4u];
    let s = f % 4u;
    if (s == 0u) { y[j] = a; } else {
      let b = x[f / 4u + 1u];
      if (s == 1u) { y[j] = vec4<u32>(a.y, a.z, a.w, b.x); }
      if (s == 2u) { y[j] = vec4<u32>(a.z, a.w, b.x, b.y); }
      if (s == 3u) { y[j] = vec4<u32>(a.w, b.x, b.y, b.z); }
    }
  } else {
` + ends + `  }
`,
	}
}

// wordsSource is the same a word at a time.
//
// It moves 8 bytes an element.
func wordsSource(threads int) *Source {
	return &Source{
		Name: fmt.Sprintf("copy-words-%d", threads), Threads: threads, Buffers: []string{"x u32", "y u32"}, Params: []string{"n", "ax", "ay"},
		Body: "  let i = group * $W + tid;\n  if (i < params.n) { y[params.ay + i] = x[params.ax + i]; }\n",
	}
}

// concatCase joins arrays that begin where they may, with a launch each. Of the kinds, "vectors" and "words" say what
// a thread copies; "many" is words by small workgroups, so that there are many of them.
func concatCase(kind string, from int, lengths ...int) Case {
	total := 0
	for _, n := range lengths {
		total += n
	}
	return Case{
		Name: fmt.Sprintf("concat/%s/%d+%d", kind, from, total), Bytes: 8 * int64(total),
		Plan: always(func() *Plan {
			source, per := shiftSource(), 1024
			switch kind {
			case "words":
				source, per = wordsSource(256), 256
			case "many":
				source, per = wordsSource(32), 32
			}
			p := &Plan{Kernels: []*Source{source}}
			y := p.reserve(1, total)[0]
			var want []uint32
			at := 0
			for k, n := range lengths {
				xs := random(from + n + k)
				want = append(want, xs[from:from+n]...)
				p.Steps = append(p.Steps, Step{
					Groups: (n + 3 + per) / per, Buffers: []int{p.give(xs)[0], y},
					Params: []uint32{uint32(n), uint32(from), uint32(at)},
				})
				at += n
			}
			p.Check = func(read func(int) []uint32) error {
				return sameInAnyOrder("concat", read(y), func(i int) uint32 { return want[i] })
			}
			return p
		}),
	}
}

// fillCase is replicate of a row of k words, or iota where k is 0.
func fillCase(n, k int) Case {
	name, row, body := fmt.Sprintf("replicate/%d", k), random(max(1, k)), "x[i % params.k]"
	if k == 0 {
		name, body = "iota", "i"
	}
	return Case{Name: fmt.Sprintf("%s/%d", name, n), Bytes: 4 * int64(n), Plan: always(func() *Plan {
		s := &Source{
			Name: "fill-" + name[:4], Threads: 256, Buffers: []string{"x u32", "y vec4<u32>"}, Params: []string{"n4", "k"},
			Body: `
  let j = group * $W + tid;
  if (j >= params.n4) { return; }
  var i = j * 4u; let a = ` + body + `;
  i++; let b = ` + body + `;
  i++; let c = ` + body + `;
  i++; let d = ` + body + `;
  y[j] = vec4<u32>(a, b, c, d);
`,
		}
		return &Plan{
			Kernels: []*Source{s},
			Buffers: []Data{{len(row), row}, {Words: n}},
			Steps: []Step{{
				Groups: (n + 1023) / 1024, Buffers: []int{0, 1}, Params: []uint32{uint32(n+3) / 4, uint32(k)},
			}},
			Check: func(read func(int) []uint32) error {
				return sameInAnyOrder("fill", read(1), func(i int) uint32 {
					if k == 0 {
						return uint32(i)
					}
					return row[i%k]
				})
			},
		}
	})}
}

// bundleCase adds up 24 arrays into one under 8 bindings: 7 buffers hold the inputs, each array from an offset that is
// a parameter, a multiple of 16 bytes.
func bundleCase(n int) Case {
	const arrays, buffers = 24, 7
	return Case{Name: fmt.Sprintf("arrays25/%d", n), Bytes: 4 * (arrays + 1) * int64(n), Plan: always(func() *Plan {
		padded := (n + 3) / 4 * 4
		s := &Source{Name: "arrays25", Threads: 256, Params: []string{"n4"}}
		p := &Plan{Kernels: []*Source{s}}
		params := []uint32{uint32(padded / 4)}
		var held [buffers][]uint32
		sum := "vec4<u32>(0u, 0u, 0u, 0u)"
		for k := range arrays {
			b := k % buffers
			s.Params = append(s.Params, fmt.Sprintf("o%d", k))
			params = append(params, uint32(len(held[b])/4))
			xs := make([]uint32, padded)
			inParallel(n, func(i int) { xs[i] = uint32(i) * uint32(k+1) })
			held[b] = append(held[b], xs...)
			sum += fmt.Sprintf(" + b%d[params.o%d + i]", b, k)
		}
		for b := range held {
			s.Buffers = append(s.Buffers, fmt.Sprintf("b%d vec4<u32>", b))
		}
		s.Buffers = append(s.Buffers, "y vec4<u32>")
		s.Body = "  let i = group * $W + tid;\n  if (i < params.n4) { y[i] = " + sum + "; }\n"
		ins, out := p.give(held[:]...), p.reserve(1, n)
		p.Steps = []Step{{Groups: (padded/4 + 255) / 256, Buffers: slices.Concat(ins, out), Params: params}}
		p.Check = func(read func(int) []uint32) error {
			return sameInAnyOrder("arrays25", read(out[0]), func(i int) uint32 { return uint32(i) * (arrays * (arrays + 1) / 2) })
		}
		return p
	})}
}
