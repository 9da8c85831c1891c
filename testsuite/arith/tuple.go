package main

import (
	"fmt"
	"strings"

	"skald/runtime/prim"
)

// Note [Tuples]
//
// Arguments of a sweep are never sent to a device: a thread makes them from the number of its tuple. The text that
// does so is the same in WGSL and CUDA C but for the words LET and VAR (see inLanguage), and (tupling).tuple does it
// in Go, down to the operators: devices and host speak of the same arguments when they speak of the same number.
//
// Where all parameters together have 32 bits at most, every tuple is taken. Otherwise each argument is scrambled from
// the number, and a quarter each has any bits, a moderate exponent (or a short magnitude), an extreme one (with no
// fraction in half of them: zeros and infinities), and few bits of fraction.

// tupling says how the argument tuples of a function are made from their numbers.
type tupling struct {
	params []prim.Type
	all    bool   // The bits of the number are those of the arguments, the first lowest.
	total  uint64 // How many tuples there are to try, from number 0.
}

// tuplingOf takes all tuples where that is possible, and otherwise as many scrambled ones as asked for.
func tuplingOf(params []prim.Type, scrambled uint64) tupling {
	bits := 0
	for _, p := range params {
		bits += width(p)
	}
	if bits <= 32 {
		return tupling{params, true, 1 << bits}
	}
	return tupling{params, false, scrambled}
}

// width is the number of bits that make a difference in a value.
func width(t prim.Type) int {
	if t == prim.Bool {
		return 1
	}
	return t.Bits()
}

// parts are what scrambling does to the word of a float that holds its exponent.
type parts struct {
	keep  uint32 // Sign and fraction.
	near  uint32 // A biased exponent a little below that of 1.
	shift uint32 // Where the exponent is.
	most  uint32 // The largest exponent but one.
	low   uint32 // The lower half of the fraction, as far as it is in this word.
}

func partsOf(t prim.Type) parts {
	switch t {
	case prim.F16:
		return parts{0x83ff, 8, 10, 30, 0x1f}
	case prim.F32:
		return parts{0x807fffff, 119, 23, 254, 0xfff}
	default:
		return parts{0x800fffff, 1015, 20, 2046, 0}
	}
}

// mix is a bijection of words (the finaliser of MurmurHash3).
func mix(x uint32) uint32 {
	x ^= x >> 16
	x *= 0x85ebca6b
	x ^= x >> 13
	x *= 0xc2b2ae35
	return x ^ x>>16
}

// tuple returns the arguments with a number, in canonical words.
func (h tupling) tuple(i uint32) []uint64 {
	args := make([]uint64, len(h.params))
	at := 0
	for j, p := range h.params {
		if h.all {
			args[j] = prim.Canonical(p, uint64(i)>>at&(1<<width(p)-1))
			at += width(p)
			continue
		}
		k := uint32(3 * j)
		lo, hi, m := mix(i^mix(k+1)), mix(i^mix(k+2)), mix(i^mix(k+3))
		switch {
		case p == prim.F64:
			lo, hi = scrambleFloat(partsOf(p), lo, hi, m)
		case p.IsFloat():
			_, lo = scrambleFloat(partsOf(p), 0, lo, m)
		default:
			lo, hi = scrambleInteger(lo, hi, m)
		}
		args[j] = prim.Canonical(p, uint64(hi)<<32|uint64(lo))
	}
	return args
}

// tuples returns those from number first on, one after the other.
func (h tupling) tuples(first uint32, n int) []uint64 {
	var out []uint64
	for k := range uint32(n) {
		out = append(out, h.tuple(first+k)...)
	}
	return out
}

func scrambleInteger(lo, hi, m uint32) (uint32, uint32) {
	switch m & 3 {
	case 1:
		hi = 0
	case 2:
		hi = 0xffffffff
	case 3:
		lo, hi = lo&(1<<(m>>8&31)-1), 0
	}
	return lo, hi
}

// scrambleFloat works on the word with the exponent, hi, and the one with the rest of the fraction.
func scrambleFloat(p parts, lo, hi, m uint32) (uint32, uint32) {
	near := hi&p.keep | (p.near+(m>>8&15))<<p.shift
	switch m & 3 {
	case 1:
		hi = near
	case 2:
		e := m >> 8 & 3
		hi = hi&p.keep | (e&1+(e>>1)*p.most)<<p.shift
		if m>>10&1 != 0 {
			lo, hi = 0, hi&^(1<<p.shift-1)
		}
	case 3:
		lo, hi = 0, near&^p.low
	}
	return lo, hi
}

// text makes the words a0, b0, a1, … of the arguments from the number i. The word b of an argument with one word is
// there, but means nothing, when they are scrambled.
func (h tupling) text() string {
	var b strings.Builder
	at := 0
	for j, p := range h.params {
		if h.all {
			fmt.Fprintf(&b, "LET a%d = %s;\n", j, extended(p, fmt.Sprintf("(i >> %du)", at)))
			at += width(p)
			continue
		}
		k := uint32(3 * j)
		s := fmt.Sprintf("VAR A = mix(i ^ %du); VAR B = mix(i ^ %du); LET M = mix(i ^ %du);\n", mix(k+1), mix(k+2), mix(k+3))
		switch {
		case p == prim.F64:
			s += floatText(partsOf(p), "A = 0u; ")
		case p.IsFloat():
			s += strings.ReplaceAll(floatText(partsOf(p), ""), "B", "A")
		default:
			s += "if ((M & 3u) == 1u) { B = 0u; }\nif ((M & 3u) == 2u) { B = 0xffffffffu; }\n" +
				"if ((M & 3u) == 3u) { A = A & ((1u << ((M >> 8u) & 31u)) - 1u); B = 0u; }\n"
		}
		if width(p) < 32 {
			s += "A = " + extended(p, "A") + ";\n"
		}
		b.WriteString(strings.NewReplacer("LET", "LET", "VAR", "VAR", "A", fmt.Sprintf("a%d", j), "B", fmt.Sprintf("b%d", j),
			"M", fmt.Sprintf("m%d", j), "E", fmt.Sprintf("e%d", j), "N", fmt.Sprintf("n%d", j)).Replace(s))
	}
	return b.String()
}

// floatText is scrambleFloat as text; clear is what clears the other word.
func floatText(p parts, clear string) string {
	return fmt.Sprintf("LET N = (B & %du) | ((%du + ((M >> 8u) & 15u)) << %du); LET E = (M >> 8u) & 3u;\n",
		p.keep, p.near, p.shift) +
		"if ((M & 3u) == 1u) { B = N; }\n" +
		fmt.Sprintf("if ((M & 3u) == 2u) {\n  B = (B & %du) | (((E & 1u) + (E >> 1u) * %du) << %du);\n",
			p.keep, p.most, p.shift) +
		fmt.Sprintf("  if (((M >> 10u) & 1u) != 0u) { %sB = B & %du; }\n}\n", clear, ^(uint32(1)<<p.shift-1)) +
		fmt.Sprintf("if ((M & 3u) == 3u) { %sB = N & %du; }\n", clear, ^p.low)
}

// extended is the canonical word whose low bits are those of w.
func extended(t prim.Type, w string) string {
	if width(t) >= 32 {
		return w
	}
	low := fmt.Sprintf("(%s & %du)", w, 1<<width(t)-1)
	if !t.IsSigned() {
		return low
	}
	sign := 1 << (width(t) - 1)
	return fmt.Sprintf("((%s ^ %du) - %du)", low, sign, sign)
}

// An argument of inLanguage.
const forCUDA = true

// inLanguage writes out the words by which WGSL and CUDA C differ.
func inLanguage(isCUDA bool, text string) string {
	if isCUDA {
		return strings.NewReplacer("LET ", "const u32 ", "VAR ", "u32 ").Replace(text)
	}
	return strings.NewReplacer("LET ", "let ", "VAR ", "var ").Replace(text)
}
