package main

import (
	"fmt"
	"regexp"
	"strings"

	"skald/runtime/device"
	"skald/shaders"
)

// inputWord is a word of the input in the text that decodes an argument.
var inputWord = regexp.MustCompile(`input\[base[^\]]*\]`)

// rateRounds is how often each thread of a rate measurement applies the function.
const rateRounds = 64

// rateThreads is how many threads do so.
const rateThreads = 1 << 20

// measure fills in the operations a second, in WGSL: each thread applies the function to arguments near those of a
// buffer, whose low bits change from round to round, and folds the results.
func (s *sweeper) measure(out *outcome, sig signature) error {
	if !s.plan.rates || s.plan.cuda || !s.dev.Facts().Timestamps {
		return nil
	}
	d := dialectOf(s.dev.Facts())
	library, err := shaders.Library(d, append(helpers(append(sig.Params, sig.Result)...), sig.Name))
	if err != nil {
		return err
	}
	var args []string
	width := 0
	for _, p := range sig.Params {
		args = append(args, inputWord.ReplaceAllString(decode(p, width), "((k & 15u) ^ $0)"))
		width += words(p)
	}
	fold := encode(sig.Result)
	if words(sig.Result) == 2 {
		fold = fmt.Sprintf("dot(%s, vec2<u32>(1u, 1u))", fold)
	}
	enable := ""
	if d.Float16 {
		enable = "enable f16;\n"
	}
	source := fmt.Sprintf(`%s%s@group(0) @binding(0) var<storage, read_write> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> output: array<u32>;
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let base = (id.x & 1023u) * %du;
  var sum = 0u;
  for (var k = 0u; k < %du; k++) {
    let r = %s(%s);
    sum ^= %s;
  }
  output[id.x] = sum;
}
`, enable, library, width, rateRounds, sig.Name, strings.Join(args, ", "), fold)
	kernels, err := s.dev.Compile([]device.KernelSpec{{
		Name: "rate", Source: source, Entry: "main", Buffers: 2, Workgroup: [3]uint32{64, 1, 1},
	}})
	if err != nil {
		return err
	}
	in := []byte{}
	tuple := draw(sig.Params, 1024, 7)
	for i, w := range tuple {
		in = appendWord(in, sig.Params[i%len(sig.Params)], w)
	}
	best := 0.0
	for range 3 {
		s.dev.Timings()
		if err := run(s.dev, kernels[0], rateThreads, in, make([]byte, 4*rateThreads)); err != nil {
			return err
		}
		for _, t := range s.dev.Timings() {
			if t.Kernel == "rate" {
				best = max(best, rateThreads*rateRounds/t.Time.Seconds())
			}
		}
	}
	out.Rate = best
	return nil
}
