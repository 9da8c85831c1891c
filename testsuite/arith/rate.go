package main

import (
	"fmt"
	"regexp"
	"strings"

	"skald/runtime/device"
	"skald/runtime/prim"
	"skald/shaders"
)

// inputWord is a word of the input in the text that decodes an argument.
var inputWord = regexp.MustCompile(`input\[base[^\]]*\]`)

const (
	rateRounds  = 256     // How often each thread of a rate measurement applies the function.
	rateThreads = 1 << 20 // How many threads do so.
	rateBatch   = 32      // How many kernels are compiled at once.
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
// change from round to round, and add the results up.
func (s *sweeper) rateKernel(sig signature) (device.KernelSpec, error) {
	d := s.dialect
	spec := device.KernelSpec{Name: "rate", Entry: "rate", Buffers: 2, Workgroup: [3]uint32{64, 1, 1}}
	width := 0
	var args []string
	for _, p := range sig.Params {
		switch {
		case d.Language != shaders.CUDA:
			args = append(args, inputWord.ReplaceAllString(decode(p, width), "(k ^ $0)"))
		case words(p) == 2:
			args = append(args, fmt.Sprintf("((u64)(k ^ input[base + %d]) << 32 | (k ^ input[base + %d]))", width+1, width))
		default:
			args = append(args, fmt.Sprintf("(u64)(k ^ input[base + %d])", width))
		}
		width += words(p)
	}
	if d.Language == shaders.CUDA {
		library, err := libraryOf(d, sig)
		spec.Source = library + fmt.Sprintf(cudaRate, width, rateRounds, cCall(sig, args))
		return spec, err
	}
	library, err := libraryOf(d, sig)
	folded := encode(sig.Result)
	if words(sig.Result) == 2 {
		folded = fmt.Sprintf("dot(%s, vec2<u32>(1u, 1u))", folded)
	}
	spec.Source = library + fmt.Sprintf(wgslRate, width, rateRounds, sig.Name, strings.Join(args, ", "), folded)
	return spec, err
}

const wgslRate = `@group(0) @binding(0) var<storage, read_write> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> output: array<u32>;
@compute @workgroup_size(64) fn rate(@builtin(global_invocation_id) id: vec3<u32>) {
  let base = id.x * %du;
  var sum = 0u;
  for (var k = 0u; k < %du; k++) {
    let r = %s(%s);
    sum += %s;
  }
  output[id.x] = sum;
}
`

const cudaRate = `extern "C" __global__ void rate(u32 *input, u32 *output) {
  u32 t = blockIdx.x * 64 + threadIdx.x;
  u32 base = t * %d, sum = 0;
  for (u32 k = 0; k < %du; k++) {
    const u64 r = %s;
    sum += (u32)r + (u32)(r >> 32);
  }
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
