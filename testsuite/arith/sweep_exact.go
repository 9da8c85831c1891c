package main

import (
	"encoding/binary"

	"skald/runtime/device"
)

// exact takes an exact function. The folds of all tuples on the device and on the judge must be the same; those of a
// sample, and those that are not, are computed with prim, and so are all pairs of special values.
func (s *sweeper) exact(sig signature, ref meaning) (outcome, error) {
	h := s.limited(tuplingOf(sig.Params, s.plan.pairs))
	out := outcome{Function: sig.Name, Judge: "runtime/prim on a sample"}
	spec, err := spanKernel(s.dialect, sig, h, folding)
	if err != nil {
		return out, err
	}
	mine, err := folds(s.dev, spec, h)
	if err != nil {
		return out, err
	}
	suspects := sampleThreads(len(mine))
	out.Count = len(suspects) * int(min(h.total, spanRounds))
	if s.judge != nil {
		library, what, err := exactJudge(sig)
		if err != nil {
			return out, err
		}
		if s.judge != s.dev || what != ownLibrary {
			theirs, err := folds(s.judge, spanSpec(sig, spanSource(forCUDA, library, sig, h, folding)), h)
			if err != nil {
				return out, err
			}
			out.Judge, out.Count, out.All = what, int(h.total), h.all
			suspects = append(suspects, different(mine, theirs)...)
		}
	}
	if err := s.check(&out, sig, ref, h, mine, suspects); err != nil {
		return out, err
	}
	return out, s.special(&out, sig, ref)
}

// limited cuts a span down to what the plan allows.
func (s *sweeper) limited(h tupling) tupling {
	if h.total > s.plan.limit {
		h.total = s.plan.limit
		h.all = false
	}
	return h
}

// sampleThreads are 64 threads spread over the span, or all.
func sampleThreads(n int) []int {
	var some []int
	for i := range min(n, 64) {
		some = append(some, int(uint64(i)*uint64(n)/uint64(min(n, 64))))
	}
	return some
}

// different are the first thousand threads whose words differ.
func different(mine, theirs []uint32) []int {
	var threads []int
	for t := range mine {
		if mine[t] != theirs[t] && len(threads) < 1000 {
			threads = append(threads, t)
		}
	}
	return threads
}

// check computes the folds of some threads with prim, and finds a tuple that is wrong where one is.
func (s *sweeper) check(out *outcome, sig signature, ref meaning, h tupling, folds []uint32, threads []int) error {
	rounds := int(min(h.total, spanRounds))
	for _, t := range threads {
		args := h.tuples(uint32(t*rounds), rounds)
		word, k := uint32(0), len(sig.Params)
		for i := range rounds {
			word = fold(word, sig.Result, ref(args[i*k:i*k+k]))
		}
		if word == folds[t] {
			continue
		}
		out.Wrong++ // One thread at least has one wrong result at least.
		if out.At == "" {
			if err := s.compare(out, sig, ref, args); err != nil {
				return err
			}
		}
	}
	return nil
}

// special compares the results at all pairs of special values, and some random ones, with prim.
func (s *sweeper) special(out *outcome, sig signature, ref meaning) error {
	var wrong outcome
	err := s.compare(&wrong, sig, ref, draw(sig.Params, 4096, 1))
	if wrong.Wrong > 0 {
		out.Wrong += wrong.Wrong
		out.At = wrong.At
	}
	return err
}

// compare applies the function to tuples of arguments, counts the results that are not prim's, and names one.
func (s *sweeper) compare(out *outcome, sig signature, ref meaning, args []uint64) error {
	got, err := apply(s.dev, s.dialect, sig, args)
	if err != nil {
		return err
	}
	for i, g := range got {
		k := len(sig.Params)
		a := args[i*k : i*k+k]
		if want := ref(a); !same(sig.Result, g, want) {
			out.Wrong++
			out.At = show(sig.Params, a) + " is " + show1(sig.Result, g) + " not " + show1(sig.Result, want)
		}
	}
	return nil
}

// foldThreads is how many threads of a folding kernel a launch has: few enough that it ends soon.
const foldThreads = 1 << 18

// folds runs a kernel over the span on a device and returns the word of each thread.
func folds(dev device.Device, spec device.KernelSpec, h tupling) ([]uint32, error) {
	kernels, err := dev.Compile([]device.KernelSpec{spec})
	if err != nil {
		return nil, err
	}
	rounds := min(h.total, spanRounds)
	threads := h.total / rounds
	out := make([]uint32, 0, threads)
	for lo := uint64(0); lo < threads; lo += foldThreads {
		n := min(foldThreads, threads-lo)
		bytes := make([]byte, 4*n)
		if err := run(dev, kernels[0], int(n), spanInput(lo*rounds, n), bytes); err != nil {
			return nil, err
		}
		for i := range n {
			out = append(out, binary.LittleEndian.Uint32(bytes[4*i:]))
		}
	}
	return out, nil
}

// spanInput is the input of span and judge kernels.
func spanInput(first, n uint64) []byte {
	return binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, uint32(first)), uint32(n))
}
