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
