package shaders

import "fmt"

// Atomic is an atomic update of an element of an array<atomic<u32>>, by a loop of compare-exchange: for an operator and
// a type without a hardware atomic. The function's result is the element before the update:
//
//	fn update_OP_f32_buf(i: u32, x: f32) -> f32
//
// The loop ends at once when the update changes nothing (a maximum that is reached), and it assumes nothing of other
// threads but that compare-exchange makes progress.
type Atomic struct {
	Type string // One of one word or less: i8 u8 bool i16 u16 f16 i32 u32 f32.
	Op   string // Name of a function of two values: the element first, then x.
	Var  string // As in Packed.
}

// Name is the name of the function that Text declares.
func (a Atomic) Name() string { return "update_" + a.Op + "_" + a.Type + "_" + mangle(a.Var) }

// Uses names the library functions that Text calls, without Op.
func (a Atomic) Uses() []string { return usesOf(a.Type) }

// Text is the function.
func (a Atomic) Text() string {
	e := packing(a.Type)
	word := fmt.Sprintf("%s[i >> %du]", a.Var, e.perWordLog2())
	if e.bits == 32 {
		word = a.Var + "[i]"
	}
	shift := fmt.Sprintf("(i & %du) * %du", 32/e.bits-1, e.bits)
	if e.bits == 32 {
		shift = "0u"
	}
	return fmt.Sprintf(`fn %[1]s(i: u32, x: %[2]s) -> %[2]s {
  let shift = %[3]s;
  let mask = %[4]s << shift;
  var old = atomicLoad(&%[5]s);
  loop {
    let after = %[7]s(%[6]s, x);
    let new_word = (old & ~mask) | ((%[8]s & %[4]s) << shift);
    if (new_word == old) { break; }
    let r = atomicCompareExchangeWeak(&%[5]s, old, new_word);
    if (r.exchanged) { break; }
    old = r.old_value;
  }
  return %[6]s;
}
`, a.Name(), e.value, shift, e.mask(), word, fmt.Sprintf(e.decode, "old >> shift"), a.Op,
		fmt.Sprintf(e.encode, "after"))
}

// AddWide is an atomic addition to a two-word integer in an array<atomic<u32>>, element i being words 2i (low) and
// 2i+1. Each word's addition is atomic and the carry follows, so that the sum is right once all updates are done; a
// reader before that may see a low word without its carry. It has no result:
//
//	fn add_wide_buf(i: u32, x: vec2<u32>)
type AddWide struct {
	Var string // As in Packed.
}

// Name is the name of the function that Text declares.
func (a AddWide) Name() string { return "add_wide_" + mangle(a.Var) }

// Text is the function.
func (a AddWide) Text() string {
	return fmt.Sprintf(`fn %[1]s(i: u32, x: vec2<u32>) {
  let old = atomicAdd(&%[2]s[2u * i], x.x);
  let high = x.y + select(0u, 1u, old + x.x < old);
  if (high != 0u) { atomicAdd(&%[2]s[2u * i + 1u], high); }
}
`, a.Name(), a.Var)
}
