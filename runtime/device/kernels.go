package device

import (
	"runtime"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// Kernels compiles and keeps the kernels of a device. Each is compiled by the first
// who asks for it; others wait for that. The zero Kernels is not usable: set Build.
type Kernels[K Kernel] struct {
	// Build compiles a kernel. Several goroutines may call it at once.
	Build func(*KernelSpec) (K, error)

	mu       sync.Mutex
	kept     map[KernelSpec]*compilation[K]
	compiled atomic.Int64
}

// compilation is a kernel that is compiled, or about to be.
type compilation[K Kernel] struct {
	once   sync.Once
	kernel K
	err    error
}

// Compile is Device.Compile for a device with facts f: it checks the specs and
// compiles, in parallel, those that are new.
func (c *Kernels[K]) Compile(f *Facts, specs []KernelSpec) ([]Kernel, error) {
	out, errs := make([]Kernel, len(specs)), make([]error, len(specs))
	var g errgroup.Group
	g.SetLimit(max(2, runtime.GOMAXPROCS(0)))
	for i := range specs {
		g.Go(func() error {
			out[i], errs[i] = c.One(f, &specs[i])
			return nil
		})
	}
	_ = g.Wait() // The errors are in errs, in the order of the specs.
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// One is Compile for one kernel.
func (c *Kernels[K]) One(f *Facts, s *KernelSpec) (k K, err error) {
	if err := CheckSpec(f, s); err != nil {
		return k, err
	}
	c.mu.Lock()
	if c.kept == nil {
		c.kept = map[KernelSpec]*compilation[K]{}
	}
	p := c.kept[*s]
	if p == nil {
		p = &compilation[K]{}
		c.kept[*s] = p
	}
	c.mu.Unlock()
	p.once.Do(func() {
		p.kernel, p.err = c.Build(s)
		c.compiled.Add(1)
	})
	return p.kernel, p.err
}

// Compiled is how many kernels were compiled, well or not.
func (c *Kernels[K]) Compiled() int64 { return c.compiled.Load() }

// Release calls drop for each kernel that compiled, in any order, and forgets all.
// Nobody may be compiling.
func (c *Kernels[K]) Release(drop func(K)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, p := range c.kept {
		if p.err == nil {
			drop(p.kernel)
		}
	}
	c.kept = nil
}
