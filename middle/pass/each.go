package pass

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// Each applies f to every element of a list, several at a time, and returns the results in order. Passes that look at one function at a
// time use it. Where f panics, as Limit and Bug do, so does Each, with what it panicked with for the first such element; a mistake
// of the program's has the stack where it was made with it.
func Each[T, U any](in []T, f func(T) U) []U {
	out := make([]U, len(in))
	failed := make([]any, len(in))
	var next atomic.Int64
	one := func() {
		for i := next.Add(1) - 1; i < int64(len(in)); i = next.Add(1) - 1 {
			failed[i] = Caught(func() { out[i] = f(in[i]) })
		}
	}
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(in)) - 1 {
		workers.Go(one)
	}
	one()
	workers.Wait()
	for _, r := range failed {
		if r != nil {
			panic(r)
		}
	}
	return out
}

// Caught runs f and returns what it panics with, for another goroutine to do so; nil if it does not.
func Caught(f func()) (failed any) {
	defer func() {
		failed = recover()
		if e, ok := failed.(runtime.Error); ok {
			failed = fmt.Errorf("%w\n%s", e, debug.Stack())
		}
	}()
	f()
	return nil
}

// Together runs functions at the same time, as Each does.
func Together(fs ...func()) {
	Each(fs, func(f func()) struct{} {
		f()
		return struct{}{}
	})
}
