package wgsl

import "strings"

// helperTexts are small functions of the printer's own, in the order in which
// they are printed.
var helperTexts = []struct{ name, text string }{
	{"hidden_zero", "var<private> hidden_zero: u32 = 0u;\n"},
	{"sign_extend", "fn sign_extend(x: i32) -> vec2<u32> { return vec2<u32>(u32(x), u32(x >> 31u)); }\n"},
	{"u64_from_words", "fn u64_from_words(w: vec2<u32>) -> u64 { return u64(w.x) | (u64(w.y) << 32u); }\n"},
	{"words_from_u64", `fn words_from_u64(x: u64) -> vec2<u32> {
  return vec2<u32>(u32(x & 0xfffffffflu), u32(x >> 32u));
}
`},
	{functionFailed, "var<private> function_failed = false;\n"},
	{"claim_failure", `// Whether this is the first failure: then the caller notes the values.
fn claim_failure(site: u32) -> bool {
  loop {
    let swap = atomicCompareExchangeWeak(&failure[0], 0u, site);
    if (swap.exchanged) { return true; }
    if (swap.old_value != 0u) { return false; }
  }
  return false;
}
`},
	{"note_value", `fn note_value(at: i32, w: vec2<u32>) {
  atomicStore(&failure[at], w.x);
  atomicStore(&failure[at + 1], w.y);
}
`},
}

// helper asks for a function of the printer's own.
func (p *printer) Need(name string) { p.helpers[name] = true }

func (p *printer) printHelpers(b *strings.Builder) {
	for _, h := range helperTexts {
		if p.helpers[h.name] {
			b.WriteString(h.text)
		}
	}
}
