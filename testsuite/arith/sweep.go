package main

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"sync"
	"time"

	"skald/runtime/cuda"
	"skald/runtime/device"
	"skald/runtime/webgpu"
	"skald/shaders"
)

// Note [Sweeps]
//
// A sweep puts each function to an independent judge: CUDA, on the same machine, with text that shares nothing with
// that of WGSL. Arguments are made on both devices from the numbers of the tuples (Note [Tuples]), so that only
// results travel, or less:
//
//   - An exact function folds the results of 1,024 tuples a thread into one word, and so does the judge: CUDA's f64
//     rounded once for f16 and f32, its operators for words of 64 bits, the library in CUDA C where there is neither.
//     All words must be equal. Those of 64 threads, and of threads that differ, are computed with runtime/prim too,
//     which decides who is right; so are all pairs of special values.
//   - All results of an inexact function go to a kernel that measures their error against CUDA's f64. That is the
//     error of a f16 or f32. Of f64, where CUDA's functions are no better than ours, it serves to find candidates:
//     the tuples with the largest differences and a sample go to the series in big.Float, whose worst verdict is the
//     error that is given.
//   - The judge is judged: its f64 values at pairs of special values and a random sample are put to the series as
//     well.
//
// CUDA C is swept in the same way; where the judge is its own text, its folds are those that native WGSL was compared
// with.

// outcome is the finished shard of one function in one dialect.
type outcome struct {
	Function string
	Dialect  string  // "native WGSL", "portable WGSL" or "CUDA C".
	Device   string  // Its name and what runs it.
	Judge    string  // What the results were compared with.
	Count    int     // How many argument tuples that were.
	All      bool    // There are no others.
	ULP      float64 // Worst error; 0 for exact functions.
	Bound    float64 // What the error may be; 0 for exact functions.
	At       string  // Arguments of the worst error, or of the first wrong result.
	Wrong    int     // Wrong results; of exact functions, threads that had any.
	Rate     float64 // Operations a second; 0 if they were not measured.

	Series     int     // How many results of an inexact function were put to the series.
	JudgeCount int     // How many values of its judge were.
	JudgeULP   float64 // The judge's worst error there, in ulps of f64.
	JudgeAt    string  // Arguments of that.
	JudgeWrong int     // Values of the judge that are NaN or infinite where they must not be, or the reverse.
}

// sweeper runs the shards of a plan on one device.
type sweeper struct {
	plan    plan
	dev     device.Device
	judge   device.Device // A CUDA device; nil if there is none, and then samples are judged only.
	dialect shaders.Dialect
	start   time.Time

	mu   sync.Mutex
	done map[string]outcome // By dialect and function.
}

// dialectName names one of the three dialects of sweeps.
func dialectName(d shaders.Dialect) string {
	switch {
	case d.Language == shaders.CUDA:
		return "CUDA C"
	case d.Float64:
		return "native WGSL"
	default:
		return "portable WGSL"
	}
}

func runSweep(p plan, o webgpu.Options) error {
	only, err := regexp.Compile(p.only)
	if err != nil {
		return err
	}
	s := &sweeper{plan: p, start: time.Now()}
	if err := s.open(o); err != nil {
		return err
	}
	defer s.close()
	if s.done, err = readState(p.state); err != nil {
		return err
	}
	s.dialect = dialectOf(s.dev.Facts())
	if o.Portable {
		s.dialect = shaders.Dialect{Language: shaders.WGSL, Fma: s.dialect.Fma} // Without f16, too, although WGSL has it.
	}
	fmt.Printf("%s: %s; judge: %v\n", s.deviceName(), strings.Join(os.Args[1:], " "), s.judge != nil)
	var names []string
	for _, name := range functionsOf(s.dialect) {
		if only.MatchString(name) {
			names = append(names, name)
		}
	}
	if err := s.all(names); err != nil {
		return err
	}
	if p.rates {
		return s.rates(names)
	}
	return nil
}

// open opens the device of the sweep and the judge's, which may be the same.
func (s *sweeper) open(o webgpu.Options) error {
	judge, err := cuda.Open(cuda.Options{Profile: s.plan.cuda})
	switch {
	case err == nil:
		s.judge = judge // Not before: an interface that holds a nil pointer is not nil.
	case s.plan.cuda:
		return err
	default:
		fmt.Println("no judge, so only samples:", err)
	}
	if s.plan.cuda {
		s.dev = judge
		return nil
	}
	o.Profile = true
	dev, err := webgpu.Open(o)
	if err != nil {
		return err
	}
	s.dev = dev
	return nil
}

// close closes the devices; all results are in, so that nothing depends on it.
func (s *sweeper) close() {
	_ = s.dev.Close()
	if s.judge != nil && s.judge != s.dev {
		_ = s.judge.Close()
	}
}

func (s *sweeper) deviceName() string {
	f := s.dev.Facts()
	return fmt.Sprintf("%s, %s", f.Name, f.API)
}

// all takes functions, several at once: while one is compiled or judged on the host, the device works for another.
func (s *sweeper) all(names []string) error {
	queue := make(chan string)
	var failed error
	var wg sync.WaitGroup
	for range s.plan.workers {
		wg.Go(func() {
			for name := range queue {
				if err := s.function(name); err != nil {
					s.mu.Lock()
					failed = fmt.Errorf("%s: %w", name, err)
					s.mu.Unlock()
				}
			}
		})
	}
	for _, name := range names {
		queue <- name
	}
	close(queue)
	wg.Wait()
	return failed
}

func (s *sweeper) key(name string) string { return dialectName(s.dialect) + ": " + name }

// function runs one function's shard, unless it is done or time is up, and prints its line.
func (s *sweeper) function(name string) error {
	s.mu.Lock()
	_, known := s.done[s.key(name)]
	s.mu.Unlock()
	if known || s.plan.seconds > 0 && time.Since(s.start) > time.Duration(s.plan.seconds)*time.Second {
		return nil
	}
	var out outcome
	var err error
	began := time.Now()
	if sig, ref, ok := exactReference(name); ok {
		out, err = s.exact(sig, ref)
	} else if x, ok := inexactFunction(s.dialect, name); ok {
		out, err = s.inexact(x)
	} else {
		return nil
	}
	if err != nil {
		return err
	}
	fmt.Printf("%s %.1fs: %d tuples, %.4g ulp at %s, %d wrong; judge %.3g ulp of %d, %d wrong\n", name,
		time.Since(began).Seconds(), out.Count, out.ULP, out.At, out.Wrong, out.JudgeULP, out.JudgeCount, out.JudgeWrong)
	return s.finish(out)
}

// finish writes an outcome to the state, so that it is not computed again.
func (s *sweeper) finish(out outcome) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	out.Dialect, out.Device = dialectName(s.dialect), s.deviceName()
	s.done[s.key(out.Function)] = out
	data, err := json.MarshalIndent(s.done, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(s.plan.state, data, 0o644)
}

// readState reads the finished shards of a file; there are none if it does not exist.
func readState(file string) (map[string]outcome, error) {
	done := map[string]outcome{}
	data, err := os.ReadFile(file)
	if os.IsNotExist(err) {
		return done, nil
	}
	if err == nil {
		err = json.Unmarshal(data, &done)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return done, nil
}
