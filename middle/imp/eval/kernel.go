package eval

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"skald/middle/imp"
)

// Kernel is a compiled kernel. It may be run from several goroutines at once.
type Kernel struct {
	decl     *imp.Kernel
	body     stm  // of a kernel without barriers
	gbody    gstm // of one with barriers
	globals  int
	routines map[*imp.Routine]*routine
}

// CompileKernel compiles a kernel that imp.Verify accepts.
func CompileKernel(k *imp.Kernel) *Kernel {
	out := &Kernel{decl: k, globals: k.Globals(), routines: compileRoutines(k)}
	c := &compiler{name: k.Name, scope: k.Scope(), routines: out.routines}
	if k.HasCollective() {
		out.gbody = c.groupSeq(k.Body)
	} else {
		out.body = c.seq(k.Body)
	}
	return out
}

// Launch says what a kernel runs on.
type Launch struct {
	Groups int64
	Args   []uint64 // as registers hold them, by imp.Kernel.Params
	Blocks [][]byte // the global arrays
	Fail   *Failure
	// Subgroup is the number of threads of a subgroup; zero means 4.
	Subgroup int
	// Workers is the number of goroutines; zero means one a processor.
	Workers int
}

// Run executes a kernel. An error means that the kernel itself is wrong.
func (k *Kernel) Run(l Launch) error {
	if l.Groups <= 0 || k.decl.Guarded && l.Fail.Failed() {
		return nil
	}
	if len(l.Args) != len(k.decl.Params) || len(l.Blocks) != k.globals {
		return fmt.Errorf("kernel %s: %d arguments and %d blocks for %d and %d",
			k.decl.Name, len(l.Args), len(l.Blocks), len(k.decl.Params), k.globals)
	}
	if l.Subgroup == 0 {
		l.Subgroup = 4
	}
	if l.Fail == nil {
		l.Fail = new(Failure)
	}
	workers := l.Workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	// Groups are handed out in runs, so that the counter is not contended.
	run := max(1, min(256, l.Groups/int64(4*workers)))
	workers = int(min(int64(workers), (l.Groups+run-1)/run))
	var next atomic.Int64
	errs := make([]error, workers)
	work := func(w int) {
		defer func() {
			if r := recover(); r != nil {
				errs[w] = asError(r)
			}
		}()
		g := k.newGroup(l)
		for {
			lo := next.Add(run) - run
			if lo >= l.Groups {
				return
			}
			for id := lo; id < min(lo+run, l.Groups); id++ {
				g.id = id
				k.runGroup(g)
			}
		}
	}
	if workers == 1 {
		work(0)
		return errs[0]
	}
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() { work(w) })
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func asError(r any) error {
	if f, ok := r.(fault); ok {
		return f
	}
	panic(r)
}

// newGroup makes the state that a worker uses for one workgroup after another.
// A kernel without barriers needs only one thread.
func (k *Kernel) newGroup(l Launch) *group {
	size := k.decl.GroupSize
	g := &group{count: l.Groups, size: int64(size), subgroup: int64(l.Subgroup), fail: l.Fail}
	g.threads = make([]thread, 1)
	if k.gbody != nil {
		g.threads = make([]thread, size)
	}
	sharedMems := make([][]byte, len(k.decl.Mems))
	copy(sharedMems, l.Blocks)
	for m, d := range k.decl.Mems {
		if d.Space == imp.Shared {
			sharedMems[m] = make([]byte, d.Count*d.Elem.Size())
		}
	}
	for i := range g.threads {
		t := &g.threads[i]
		t.group, t.local, t.frames = g, int64(i), k.frames()
		t.regs = make([]uint64, max(len(k.decl.Vars), 1))
		for j, v := range k.decl.Params {
			t.regs[v] = l.Args[j]
		}
		t.mems = append([][]byte(nil), sharedMems...)
		for m, d := range k.decl.Mems {
			if d.Space == imp.Private {
				t.mems[m] = make([]byte, d.Count*d.Elem.Size())
			}
		}
	}
	return g
}

func (k *Kernel) runGroup(g *group) {
	if k.gbody != nil {
		k.gbody(g)
		return
	}
	t := &g.threads[0]
	for i := range g.size {
		t.local = i
		k.body(t)
	}
}
