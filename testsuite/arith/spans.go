package main

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"

	"skald/runtime/device"
	"skald/runtime/prim"
	"skald/shaders"
)

// spanRounds is how many tuples a thread takes whose results are folded.
const spanRounds = 1024

// span takes one function over a whole span of tuples: every f32, every pair of f16, or 2^30 scrambled tuples (2^32 and
// less if the plan limits them). Functions with other parameters are left out.
func (s *sweeper) span(name string) (out outcome, ok bool, err error) {
	if sig, ref, exact := exactReference(name); exact {
		how, ok := tuplingOf(sig)
		if !ok {
			return out, false, nil
		}
		out, err = s.foldAll(sig, ref, how)
		return out, true, err
	}
	x, ok := inexactFunction(name)
	if !ok || s.judge == nil {
		return out, false, nil
	}
	how, ok := tuplingOf(x.sig)
	op := name[:len(name)-4]
	if !ok || how == scramble || cudaWant[op] == "" {
		return out, false, nil
	}
	out, err = s.judgeSpan(x, op, how)
	return out, true, err
}

// tuplingOf chooses the tuples of a function by its parameters.
func tuplingOf(sig signature) (tupling, bool) {
	p := sig.Params
	switch {
	case len(p) == 1 && p[0] == prim.F32:
		return bits32, true
	case len(p) == 2 && p[0] == prim.F16 && p[1] == prim.F16:
		return halves, true
	}
	for _, t := range p {
		if t != prim.I32 && t != prim.U32 && t != prim.F32 && words(t) != 2 {
			return 0, false
		}
	}
	return scramble, true
}

func (h tupling) total(limit uint64) uint64 {
	n := uint64(1) << 32
	if h == scramble {
		n = 1 << 30
	}
	return min(n, limit)
}

// foldAll compares the folds of an exact function with those of CUDA's operators, where a CUDA device is at hand and has
// the function, and those of the first and last few threads with prim.
func (s *sweeper) foldAll(sig signature, ref meaning, how tupling) (outcome, error) {
	out := outcome{Function: sig.Name, Coverage: "prim on a sample"}
	total := how.total(s.plan.limit)
	mine, err := s.folds(s.dev, sig, how, total)
	if err != nil {
		return out, err
	}
	suspects := sampleThreads(len(mine))
	if s.judge != nil && s.judge != s.dev {
		theirs, err := s.folds(s.judge, sig, how, total)
		if err != nil {
			out.Coverage = "prim on a sample; not in CUDA"
		} else {
			out.Coverage, out.Count = "all folds equal CUDA's; prim on a sample", int(total)
			for t := range mine {
				if mine[t] != theirs[t] && len(suspects) < 1000 {
					out.Coverage = "some folds differ from CUDA's; these with prim"
					suspects = append(suspects, t)
				}
			}
		}
	}
	if out.Count == 0 {
		out.Count = len(suspects) * spanRounds
	}
	return out, s.check(&out, sig, ref, how, mine, suspects)
}

// sampleThreads are threads spread over the span.
func sampleThreads(n int) []int {
	var some []int
	for i := range 64 {
		some = append(some, int(uint64(i)*uint64(n)/64))
	}
	return some
}

// check computes the folds of some threads with prim, and finds a tuple that is wrong where one is.
func (s *sweeper) check(out *outcome, sig signature, ref meaning, how tupling, folds []uint32, threads []int) error {
	for _, t := range threads {
		args := spanTuples(sig.Params, how, uint32(t*spanRounds), spanRounds)
		h, k := uint32(0), len(sig.Params)
		for i := range spanRounds {
			h = fold(h, sig.Result, ref(args[i*k:i*k+k]))
		}
		if h == folds[t] {
			continue
		}
		out.Wrong++ // One thread at least has one wrong result at least.
		if out.At != "" {
			continue
		}
		got, err := apply(s.dev, dialectOf(s.dev.Facts()), sig, args)
		if err != nil {
			return err
		}
		for i, g := range got {
			if a := args[i*k : i*k+k]; !same(sig.Result, g, ref(a)) {
				out.At = show(sig.Params, a) + " gives " + show1(sig.Result, g) + " not " + show1(sig.Result, ref(a))
				break
			}
		}
	}
	return nil
}

// spanTuples makes the tuples first, first+1, … as a span kernel does.
func spanTuples(params []prim.Type, how tupling, first uint32, n int) []uint64 {
	var out []uint64
	for k := range uint32(n) {
		i := first + k
		for j, p := range params {
			w := uint64(i)
			switch how {
			case bits32:
			case halves:
				w = uint64(i >> (16 * (1 - j)) & 0xffff)
			case scramble:
				lo, hi := spanWords(p, i, j)
				w = uint64(hi)<<32 | uint64(lo)
			}
			out = append(out, prim.Canonical(p, w))
		}
	}
	return out
}

// folds runs a function over the span on a device and gives the word of each thread.
func (s *sweeper) folds(dev device.Device, sig signature, how tupling, total uint64) ([]uint32, error) {
	spec, err := spanKernel(dialectOf(dev.Facts()), sig, how, spanRounds)
	if err != nil {
		return nil, err
	}
	kernels, err := dev.Compile([]device.KernelSpec{spec})
	if err != nil {
		return nil, err
	}
	threads := int(total / spanRounds)
	out := make([]uint32, 0, threads)
	part := min(threads, 1<<20)
	bytes := make([]byte, 4*part)
	for lo := 0; lo < threads; lo += part {
		first := binary.LittleEndian.AppendUint32(nil, uint32(lo*spanRounds))
		if err := run(dev, kernels[0], part, first, bytes); err != nil {
			return nil, err
		}
		for i := range part {
			out = append(out, binary.LittleEndian.Uint32(bytes[4*i:]))
		}
	}
	return out, nil
}

// spanBatch is how many results are stored at once for the judge.
const spanBatch = 1 << 24

// judgeSpan has CUDA's f64 functions judge all results of a function, and the series the worst and a wrong one.
func (s *sweeper) judgeSpan(x inexact, op string, how tupling) (outcome, error) {
	out := outcome{Function: x.sig.Name, Bound: x.bound, Coverage: "all, against CUDA's f64"}
	total := how.total(s.plan.limit)
	out.Count = int(total)
	spec, err := spanKernel(dialectOf(s.dev.Facts()), x.sig, how, 1)
	if err != nil {
		return out, err
	}
	fill, err := s.dev.Compile([]device.KernelSpec{spec})
	if err != nil {
		return out, err
	}
	judge, err := s.judge.Compile([]device.KernelSpec{judgeKernel(op, x.sig.Result)})
	if err != nil {
		return out, err
	}
	batch := int(min(total, spanBatch))
	verdict, err := s.verdict(fill[0], judge[0], batch, total)
	if err != nil {
		return out, err
	}
	out.ULP = float64(math.Float32frombits(binary.LittleEndian.Uint32(verdict[4:])))
	at := binary.LittleEndian.Uint32(verdict)
	if wrong := binary.LittleEndian.Uint32(verdict[8:]); wrong > 0 {
		out.Wrong, at = int(wrong), binary.LittleEndian.Uint32(verdict[12:])
	}
	return out, s.confirm(&out, x, how, at)
}

// confirm puts the tuple that the judge complains of most to the series.
func (s *sweeper) confirm(out *outcome, x inexact, how tupling, at uint32) error {
	args := spanTuples(x.sig.Params, how, at, 1)
	got, err := apply(s.dev, dialectOf(s.dev.Facts()), x.sig, args)
	if err != nil {
		return err
	}
	var w worst
	x.judge(&w, args, got[0])
	out.At = fmt.Sprintf("%s gives %s (series: %.4f ulp, %d wrong)",
		show(x.sig.Params, args), show1(x.sig.Result, got[0]), w.ULP, w.Wrong)
	return nil
}

// verdict stores the results of one batch after the other, hands them to the judge and returns what it found.
func (s *sweeper) verdict(fill, judge device.Kernel, batch int, total uint64) ([]byte, error) {
	found, err := s.judge.Alloc(16)
	if err != nil {
		return nil, err
	}
	defer s.judge.Free(found)
	if err := s.judge.Fill(found, 0, 16, 0); err != nil {
		return nil, err
	}
	results, err := s.judge.Alloc(int64(4 * batch))
	if err != nil {
		return nil, err
	}
	defer s.judge.Free(results)
	first, err := s.judge.Alloc(4)
	if err != nil {
		return nil, err
	}
	defer s.judge.Free(first)
	bytes := make([]byte, 4*batch)
	const across = 1 << 15
	groups := uint32(batch / 64)
	for lo := uint64(0); lo < total; lo += uint64(batch) {
		word := binary.LittleEndian.AppendUint32(nil, uint32(lo))
		if err := run(s.dev, fill, batch, word, bytes); err != nil {
			return nil, err
		}
		if err := s.judge.Upload(first, 0, word); err != nil {
			return nil, err
		}
		if err := s.judge.Upload(results, 0, bytes); err != nil {
			return nil, err
		}
		err := s.judge.Launch(device.Launch{
			Kernel: judge, Groups: [3]uint32{min(groups, across), (groups + across - 1) / across, 1},
			Buffers: []device.Binding{
				{Buffer: first, Size: 4}, {Buffer: results, Size: int64(4 * batch)}, {Buffer: found, Size: 16},
			},
		})
		if err != nil {
			return nil, err
		}
	}
	verdict := make([]byte, 16)
	return verdict, s.judge.Download(device.Region{Buffer: found, Data: verdict})
}

// cudaOperators are the operators for which the CUDA library has no functions.
var cudaOperators = map[string]string{
	"add": "+", "sub": "-", "mul": "*", "div": "/", "and": "&", "or": "|", "xor": "^",
	"lt": "<", "le": "<=", "eq": "==", "slt": "<", "sle": "<=", "ult": "<", "ule": "<=",
}

// cudaLibrary is the CUDA library with a function, which is written as an operator where the library has it not.
func cudaLibrary(sig signature) (string, error) {
	d := shaders.Dialect{Language: shaders.CUDA}
	if _, ok := shaders.Lookup(d, sig.Name); ok {
		return shaders.Library(d, append([]string{sig.Name}, cBits...))
	}
	op := cudaOperators[sig.Name[:strings.LastIndexByte(sig.Name, '_')]]
	if op == "" || len(sig.Params) != 2 || op == "/" && sig.Params[0].IsInt() || sig.Params[0] == prim.F16 {
		return "", fmt.Errorf("CUDA has no %s", sig.Name)
	}
	library, err := shaders.Library(d, cBits)
	cType := func(t prim.Type) string {
		if t == prim.Bool {
			return "bool"
		}
		return t.String()
	}
	return library + fmt.Sprintf("SKALD_FN %s %s(%s a, %s b) { return a %s b; }\n",
		cType(sig.Result), sig.Name, cType(sig.Params[0]), cType(sig.Params[1]), op), err
}
