package lower

import (
	"skald/middle/imp"
	"skald/middle/pass"
	"skald/runtime/prim"
)

// Passes on the low-level program. What they do to kernels is package imp's; here is on which devices.

// Registers unrolls loops that keep private arrays out of registers, on GPUs: Note [Arrays in registers] in package imp.
func Registers(facts Facts) pass.Pass[*imp.Prog, *imp.Prog] {
	emulated := func(t prim.Type) bool {
		return t.Bits() == 64 && (t.IsFloat() && facts.NoF64 || t.IsInt() && facts.NoI64)
	}
	return where(onGPU(facts), "registers", "unroll loops that keep small private arrays out of registers",
		func(p *imp.Prog) *imp.Prog { return imp.Registers(p, emulated) })
}

// Prefetch does loads in loops of workgroups for some rounds together, on GPUs: Note [Loads of rounds together] in package imp.
func Prefetch(facts Facts) pass.Pass[*imp.Prog, *imp.Prog] {
	return where(onGPU(facts), "prefetch",
		"load from device memory for four rounds together where workgroups wait in each round of a loop", imp.Prefetch)
}

// Unroll unrolls loops that wait for memory, on GPUs: Note [Unrolled loops] in package imp.
func Unroll(facts Facts) pass.Pass[*imp.Prog, *imp.Prog] {
	return where(onGPU(facts), "unroll", "do four iterations together of loops that read several arrays and write none", imp.Unroll)
}

// Bits computes only those bits of integers that are used, on GPUs: Note [Bits that are used] in package imp.
func Bits(facts Facts) pass.Pass[*imp.Prog, *imp.Prog] {
	return where(onGPU(facts), "bits", "compute only those bits of integers that are used", imp.Bits)
}

// Contract rounds sums of products once where the device does so in one instruction: Note [Contraction] in package imp.
func Contract(facts Facts) pass.Pass[*imp.Prog, *imp.Prog] {
	fused := func(t prim.Type) bool { return t == prim.F32 && facts.Fma32 || t == prim.F64 && facts.Fma64 }
	return where(facts.Fma32 || facts.Fma64, "contract",
		"compute a product that is added with one rounding where the device has an instruction for it",
		func(p *imp.Prog) *imp.Prog { return imp.Contract(p, fused) })
}

// Accumulate computes long products by halves of words, on GPUs whose drivers compile WGSL, which has no products of two words: Note
// [Products with carries] in package imp.
func Accumulate(facts Facts) pass.Pass[*imp.Prog, *imp.Prog] {
	return where(facts.Words && !facts.NoI64, "accumulate", "compute products of 64-bit numbers together with their upper halves and sums",
		imp.Accumulate)
}

// Divide divides 64-bit numbers by constants by way of products where they are made of words: Note [Divisions by constants] in package imp.
func Divide(facts Facts) pass.Pass[*imp.Prog, *imp.Prog] {
	return where(facts.NoI64, "divide", "divide 64-bit numbers by constants by way of products", imp.Divide)
}

// Reroll makes loops of calls where compilers copy functions: Note [Calls in loops] in package imp.
func Reroll(facts Facts) pass.Pass[*imp.Prog, *imp.Prog] {
	return where(facts.Inlines, "reroll", "make loops of calls in a row of one large function", imp.Reroll)
}

// Together reads what host code needs in as few waits as it can, on GPUs: Note [Reading together] in package imp.
func Together(facts Facts) pass.Pass[*imp.Prog, *imp.Prog] {
	return where(onGPU(facts), "together", "read together what host code waits for one after the other", imp.Together)
}

// Ahead says which statements of loops may be done before a round is known to be there, on GPUs: Note [Rounds ahead] in package imp.
func Ahead(facts Facts) pass.Pass[*imp.Prog, *imp.Prog] {
	return where(onGPU(facts), "ahead", "say which statements of loops may be done before their condition is known", imp.Ahead)
}

// onGPU reports whether a device is a GPU: no processor, nor one in a GPU's place.
func onGPU(facts Facts) bool { return !facts.Software && facts.Tasks == 0 }

// where is a pass that runs on some devices, and leaves programs for others as they are.
func where(runs bool, name, doc string, run func(*imp.Prog) *imp.Prog) pass.Pass[*imp.Prog, *imp.Prog] {
	return pass.Pass[*imp.Prog, *imp.Prog]{
		Name: name, Doc: doc,
		Run: func(_ *pass.Context, p *imp.Prog) *imp.Prog {
			if !runs {
				return p
			}
			return run(p)
		},
	}
}
