package main

import (
	"fmt"
	"strings"

	"skald/runtime/device"
	"skald/runtime/prim"
	"skald/shaders"
)

const (
	rateRounds  = 256     // How often each thread of a rate measurement applies the function.
	rateThreads = 1 << 20 // How many threads do so.
	rateBatch   = 32      // How many kernels are compiled at once.
	rateCalls   = 4       // How many calls a round has.
	rateText    = 8192    // It has one where the library's text is longer: compilers would take minutes, and a round costs little beside it.
)

// rates measures the operations a second of the functions that were swept, one after the other.
func (s *sweeper) rates(names []string) error {
	if !s.dev.Facts().Timestamps {
		return nil
	}
	var sigs []signature
	for _, name := range names {
		if out, ok := s.done[s.key(name)]; !ok || out.Rate > 0 {
			continue
		}
		sig, _, ok := exactReference(name)
		if !ok {
			x, _ := inexactFunction(s.dialect, name)
			sig = x.sig
		}
		sigs = append(sigs, sig)
	}
	for len(sigs) > 0 {
		part := sigs[:min(len(sigs), rateBatch)]
		sigs = sigs[len(part):]
		specs := make([]device.KernelSpec, len(part))
		for i, sig := range part {
			var err error
			if specs[i], err = s.rateKernel(sig); err != nil {
				return err
			}
		}
		kernels, err := s.dev.Compile(specs)
		if err != nil {
			return err
		}
		// The device was idle while the kernels were compiled, and is not for long between them.
		if err := device.WarmUp(s.dev, device.WarmUpTime); err != nil {
			return err
		}
		for i, sig := range part {
			out := s.done[s.key(sig.Name)]
			if out.Rate, err = s.rate(sig, kernels[i]); err != nil {
				return fmt.Errorf("%s: %w", sig.Name, err)
			}
			if err := s.finish(out); err != nil {
				return err
			}
		}
	}
	return nil
}

// ordinary moves the floats among words to magnitudes that programs compute with: positive ones from 2^-6 to 1, where
// almost every function is defined and none overflows. Far arguments take branches that are no measure of the others.
func ordinary(params []prim.Type, words []uint64) {
	for i, w := range words {
		t := params[i%len(params)]
		if !t.IsFloat() {
			continue
		}
		exponent, fraction := layout(t)
		bias := uint64(1)<<(exponent-1) - 1
		words[i] = w&(1<<fraction-1) | (bias-6+w>>fraction%6)<<fraction
	}
}

// rateKernel has each thread apply the function to arguments near those of its tuple in the input, whose low bits
// change from call to call, and add the results up. What a round costs beside its calls is not the function's: the words of
// the input are read before the loop, and a round has several calls in both languages.
func (s *sweeper) rateKernel(sig signature) (device.KernelSpec, error) {
	d := s.dialect
	spec := device.KernelSpec{Name: "rate", Entry: "rate", Buffers: 2, Workgroup: [3]uint32{64, 1, 1}}
	library, err := libraryOf(d, sig)
	if err != nil {
		return spec, err
	}
	width := 0
	for _, p := range sig.Params {
		width += words(p)
	}
	calls := rateCalls
	if len(library) > rateText {
		calls = 1
	}
	var reads, body strings.Builder
	for i := range width {
		fmt.Fprintf(&reads, "  %s w%d = input[base + %du];\n", rateWord(d), i, i)
	}
	for call := range calls {
		body.WriteString(rateCall(d, sig, call))
	}
	text := wgslRate
	if d.Language == shaders.CUDA {
		text = cudaRate
	}
	spec.Source = library + fmt.Sprintf(text, width, reads.String(), rateRounds, calls, body.String())
	return spec, nil
}

// rateWord declares a word that does not change.
func rateWord(d shaders.Dialect) string {
	if d.Language == shaders.CUDA {
		return "const u32"
	}
	return "let"
}

// rateCall is the text of one of a round's calls, with the sum of its result.
func rateCall(d shaders.Dialect, sig signature, call int) string {
	word := func(i int) string { return fmt.Sprintf("((k + %du) ^ w%d)", call, i) }
	width := 0
	var args []string
	for _, p := range sig.Params {
		switch {
		case d.Language != shaders.CUDA && words(p) == 2:
			text := strings.ReplaceAll(decode(p, width), fmt.Sprintf("input[base + %du]", width), word(width))
			args = append(args, strings.ReplaceAll(text, fmt.Sprintf("input[base + %du]", width+1), word(width+1)))
		case d.Language != shaders.CUDA:
			args = append(args, strings.ReplaceAll(decode(p, width), fmt.Sprintf("input[base + %du]", width), word(width)))
		case words(p) == 2:
			args = append(args, fmt.Sprintf("((u64)%s << 32 | %s)", word(width+1), word(width)))
		default:
			args = append(args, "(u64)"+word(width))
		}
		width += words(p)
	}
	if d.Language == shaders.CUDA {
		return fmt.Sprintf("    { const u64 r = %s; sum += (u32)r + (u32)(r >> 32); }\n", cCall(sig, args))
	}
	folded := encode(sig.Result)
	if words(sig.Result) == 2 {
		folded = fmt.Sprintf("dot(%s, vec2<u32>(1u, 1u))", folded)
	}
	return fmt.Sprintf("    { let r = %s(%s); sum += %s; }\n", sig.Name, strings.Join(args, ", "), folded)
}

const wgslRate = `@group(0) @binding(0) var<storage, read_write> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> output: array<u32>;
@compute @workgroup_size(64) fn rate(@builtin(global_invocation_id) id: vec3<u32>) {
  let base = id.x * %du;
%s  var sum = 0u;
  for (var k = 0u; k < %du; k += %du) {
%s  }
  output[id.x] = sum;
}
`

const cudaRate = `extern "C" __global__ void rate(u32 *input, u32 *output) {
  u32 t = blockIdx.x * 64 + threadIdx.x;
  u32 base = t * %d, sum = 0;
%s#pragma unroll 1
  for (u32 k = 0; k < %du; k += %du) {
%s  }
  output[t] = sum;
}
`

// rate runs a kernel of rateKernel three times and returns the operations a second of the best.
func (s *sweeper) rate(sig signature, k device.Kernel) (float64, error) {
	in := []byte{}
	args := draw(sig.Params, rateThreads, 7)
	ordinary(sig.Params, args)
	for i, w := range args {
		in = appendWord(in, sig.Params[i%len(sig.Params)], w)
	}
	best := 0.0
	for range 3 {
		s.dev.Timings()
		if err := run(s.dev, k, rateThreads, in, make([]byte, 4*rateThreads)); err != nil {
			return 0, err
		}
		for _, t := range s.dev.Timings() {
			if t.Kernel == "rate" {
				best = max(best, rateThreads*rateRounds/t.Time.Seconds())
			}
		}
	}
	return best, nil
}
