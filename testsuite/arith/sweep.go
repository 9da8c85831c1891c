package main

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"time"

	"skald/runtime/cuda"
	"skald/runtime/device"
	"skald/runtime/prim"
	"skald/runtime/webgpu"
	"skald/shaders"
)

// outcome is the finished shard of one function on one device.
type outcome struct {
	Function string
	Coverage string  // What was tried.
	Count    int     // How many arguments that were.
	ULP      float64 // Worst error; 0 for exact functions.
	Bound    float64
	At       string // Arguments of the worst error, or of the first wrong result.
	Wrong    int
	Rate     float64 // Operations a second.
}

// sweeper runs the shards of a plan on one device.
type sweeper struct {
	plan  plan
	dev   device.Device
	judge device.Device      // A CUDA device, if there is one and the plan is for spans.
	done  map[string]outcome // By device, dialect and function.
	key   string
	start time.Time
}

func runSweep(p plan, o webgpu.Options) error {
	only, err := regexp.Compile(p.only)
	if err != nil {
		return err
	}
	dev, err := openDevice(p, o)
	if err != nil {
		return err
	}
	defer dev.Close() //nolint:errcheck // all results are in
	f := dev.Facts()
	s := &sweeper{plan: p, dev: dev, done: map[string]outcome{}, start: time.Now()}
	if p.spans && p.cuda {
		s.judge = dev
	} else if p.spans {
		if judge, err := cuda.Open(cuda.Options{}); err == nil {
			defer judge.Close() //nolint:errcheck // all results are in
			s.judge = judge
		} else {
			fmt.Println("no judge, so only samples:", err)
		}
	}
	s.key = fmt.Sprintf("%s, %s, native i64 %v f64 %v f16 %v: ", f.Name, f.API, f.I64, f.F64, f.F16)
	if data, err := os.ReadFile(p.state); err == nil {
		if err := json.Unmarshal(data, &s.done); err != nil {
			return fmt.Errorf("%s: %w", p.state, err)
		}
	}
	fmt.Printf("%s\n%s\n", s.key, strings.Join(os.Args[1:], " "))
	if p.cross {
		return s.runCross(only)
	}
	fmt.Println("| function | tried | worst ulp | bound | at | wrong | operations/s |\n|---|---|---|---|---|---|---|")
	for _, name := range shaders.Names(dialectOf(f)) {
		if !only.MatchString(name) {
			continue
		}
		if err := s.function(name); err != nil {
			return err
		}
	}
	return nil
}

func openDevice(p plan, o webgpu.Options) (device.Device, error) {
	if p.cuda {
		dev, err := cuda.Open(cuda.Options{})
		if err != nil {
			return nil, err // Not dev: an interface that holds a nil pointer is not nil.
		}
		return dev, nil
	}
	o.Profile = true
	dev, err := webgpu.Open(o)
	if err != nil {
		return nil, err
	}
	return dev, nil
}

// function runs one function's shard, unless it is done or time is up, and prints its line.
func (s *sweeper) function(name string) error {
	out, known := s.done[s.key+name]
	if !known {
		if s.plan.seconds > 0 && time.Since(s.start) > time.Duration(s.plan.seconds)*time.Second {
			return nil
		}
		var err error
		if s.plan.spans {
			var ok bool
			if out, ok, err = s.span(name); !ok && err == nil {
				return nil
			}
		} else if sig, ref, ok := exactReference(name); ok {
			out, err = s.exact(sig, ref)
		} else if x, ok := inexactFunction(name); ok {
			out, err = s.inexact(x)
		} else {
			return nil
		}
		if err != nil {
			return err
		}
		s.done[s.key+name] = out
		data, err := json.MarshalIndent(s.done, "", " ")
		if err != nil {
			return err
		}
		if err := os.WriteFile(s.plan.state, data, 0o644); err != nil {
			return err
		}
	}
	if s.plan.spans && out.Rate == 0 {
		fmt.Printf("| %s | %d: %s | %.4g | %g | %s | %d | |\n",
			out.Function, out.Count, out.Coverage, out.ULP, out.Bound, out.At, out.Wrong)
		return nil
	}
	fmt.Printf("| %s | %d: %s | %.4g | %g | %s | %d | %.3g |\n",
		out.Function, out.Count, out.Coverage, out.ULP, out.Bound, out.At, out.Wrong, out.Rate)
	return nil
}

// exact compares a function with its meaning, in batches of a million.
func (s *sweeper) exact(sig signature, ref meaning) (outcome, error) {
	n, what := s.plan.random, "all special tuples, random"
	if sig.Params[0] == prim.I64 || sig.Params[0] == prim.U64 {
		n = s.plan.pairs
	}
	out := outcome{Function: sig.Name, Coverage: what}
	const batch = 1 << 21
	for seed := uint64(1); n >= 0; seed++ {
		args := draw(sig.Params, min(n, batch), seed)
		got, err := apply(s.dev, dialectOf(s.dev.Facts()), sig, args)
		if err != nil {
			return out, err
		}
		k := len(sig.Params)
		var mu sync.Mutex
		split(len(got), func(lo, hi int) {
			for i := lo; i < hi; i++ {
				a := args[i*k : i*k+k]
				if want := ref(a); !same(sig.Result, got[i], want) {
					mu.Lock()
					if out.Wrong == 0 {
						out.At = show(sig.Params, a) + " gives " + show1(sig.Result, got[i]) + " not " + show1(sig.Result, want)
					}
					out.Wrong++
					mu.Unlock()
				}
			}
		})
		out.Count += len(got)
		if n -= batch; n == 0 {
			break
		}
	}
	return out, s.measure(&out, sig)
}

// draw gives random tuples, and with the first seed all special ones before them.
func draw(params []prim.Type, n int, seed uint64) []uint64 {
	args := make([]uint64, n*len(params))
	split(n, func(lo, hi int) {
		source := new(rand.PCG)
		r := rand.New(source)
		for i := lo; i < hi; i++ {
			source.Seed(seed, uint64(i)) // The tuple depends on i alone, not on how the work was split.
			for j, p := range params {
				args[i*len(params)+j] = random(r, p)
			}
		}
	})
	if seed == 1 {
		args = append(tuples(rand.New(rand.NewPCG(seed, 0)), params, 0), args...)
	}
	return args
}

// split calls f for the parts of [0, n) at once, one a processor.
func split(n int, f func(lo, hi int)) {
	parts := min(runtime.GOMAXPROCS(0), max(n, 1))
	var wg sync.WaitGroup
	for i := range parts {
		wg.Go(func() { f(n*i/parts, n*(i+1)/parts) })
	}
	wg.Wait()
}

// inexact measures a function's error: at all f16, at every stride-th f32, at random f64 and pairs.
func (s *sweeper) inexact(x inexact) (outcome, error) {
	t := x.sig.Params[0]
	out := outcome{Function: x.sig.Name, Bound: x.bound}
	var w worst
	var err error
	switch {
	case len(x.sig.Params) == 1 && t == prim.F16:
		out.Coverage = "all"
		err = s.inexactRange(x, &w, 0, 1<<16, 1)
	case len(x.sig.Params) == 1 && t == prim.F32:
		out.Coverage = fmt.Sprintf("every %d", s.plan.stride)
		const batch = 1 << 25
		for lo := uint64(0); lo < 1<<32 && err == nil; lo += batch * uint64(s.plan.stride) {
			err = s.inexactRange(x, &w, lo, min(1<<32, lo+batch*uint64(s.plan.stride)), uint64(s.plan.stride))
		}
	default:
		out.Coverage = "special tuples, random"
		n := s.plan.series
		if t != prim.F64 {
			n = s.plan.random
		}
		args := draw(x.sig.Params, n, 1)
		var got []uint64
		if got, err = apply(s.dev, dialectOf(s.dev.Facts()), x.sig, args); err == nil {
			k := len(x.sig.Params)
			x.judgeAll(&w, len(got), func(i int) ([]uint64, uint64) { return args[i*k : i*k+k], got[i] })
		}
	}
	out.Count, out.ULP, out.Wrong = w.Count, w.ULP, w.Wrong
	if w.Args != nil {
		out.At = show(x.sig.Params, w.Args)
	}
	if w.Wrong > 0 {
		out.At = show(x.sig.Params, w.Bad)
	}
	if err != nil {
		return out, err
	}
	return out, s.measure(&out, x.sig)
}

func (s *sweeper) inexactRange(x inexact, w *worst, lo, hi, stride uint64) error {
	n := int((hi - lo + stride - 1) / stride)
	args := make([]uint64, n)
	for i := range args {
		args[i] = lo + uint64(i)*stride
	}
	got, err := apply(s.dev, dialectOf(s.dev.Facts()), x.sig, args)
	if err != nil {
		return err
	}
	x.judgeAll(w, n, func(i int) ([]uint64, uint64) { return args[i : i+1], got[i] })
	return nil
}

// judgeAll judges n results in parallel. Results of the narrower types are first compared with float64 functions, and
// only what looks like a new record is put to the series.
func (x inexact) judgeAll(w *worst, n int, at func(i int) ([]uint64, uint64)) {
	var mu sync.Mutex
	split(n, func(lo, hi int) {
		var mine worst
		mine.ULP = w.ULP
		for i := lo; i < hi; i++ {
			args, got := at(i)
			if x.sig.Result != prim.F64 && x.seemsFine(&mine, args, got) {
				mine.Count++
				continue
			}
			x.judge(&mine, args, got)
		}
		mu.Lock()
		defer mu.Unlock()
		w.Count += mine.Count
		w.Wrong += mine.Wrong
		if w.Bad == nil {
			w.Bad = mine.Bad
		}
		if mine.Args != nil && mine.ULP >= w.ULP {
			w.ULP, w.Args, w.Got = mine.ULP, mine.Args, mine.Got
		}
	})
}

// seemsFine reports whether a float64 computation finds an error clearly below the worst so far.
func (x inexact) seemsFine(w *worst, args []uint64, got uint64) bool {
	t := x.sig.Result
	v := make([]float64, 2)
	for i, a := range args {
		v[i] = value(t, a)
	}
	var want float64
	switch {
	case x.isPow:
		want = math.Pow(v[0], v[1])
	case len(args) == 1:
		g, _ := prim.FuncWord1(x.f, prim.F64)
		want = math.Float64frombits(g(math.Float64bits(v[0])))
	default:
		g, _ := prim.FuncWord2(x.f, prim.F64)
		want = math.Float64frombits(g(math.Float64bits(v[0]), math.Float64bits(v[1])))
	}
	g := value(t, got)
	if math.IsNaN(want) || math.IsInf(want, 0) || math.IsNaN(g) || math.IsInf(g, 0) {
		return math.IsNaN(want) && math.IsNaN(g) || want == g
	}
	unit := ulpOf(t, want)
	if x.absolute {
		unit = max(unit, ulpOf(t, 1))
	}
	return math.Abs(g-want)/unit < w.ULP-0.001
}
