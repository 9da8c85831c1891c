package main

import (
	"fmt"
	"math"
	"math/bits"
	"strings"
)

// Operator is what a scan joins elements with. An element has one word or several, each of which lies in an array of
// its own, as the compiler lays tuples out. The operator is associative and has a neutral element; it need not commute.
type Operator struct {
	Name   string
	Fields []string // The types of the words: u32, i32 or f32.
	Zero   []string // The neutral element.
	Join   string   // The body of join(p, q): p lies before q.
	Add    bool     // One word, and join is its addition, for which subgroups have operations.

	// A map fused with the scan: an element as a function of one u32 of the only input, and the words of the only output
	// as a function of the scanned element. Empty: input and output are the elements themselves.
	Pre, Post string

	// The body of beside(x): words of a further output that a scan in two passes writes with its first launch, and the same
	// in Go.
	Beside string
	Mapped func(x uint32) uint32

	// Reference joins in place: p = join(p, q), in words.
	Reference       func(p, q []uint32)
	First           func(x uint32, e []uint32) // Pre, in Go: fills e.
	Last            func(p []uint32) uint32    // Post, in Go.
	neutralInNumber []uint32
}

// The operators of the lab's scans.
var (
	opAdd = &Operator{
		Name: "add", Fields: []string{"u32"}, Zero: []string{"0u"}, Join: " return p + q; ", Add: true,
		Reference: func(p, q []uint32) { p[0] += q[0] }, neutralInNumber: []uint32{0},
	}
	opMax = &Operator{
		Name: "max", Fields: []string{"i32"}, Zero: []string{"(-2147483647 - 1)"}, Join: " return max(p, q); ",
		Reference:       func(p, q []uint32) { p[0] = uint32(max(int32(p[0]), int32(q[0]))) },
		neutralInNumber: []uint32{1 << 31},
	}
	// Numbers of 64 bits, as two arrays of words: the low words first.
	opAddI64 = &Operator{
		Name: "i64", Fields: []string{"u32", "u32"}, Zero: []string{"0u", "0u"},
		Join: " let low = p.f0 + q.f0; return E(low, p.f1 + q.f1 + select(0u, 1u, low < p.f0)); ",
		Reference: func(p, q []uint32) {
			low, carry := bits.Add32(p[0], q[0], 0)
			p[0], p[1] = low, p[1]+q[1]+carry
		},
		neutralInNumber: []uint32{0, 0},
	}
	// Sums that stay whole numbers, so that the order of additions does not show.
	opAddF32 = &Operator{
		Name: "f32", Fields: []string{"f32"}, Zero: []string{"0.0f"}, Join: " return p + q; ",
		Pre: " return f32(i32(x)); ", Post: " return bitcast<u32>(e); ",
		Reference: func(p, q []uint32) {
			p[0] = math.Float32bits(math.Float32frombits(p[0]) + math.Float32frombits(q[0]))
		},
		First:           func(x uint32, e []uint32) { e[0] = math.Float32bits(float32(int32(x))) },
		Last:            func(p []uint32) uint32 { return p[0] },
		neutralInNumber: []uint32{0},
	}
	// A linear function a·x + b, composed: it does not commute.
	opLinear = &Operator{
		Name: "linear", Fields: []string{"u32", "u32"}, Zero: []string{"1u", "0u"},
		Join:            " return E(p.f0 * q.f0, q.f0 * p.f1 + q.f1); ",
		Reference:       func(p, q []uint32) { p[0], p[1] = p[0]*q[0], q[0]*p[1]+q[1] },
		neutralInNumber: []uint32{1, 0},
	}
	// Maximum segment sum of every prefix: the map makes a tuple of a number, the result is one word of it.
	opMSSP = &Operator{
		Name: "mssp", Fields: []string{"i32", "i32", "i32", "i32"}, Zero: []string{"0", "0", "0", "0"},
		Join: ` return E(max(max(p.f0, q.f0), p.f2 + q.f1), max(p.f1, p.f3 + q.f1), max(q.f2, p.f2 + q.f3), p.f3 + q.f3); `,
		Pre:  " let m = max(i32(x), 0); return E(m, m, m, i32(x)); ",
		Post: " return u32(e.f0); ",
		Reference: func(p, q []uint32) {
			a, b := signed(p), signed(q)
			p[0] = uint32(max(a[0], b[0], a[2]+b[1]))
			p[1] = uint32(max(a[1], a[3]+b[1]))
			p[2] = uint32(max(b[2], a[2]+b[3]))
			p[3] = uint32(a[3] + b[3])
		},
		First: func(x uint32, e []uint32) {
			m := uint32(max(int32(x), 0))
			e[0], e[1], e[2], e[3] = m, m, m, x
		},
		Last: func(p []uint32) uint32 { return p[0] }, neutralInNumber: make([]uint32, 4),
	}
	// Three scans at once, each with an operator of its own.
	opSeveral = &Operator{
		Name: "several", Fields: []string{"u32", "i32", "f32"}, Zero: []string{"0u", "(-2147483647 - 1)", "0.0f"},
		Join: " return E(p.f0 + q.f0, max(p.f1, q.f1), max(p.f2, q.f2)); ",
		Reference: func(p, q []uint32) {
			p[0] += q[0]
			p[1] = uint32(max(int32(p[1]), int32(q[1])))
			p[2] = math.Float32bits(max(math.Float32frombits(p[2]), math.Float32frombits(q[2])))
		},
		neutralInNumber: []uint32{0, 1 << 31, 0},
	}
)

func signed(p []uint32) [4]int32 { return [4]int32{int32(p[0]), int32(p[1]), int32(p[2]), int32(p[3])} }

// width is how many words an element has.
func (o *Operator) width() int { return len(o.Fields) }

// field is a word of the element that an expression names.
func (o *Operator) field(e string, j int) string {
	if o.width() == 1 {
		return e
	}
	return fmt.Sprintf("%s.f%d", e, j)
}

// element builds an element of its words.
func (o *Operator) element(words func(j int) string) string {
	ws := make([]string, o.width())
	for j := range ws {
		ws[j] = words(j)
	}
	if o.width() == 1 {
		return ws[0]
	}
	return "E(" + strings.Join(ws, ", ") + ")"
}

// typ is the type of elements.
func (o *Operator) typ() string {
	if o.width() == 1 {
		return o.Fields[0]
	}
	return "E"
}

// zero is the neutral element.
func (o *Operator) zero() string { return o.element(func(j int) string { return o.Zero[j] }) }

// shuffled is an element of another thread of the subgroup.
func (o *Operator) shuffled(how, e, from string) string {
	return o.element(func(j int) string { return fmt.Sprintf("%s(%s, %s)", how, o.field(e, j), from) })
}

// structs declares the type of elements where it has several words.
func (o *Operator) structs() []Struct {
	if o.width() == 1 {
		return nil
	}
	s := Struct{Name: "E"}
	for j, f := range o.Fields {
		s.Fields = append(s.Fields, fmt.Sprintf("f%d %s", j, f))
	}
	return []Struct{s}
}

// funcs are join and the functions of the fused maps.
func (o *Operator) funcs() []Func {
	t := o.typ()
	fs := []Func{{Result: t, Name: "join", Params: []string{"p " + t, "q " + t}, Body: o.Join}}
	if o.Pre != "" {
		fs = append(fs, Func{Result: t, Name: "pre", Params: []string{"x u32"}, Body: o.Pre})
	}
	if o.Post != "" {
		fs = append(fs, Func{Result: "u32", Name: "post", Params: []string{"e " + t}, Body: o.Post})
	}
	if o.Beside != "" {
		fs = append(fs, Func{Result: "u32", Name: "beside", Params: []string{"x u32"}, Body: o.Beside})
	}
	return fs
}

// inputs and outputs are the types of the arrays read and written.
func (o *Operator) inputs() []string {
	if o.Pre != "" {
		return []string{"u32"}
	}
	return o.Fields
}

func (o *Operator) outputs() []string {
	if o.Post != "" {
		return []string{"u32"}
	}
	return o.Fields
}

// arrays declares arrays of four words an element.
func arrays(prefix string, types []string) []string {
	var bs []string
	for j, t := range types {
		bs = append(bs, fmt.Sprintf("%s%d vec4<%s>", prefix, j, t))
	}
	return bs
}

// data makes n elements of input: an array a word.
func (o *Operator) data(n int) [][]uint32 {
	var all [][]uint32
	for j, t := range o.inputs() {
		xs := random(n)
		if j > 0 || t == "f32" {
			xs = make([]uint32, n)
			inParallel(n, func(i int) {
				xs[i] = mix(uint32(i)+uint32(j)<<28) & 1023
				if t == "f32" {
					xs[i] = math.Float32bits(float32(xs[i]))
				}
			})
		}
		all = append(all, xs)
	}
	return all
}

// monoid is the operator in Go.
func (o *Operator) monoid() *monoid { return &monoid{o.neutralInNumber, o.Reference} }

// elements returns the elements of arrays, mapped where a map is fused.
func (o *Operator) elements(in [][]uint32) func(i int, e []uint32) {
	if o.Pre != "" {
		return func(i int, e []uint32) { o.First(in[0][i], e) }
	}
	return func(i int, e []uint32) {
		for j := range in {
			e[j] = in[j][i]
		}
	}
}

// check compares the arrays that begin at buffer out with the scan of the input.
func (o *Operator) check(in [][]uint32, out int) func(func(int) []uint32) error {
	return func(read func(int) []uint32) error {
		outs := make([][]uint32, len(o.outputs()))
		for j := range outs {
			outs[j] = read(out + j)
		}
		return o.monoid().scan(len(in[0]), o.elements(in), func(i int, _, acc []uint32) error {
			for j := range outs {
				want := acc[j]
				if o.Post != "" {
					want = o.Last(acc)
				}
				if outs[j][i] != want {
					return fmt.Errorf("scan: word %d of element %d is %#x, want %#x", j, i, outs[j][i], want)
				}
			}
			return nil
		})
	}
}
