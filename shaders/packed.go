package shaders

import (
	"fmt"
	"strings"
)

// PackedOp is what a packed access does.
type PackedOp uint8

const (
	// Load reads an element: fn load_i8_buf(i: u32) -> i32.
	Load PackedOp = iota
	// Store writes an element that no other thread writes at the same time, and
	// leaves its neighbours in the word alone: fn store_i8_buf(i: u32, x: i32).
	// It is one atomic when the words are atomic; plain words are right only if
	// no other thread writes the word.
	Store
	// StoreShared writes an element that several threads may write at once; one of
	// the values stays: fn store_shared_i8_buf(i: u32, x: i32). It needs atomic words.
	StoreShared
)

// Packed is an access to elements narrower than a word, in a variable that is an array<u32> or array<atomic<u32>>.
type Packed struct {
	Op     PackedOp
	Type   string // i8, u8, bool, i16, u16 or f16.
	Var    string // The array: an identifier, or an expression such as "buf.words".
	Atomic bool   // Its elements are atomic<u32>.
}

var packedOps = [...]string{Load: "load", Store: "store", StoreShared: "store_shared"}

// Name is the name of the function that Text declares.
func (p Packed) Name() string {
	return packedOps[p.Op] + "_" + p.Type + "_" + mangle(p.Var)
}

// Text is the function, and Uses the library functions that it calls.
func (p Packed) Text() string {
	e := packing(p.Type)
	word := fmt.Sprintf("%s[i >> %du]", p.Var, e.perWordLog2())
	read := word
	if p.Atomic {
		read = "atomicLoad(&" + word + ")"
	}
	shift := fmt.Sprintf("(i & %du) * %du", 32/e.bits-1, e.bits)
	if p.Op == Load {
		return fmt.Sprintf("fn %s(i: u32) -> %s {\n  return %s;\n}\n",
			p.Name(), e.value, fmt.Sprintf(e.decode, fmt.Sprintf("%s >> (%s)", read, shift)))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "fn %s(i: u32, x: %s) {\n", p.Name(), e.value)
	fmt.Fprintf(&b, "  let shift = %s;\n  let mask = %s << shift;\n", shift, e.mask())
	fmt.Fprintf(&b, "  let bits = (%s & %s) << shift;\n", fmt.Sprintf(e.encode, "x"), e.mask())
	switch {
	case p.Op == StoreShared:
		fmt.Fprintf(&b, `  var old = atomicLoad(&%[1]s);
  loop {
    let r = atomicCompareExchangeWeak(&%[1]s, old, (old & ~mask) | bits);
    if (r.exchanged) { break; }
    old = r.old_value;
  }
`, word)
	case p.Atomic:
		fmt.Fprintf(&b, "  atomicXor(&%[1]s, (atomicLoad(&%[1]s) & mask) ^ bits);\n", word)
	default:
		fmt.Fprintf(&b, "  %[1]s = (%[1]s & ~mask) | bits;\n", word)
	}
	b.WriteString("}\n")
	return b.String()
}

// Uses names the library functions that Text calls.
func (p Packed) Uses() []string { return usesOf(p.Type) }

// element is how one type lies in words.
type element struct {
	bits   int
	value  string // The type of its values.
	decode string // Makes a value from a word whose low bits hold it; the rest is arbitrary.
	encode string // Makes a word from a value; only the low bits count.
}

// elements are the types that can be packed or updated atomically as (part of) one word.
var elements = map[string]element{
	"i8":   {8, "i32", "norm_i8(bitcast<i32>(%s))", "bitcast<u32>(%s)"},
	"u8":   {8, "u32", "norm_u8(%s)", "%s"},
	"bool": {8, "bool", "((%s) & 0xffu) != 0u", "select(0u, 1u, %s)"},
	"i16":  {16, "i32", "norm_i16(bitcast<i32>(%s))", "bitcast<u32>(%s)"},
	"u16":  {16, "u32", "norm_u16(%s)", "%s"},
	"f16":  {16, "F16", "from_bits_f16((%s) & 0xffffu)", "to_bits_f16(%s)"},
	"i32":  {32, "i32", "bitcast<i32>(%s)", "bitcast<u32>(%s)"},
	"u32":  {32, "u32", "%s", "%s"},
	"f32":  {32, "f32", "bitcast<f32>(%s)", "bitcast<u32>(%s)"},
}

// packing finds an element type; a name that is none is the caller's mistake.
func packing(typ string) element {
	e, ok := elements[typ]
	if !ok {
		panic(fmt.Sprintf("shaders: %q does not fit a word", typ))
	}
	return e
}

func (e element) perWordLog2() int {
	switch e.bits {
	case 8:
		return 2
	case 16:
		return 1
	default:
		return 0
	}
}

func (e element) mask() string {
	if e.bits == 32 {
		return "0xffffffffu"
	}
	return fmt.Sprintf("0x%xu", 1<<e.bits-1)
}

func usesOf(typ string) []string {
	e := packing(typ)
	var names []string
	for _, name := range identifier.FindAllString(e.decode+" "+e.encode, -1) {
		if strings.HasPrefix(name, "norm_") || strings.HasSuffix(name, "_f16") {
			names = append(names, name)
		}
	}
	return names
}

// mangle makes a part of an identifier from an expression.
func mangle(expression string) string {
	return strings.Trim(strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9':
			return r
		default:
			return '_'
		}
	}, expression), "_")
}
