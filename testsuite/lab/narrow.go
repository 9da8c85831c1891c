package main

import (
	"fmt"
	"math"
)

// Note [Elements narrower than a word]
//
// Storage is words. Elements of 8 and 16 bits lie packed in them, and a thread that maps owns whole words: it takes
// them apart, works in 32 bits, and puts them together. The last word is written whole, as arrays are padded to 16
// bytes. Where threads own no words, as in a scatter, an element is put in by compare and exchange of its word, which
// never shows a mixture of two elements, as clearing and setting bits one after the other would.

// numeric is a type of elements: how many bits it has, and the map x·3+1 (halves: x·0.5+1) on a word, or two for 64.
// See Note [Elements narrower than a word].
type numeric struct {
	name string
	bits int
	each string
	raw  Raw
	want func(x uint64) uint64
}

// perWord is a function of a word whose parts are mapped one by one.
func perWord(part string, bits int) string {
	body := " var r = 0u;\n"
	for s := 0; s < 32; s += bits {
		body += fmt.Sprintf("  { let e = (w >> %du) & %du; r |= ((%s) & %du) << %du; }\n", s, 1<<bits-1, part, 1<<bits-1, s)
	}
	return body + "  return r; "
}

// halves returns halves as f32 without a type of 16 bits.
var halves = Raw{
	WGSL: `
fn half_low(w: u32) -> f32 { return unpack2x16float(w).x; }
fn half_high(w: u32) -> f32 { return unpack2x16float(w).y; }
fn half_pair(a: f32, b: f32) -> u32 { return pack2x16float(vec2<f32>(a, b)); }
`,
	CUDA: `
__device__ f32 half_low(u32 w) { f32 f; asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"((unsigned short)w)); return f; }
__device__ f32 half_high(u32 w) { return half_low(w >> 16); }
__device__ u32 half_pair(f32 a, f32 b) {
  unsigned short l, h;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(l) : "f"(a)); asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(b));
  return (u32)l | (u32)h << 16; }
`,
}

var numerics = []numeric{
	{name: "u8", bits: 8, each: perWord("e * 3u + 1u", 8), want: func(x uint64) uint64 { return uint64(uint8(x)*3 + 1) }},
	{
		name: "i8", bits: 8, each: perWord("u32((i32(e << 24u) >> 24u) / 3 + 1)", 8),
		want: func(x uint64) uint64 { return uint64(uint8(int8(x)/3 + 1)) },
	},
	{
		name: "i16", bits: 16, each: perWord("u32((i32(e << 16u) >> 16u) / 3 + 1)", 16),
		want: func(x uint64) uint64 { return uint64(uint16(int16(x)/3 + 1)) },
	},
	{
		name: "f16", bits: 16, each: " return half_pair(half_low(w) * 0.5f + 1.0f, half_high(w) * 0.5f + 1.0f); ", raw: halves,
		want: func(x uint64) uint64 { return uint64(half(unhalf(uint16(x))*0.5 + 1)) },
	},
	{name: "i32", bits: 32, each: " return w * 3u + 1u; ", want: func(x uint64) uint64 { return uint64(uint32(x)*3 + 1) }},
	{
		name: "f32", bits: 32, each: " return bitcast<u32>(bitcast<f32>(w) * 0.5f + 1.0f); ",
		want: func(x uint64) uint64 {
			return uint64(math.Float32bits(math.Float32frombits(uint32(x))*0.5 + 1))
		},
	},
	{name: "i64", bits: 64, want: func(x uint64) uint64 { return x + 0x1_0000_0001 }},
}

// half and unhalf convert normal numbers of few digits, and zero.
func half(f float32) uint16 {
	b := math.Float32bits(f)
	if b<<1 == 0 {
		return uint16(b >> 16)
	}
	return uint16(b>>16&0x8000 | ((b>>23&0xff)-112)<<10 | b>>13&0x3ff)
}

func unhalf(h uint16) float32 {
	if h<<1 == 0 {
		return math.Float32frombits(uint32(h) << 16)
	}
	return math.Float32frombits(uint32(h)>>15<<31 | (uint32(h)>>10&31+112)<<23 | uint32(h&0x3ff)<<13)
}

// at returns element i of an array.
func (t *numeric) at(words []uint32, i int) uint64 {
	switch t.bits {
	case 64:
		return uint64(words[2*i]) | uint64(words[2*i+1])<<32
	default:
		per := 32 / t.bits
		return uint64(words[i/per]>>(i%per*t.bits)) & (1<<t.bits - 1)
	}
}

// pack makes the words of an array.
func (t *numeric) pack(n int, element func(i int) uint64) []uint32 {
	words := make([]uint32, (n*t.bits/8+15)/16*4)
	if t.bits == 64 {
		inParallel(n, func(i int) {
			e := element(i)
			words[2*i], words[2*i+1] = uint32(e), uint32(e>>32)
		})
		return words
	}
	per := 32 / t.bits
	inParallel(len(words), func(w int) {
		for i := w * per; i < min(n, (w+1)*per); i++ {
			words[w] |= uint32(element(i)&(1<<t.bits-1)) << (i % per * t.bits)
		}
	})
	return words
}

// sample is an element that every type of its width can hold exactly.
func (t *numeric) sample(i int) uint64 {
	x := uint64(mix(uint32(i)))
	switch t.name {
	case "f16":
		return uint64(half(float32(x%512) - 256))
	case "f32":
		return uint64(math.Float32bits(float32(x%4096) - 2048))
	case "i64":
		return x | uint64(mix(uint32(x)))<<32
	}
	return x
}

// mapCase maps elements of a type, 16 bytes a thread: see Note [Elements narrower than a word].
func mapCase(t numeric, n int) Case {
	return Case{
		Name: fmt.Sprintf("map/%s/%d", t.name, n), Bytes: 2 * int64(n) * int64(t.bits) / 8,
		Plan: always(func() *Plan {
			s := &Source{
				Name: "map-" + t.name, Threads: 256, Buffers: []string{"x vec4<u32>", "y vec4<u32>"}, Params: []string{"n4"},
				Raw: t.raw, Funcs: []Func{{Result: "u32", Name: "each", Params: []string{"w u32"}, Body: t.each}},
				Body: `
  let i = group * $W + tid;
  if (i < params.n4) { let v = x[i]; y[i] = vec4<u32>(each(v.x), each(v.y), each(v.z), each(v.w)); }
`,
			}
			if t.bits == 64 {
				s.Funcs, s.Body = nil, `
  let i = group * $W + tid;
  if (i < params.n4) {
    let v = x[i]; let a = v.x + 1u; let b = v.z + 1u;
    y[i] = vec4<u32>(a, v.y + 1u + select(0u, 1u, a == 0u), b, v.w + 1u + select(0u, 1u, b == 0u));
  }
`
			}
			xs := t.pack(n, t.sample)
			return &Plan{
				Kernels: []*Source{s},
				Buffers: []Data{{len(xs), xs}, {Words: len(xs)}},
				Steps: []Step{{
					Groups: (len(xs) + 1023) / 1024, Buffers: []int{0, 1}, Params: []uint32{uint32(len(xs) / 4)},
				}},
				Check: func(read func(int) []uint32) error {
					return t.sameElements("map", read(1), n, func(i int) uint64 { return t.want(t.at(xs, i)) })
				},
			}
		}),
	}
}

// scatterSources store element i of v as element at[i] of y where that is in bounds.
//
// They read the value and the index of each element, and for each that is in bounds take a sector in and out; words of two elements
// are found by a word an element more.
func (t *numeric) scatterSources() []*Source {
	body := func(store string) string {
		return "  let i = group * $W + tid;\n  if (i >= params.n) { return; }\n  let k = at[i];\n" +
			"  if (k < params.m) {\n" + store + "  }\n"
	}
	s := &Source{
		Name: "scatter-" + t.name, Threads: 256, Params: []string{"n", "m"}, Buffers: []string{"v u32", "at u32", "y u32"},
	}
	switch t.bits {
	case 32:
		s.Body = body("    y[k] = v[i];\n")
	case 64:
		// The last of several writers wins: the first launch finds it, so that two words are written by one thread only.
		s.Buffers = append(s.Buffers, "owner atomic<u32>")
		first := *s
		first.Name, first.Buffers = "scatter-owner", []string{"at u32", "owner atomic<u32>"}
		first.Body = body("    atomicMax(&owner[k], i + 1u);\n")
		s.Body = body("    if (atomicLoad(&owner[k]) == i + 1u) { y[2u * k] = v[2u * i]; y[2u * k + 1u] = v[2u * i + 1u]; }\n")
		return []*Source{&first, s, {
			Name: "scatter-clear", Threads: 256, Params: []string{"n"}, Buffers: []string{"owner u32"},
			Body: "  let i = group * $W + tid;\n  if (i < params.n) { owner[i] = 0u; }\n",
		}}
	default:
		s.Buffers[2] = "y atomic<u32>"
		s.Consts = map[string]any{
			"PER": fmt.Sprintf("%du", 32/t.bits), "BITS": fmt.Sprintf("%du", t.bits), "MASK": fmt.Sprintf("%du", 1<<t.bits-1),
		}
		s.Body = body(`    let e = (v[i / $PER] >> (i % $PER * $BITS)) & $MASK;
    let shift = k % $PER * $BITS;
    var old = atomicLoad(&y[k / $PER]);
    for (var go = true; go; ) {
      let r = atomicCompareExchangeWeak(&y[k / $PER], old, (old & ~($MASK << shift)) | (e << shift));
      go = !r.exchanged;
      old = r.old_value;
    }
`)
	}
	return []*Source{s}
}

// scatterCase writes n elements to m places; half of the indices are out of bounds, and some places are written more
// than once: the result is one of the elements written there, whole.
func scatterCase(t numeric, n, m int) Case {
	return Case{
		Name:  fmt.Sprintf("scatter/%s/%dto%d", t.name, n, m),
		Bytes: 4*int64(n) + int64(n)*int64(t.bits)/8 + int64(min(n/2, m))*int64(t.bits)/8,
		Plan: always(func() *Plan {
			vs := t.pack(n, t.sample)
			at := make([]uint32, n)
			inParallel(n, func(i int) { at[i] = mix(uint32(i)+77) % uint32(2*m) })
			before := t.pack(m, func(i int) uint64 { return uint64(i) * 5 })
			p := &Plan{Kernels: t.scatterSources()}
			b := p.give(vs, at, before)
			params := []uint32{uint32(n), uint32(m)}
			groups := (n + 255) / 256
			if len(p.Kernels) == 1 {
				p.Steps = []Step{{Groups: groups, Buffers: b, Params: params}}
			} else {
				b = append(b, p.reserve(1, m)...)
				p.Steps = []Step{
					{Kernel: 2, Groups: (m + 255) / 256, Buffers: b[3:], Params: params[1:]},
					{Groups: groups, Buffers: []int{b[1], b[3]}, Params: params},
					{Kernel: 1, Groups: groups, Buffers: b, Params: params},
				}
			}
			p.Check = func(read func(int) []uint32) error {
				got := read(2)
				written, right := make([]bool, m), make([]bool, m)
				for i, k := range at {
					if k < uint32(m) {
						written[k] = true
						right[k] = right[k] || t.at(got, int(k)) == t.at(vs, i)
					}
				}
				for k := range m {
					if written[k] && !right[k] || !written[k] && t.at(got, k) != t.at(before, k) {
						return fmt.Errorf("scatter of %s: element %d is %#x, written: %t", t.name, k, t.at(got, k), written[k])
					}
				}
				return nil
			}
			return p
		}),
	}
}
