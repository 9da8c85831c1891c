package device

import (
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// Kernels compiles and keeps the kernels of a device. Each is compiled by the first
// who asks for it; others wait for that. The zero Kernels is not usable: set Build.
//
// Kernels that differ in their names and in the comments of their sources alone are compiled once, if Named is set: programs with
// many arrays of one kind have many such, as what fills or copies each array is one (poseidon's 48 kernels are 17 texts).
type Kernels[K Kernel] struct {
	// Build compiles a kernel. Several goroutines may call it at once.
	Build func(*KernelSpec) (K, error)
	// Named returns a compiled kernel for a spec with the same code. What belongs to the device is released with the first.
	Named func(K, *KernelSpec) K

	mu       sync.Mutex
	kept     map[KernelSpec]*compilation[K]
	codes    map[KernelSpec]*compilation[K] // by what is the same in all kernels with one code
	built    []K
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
	p := c.compilation(&c.kept, *s)
	p.once.Do(func() { p.kernel, p.err = c.make(s) })
	return p.kernel, p.err
}

// compilation finds a compilation in a table, or begins it there.
func (c *Kernels[K]) compilation(table *map[KernelSpec]*compilation[K], key KernelSpec) *compilation[K] {
	c.mu.Lock()
	defer c.mu.Unlock()
	if *table == nil {
		*table = map[KernelSpec]*compilation[K]{}
	}
	p := (*table)[key]
	if p == nil {
		p = &compilation[K]{}
		(*table)[key] = p
	}
	return p
}

// make compiles a kernel, or takes what is compiled of its code. An error is each kernel's own: it tells its name and place.
func (c *Kernels[K]) make(s *KernelSpec) (K, error) {
	if c.Named == nil {
		return c.build(s)
	}
	key, first := *s, false
	key.Name, key.Source = "", withoutComments(s.Source)
	p := c.compilation(&c.codes, key)
	p.once.Do(func() {
		first = true
		p.kernel, p.err = c.build(s)
	})
	switch {
	case first:
		return p.kernel, p.err
	case p.err != nil:
		return c.build(s)
	}
	return c.Named(p.kernel, s), nil
}

// build compiles a kernel.
func (c *Kernels[K]) build(s *KernelSpec) (K, error) {
	k, err := c.Build(s)
	c.compiled.Add(1)
	if err == nil {
		c.mu.Lock()
		c.built = append(c.built, k)
		c.mu.Unlock()
	}
	return k, err
}

// withoutComments is a source without the lines that are comments, in all languages of kernels.
func withoutComments(source string) string {
	var out strings.Builder
	for line := range strings.Lines(source) {
		if !strings.HasPrefix(line, "//") {
			out.WriteString(line)
		}
	}
	return out.String()
}

// Compiled is how many kernels were compiled, well or not.
func (c *Kernels[K]) Compiled() int64 { return c.compiled.Load() }

// Release calls drop for each kernel that Build made, in any order, and forgets all.
// Nobody may be compiling.
func (c *Kernels[K]) Release(drop func(K)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, k := range c.built {
		drop(k)
	}
	c.kept, c.codes, c.built = nil, nil, nil
}
