package device_test

import (
	"errors"
	"sync/atomic"
	"testing"

	"skald/runtime/device"
)

type fakeKernel struct{ spec device.KernelSpec }

func (k *fakeKernel) Spec() *device.KernelSpec { return &k.spec }

func TestKernelsAreCompiledOnceAndReleased(t *testing.T) {
	facts := device.NullFacts()
	broken := errors.New("broken")
	var builds atomic.Int64
	c := device.Kernels[*fakeKernel]{Build: func(s *device.KernelSpec) (*fakeKernel, error) {
		builds.Add(1)
		if s.Source == "" {
			return nil, broken
		}
		return &fakeKernel{*s}, nil
	}}
	good := device.KernelSpec{Name: "good", Source: "text", Entry: "main"}
	other := device.KernelSpec{Name: "other", Source: "text", Entry: "main"}
	got, err := c.Compile(&facts, []device.KernelSpec{good, other, good})
	if err != nil || got[0] != got[2] || got[0] == got[1] || got[1].Spec().Name != "other" {
		t.Fatalf("%v, %v", got, err)
	}
	bad := device.KernelSpec{Name: "bad", Entry: "main"}
	unfit := device.KernelSpec{Name: "unfit", Source: "text", Entry: "main", Buffers: 99}
	for range 2 {
		if _, err := c.Compile(&facts, []device.KernelSpec{good, bad, unfit}); !errors.Is(err, broken) {
			t.Errorf("the first failure in order is wanted: %v", err)
		}
	}
	if _, err := c.Compile(&facts, []device.KernelSpec{unfit}); device.FaultOf(err) != device.Limit {
		t.Errorf("beyond a limit: %v", err)
	}
	if builds.Load() != 3 || c.Compiled() != 3 {
		t.Errorf("%d builds, %d counted, 3 are expected", builds.Load(), c.Compiled())
	}
	released := 0
	c.Release(func(k *fakeKernel) { released++ })
	c.Release(func(k *fakeKernel) { released++ })
	if released != 2 {
		t.Errorf("%d kernels were released, of 2", released)
	}
}

func TestKernelsThatDifferInNamesAloneAreCompiledOnce(t *testing.T) {
	facts := device.NullFacts()
	broken := errors.New("broken")
	var builds atomic.Int64
	c := device.Kernels[*fakeKernel]{
		Build: func(s *device.KernelSpec) (*fakeKernel, error) {
			builds.Add(1)
			if s.Source == "" {
				return nil, broken
			}
			return &fakeKernel{*s}, nil
		},
		Named: func(_ *fakeKernel, s *device.KernelSpec) *fakeKernel { return &fakeKernel{*s} },
	}
	specs := []device.KernelSpec{
		{Name: "a", Source: "enable f16;\n// a, from x.fut:1:1\n//   called from x.fut:2:1\ntext\n", Entry: "main"},
		{Name: "b", Source: "enable f16;\n// b, from x.fut:3:1\ntext\n", Entry: "main"},
		{Name: "c", Source: "enable f16;\n// c\ntext // of another kind\n", Entry: "main"},
		{Name: "d", Source: "enable f16;\n// d\ntext\n", Entry: "main", Params: 4},
	}
	for range 2 {
		got, err := c.Compile(&facts, specs)
		if err != nil {
			t.Fatal(err)
		}
		for i, k := range got {
			if *k.Spec() != specs[i] {
				t.Errorf("kernel %s is %v", specs[i].Name, k.Spec())
			}
		}
	}
	if builds.Load() != 3 || c.Compiled() != 3 {
		t.Errorf("%d builds, %d counted, 3 are expected", builds.Load(), c.Compiled())
	}
	// An error names its own kernel.
	for _, name := range []string{"e", "f"} {
		if _, err := c.Compile(&facts, []device.KernelSpec{{Name: name, Entry: "main"}}); !errors.Is(err, broken) {
			t.Error(err)
		}
	}
	if builds.Load() != 5 {
		t.Errorf("%d builds, 5 are expected", builds.Load())
	}
	released := 0
	c.Release(func(*fakeKernel) { released++ })
	if released != 3 {
		t.Errorf("%d kernels were released, of 3", released)
	}
}
