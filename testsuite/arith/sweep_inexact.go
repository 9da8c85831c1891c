package main

import (
	"encoding/binary"
	"math"

	"skald/runtime/device"
	"skald/runtime/prim"
	"skald/shaders"
)

// verdict is what a judge kernel found.
type verdict struct {
	ulp   float64
	at    uint32 // The tuple with that error.
	wrong int
	bad   uint32   // A wrong one, if there are any.
	kept  []uint32 // Tuples with an error of an ulp or more.
}

// inexact takes an inexact function. CUDA's f64 judges all results; the series judge those of a sample, those that
// the judge complains of most, and the judge itself on the sample.
//
// The error of a result of f64 is not known from its distance to another such number: what is given is the worst that
// the series find among some thousand tuples, first those with the largest distances.
func (s *sweeper) inexact(x inexact) (outcome, error) {
	wide := x.sig.Result == prim.F64
	h := tuplingOf(x.sig.Params, s.plan.pairs)
	samples := s.plan.series
	if wide {
		h.total, samples = h.total/4, 16*samples
	}
	h = s.limited(h)
	out := outcome{Function: x.sig.Name, Bound: x.bound, Judge: "the series on a sample"}
	list := draw(x.sig.Params, samples, 1)
	if s.judge != nil {
		op := x.sig.Name[:len(x.sig.Name)-4]
		if err := s.checkJudge(&out, x, op, list); err != nil {
			return out, err
		}
		v, err := s.judged(x, op, h)
		if err != nil {
			return out, err
		}
		out.Judge, out.Count, out.All, out.Wrong = "CUDA's f64", int(h.total), h.all, v.wrong
		if !wide {
			out.ULP, out.At = v.ulp, show(x.sig.Params, h.tuple(v.at))
		}
		if v.wrong > 0 {
			out.At = show(x.sig.Params, h.tuple(v.bad))
		}
		for _, i := range append(v.kept, v.at) {
			list = append(list, h.tuple(i)...)
		}
	}
	return out, s.serial(&out, x, list)
}

// serial puts the results at some tuples to the series.
func (s *sweeper) serial(out *outcome, x inexact, list []uint64) error {
	got, err := apply(s.dev, s.dialect, x.sig, list)
	if err != nil {
		return err
	}
	var w worst
	k := len(x.sig.Params)
	x.judgeAll(&w, len(got), func(i int) ([]uint64, uint64) { return list[i*k : i*k+k], got[i] })
	out.Series = w.Count
	out.Count = max(out.Count, w.Count)
	out.Wrong += w.Wrong
	switch {
	case w.Wrong > 0:
		out.At = show(x.sig.Params, w.Bad)
	case w.ULP > out.ULP && out.Wrong == 0:
		out.ULP, out.At = w.ULP, show(x.sig.Params, w.Args)
	}
	return nil
}

// checkJudge puts the judge's own values at some tuples to the series.
func (s *sweeper) checkJudge(out *outcome, x inexact, op string, list []uint64) error {
	library, err := wantLibrary(x, op)
	if err != nil {
		return err
	}
	exact, _ := inexactFunction(shaders.Dialect{Language: shaders.CUDA}, op+"_f64")
	args := make([]uint64, len(list))
	for i, a := range list {
		args[i] = math.Float64bits(value(x.sig.Result, a))
	}
	want := wantSignature(x)
	got, err := applyKernel(s.judge, cudaKernel(library, want), want, args)
	if err != nil {
		return err
	}
	var w worst
	k := len(want.Params)
	exact.judgeAll(&w, len(got), func(i int) ([]uint64, uint64) { return args[i*k : i*k+k], got[i] })
	out.JudgeCount, out.JudgeULP, out.JudgeWrong = w.Count, w.ULP, w.Wrong
	switch {
	case w.Wrong > 0:
		out.JudgeAt = show(want.Params, w.Bad)
	case w.Args != nil:
		out.JudgeAt = show(want.Params, w.Args)
	}
	return nil
}

// spanBatch is how many results are stored at once for the judge.
const spanBatch = 1 << 24

// judged has the judge look at all results of the span.
func (s *sweeper) judged(x inexact, op string, h tupling) (verdict, error) {
	spec, err := spanKernel(s.dialect, x.sig, h, storing)
	if err != nil {
		return verdict{}, err
	}
	fill, err := s.dev.Compile([]device.KernelSpec{spec})
	if err != nil {
		return verdict{}, err
	}
	if spec, err = judgeKernel(x, op, h); err != nil {
		return verdict{}, err
	}
	judge, err := s.judge.Compile([]device.KernelSpec{spec})
	if err != nil {
		return verdict{}, err
	}
	st, err := newStream(s, fill[0], judge[0], int64(4*words(x.sig.Result)), min(h.total, spanBatch))
	if err != nil {
		return verdict{}, err
	}
	defer st.free()
	if err := st.run(h.total); err != nil {
		return verdict{}, err
	}
	return st.verdict()
}

// verdict reads what the judge kernel found.
func (st *stream) verdict() (verdict, error) {
	data := make([]byte, foundSize)
	if err := st.to.Download(device.Region{Buffer: st.found, Data: data}); err != nil {
		return verdict{}, err
	}
	word := func(i int) uint32 { return binary.LittleEndian.Uint32(data[4*i:]) }
	v := verdict{ulp: float64(math.Float32frombits(word(1))), at: word(0), wrong: int(word(2)), bad: word(3)}
	for c := range classes {
		for i := range min(word(4+c), kept) {
			v.kept = append(v.kept, word(8+kept*c+int(i)))
		}
	}
	return v, nil
}
