package device

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func compileOne(t *testing.T, d Device, s KernelSpec) Kernel {
	t.Helper()
	ks, err := d.Compile([]KernelSpec{s})
	if err != nil {
		t.Fatal(err)
	}
	return ks[0]
}

func TestRecorderLogsEachRequestAndKeepsBytes(t *testing.T) {
	r := NewRecorder(NullFacts())
	r.OnLaunch = func(_ *Launch, m [][]byte) error { m[0][0] = 7; return nil }
	b, err := r.Alloc(8)
	if err != nil {
		t.Fatal(err)
	}
	k := compileOne(t, r, KernelSpec{Name: "k", Entry: "main", Buffers: 1, Params: 4})
	steps := []error{
		r.Upload(b, 0, []byte{1, 2, 3, 4}),
		r.Copy(b, 4, b, 0, 4),
		r.Launch(Launch{Kernel: k, Groups: [3]uint32{2, 1, 1}, Buffers: []Binding{{Buffer: b}}, Params: []byte{9, 0, 0, 0}}),
	}
	if err := errors.Join(steps...); err != nil {
		t.Fatal(err)
	}
	got := make([]byte, 8)
	if err := r.Download(Region{Buffer: b, Data: got}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]byte{7, 2, 3, 4, 1, 2, 3, 4}, got); diff != "" {
		t.Error(diff)
	}
	want := []string{
		"alloc b1 8", "compile k", "upload b1+0 4", "copy b1+4 b1+0 4",
		"launch k 2x1x1 b1+0 params 09000000", "submit", "sync", "download b1+0 8",
	}
	if diff := cmp.Diff(want, r.Log()); diff != "" {
		t.Error(diff)
	}
}

func TestLaunchesThatBreakTheContractAreRefused(t *testing.T) {
	r := NewRecorder(NullFacts())
	b, _ := r.Alloc(1024)
	one := compileOne(t, r, KernelSpec{Name: "one", Entry: "main", Buffers: 1})
	two := compileOne(t, r, KernelSpec{Name: "two", Entry: "main", Buffers: 2})
	for name, c := range map[string]struct {
		launch Launch
		want   Fault
	}{
		"too few buffers":   {Launch{Kernel: one}, Misuse},
		"no kernel":         {Launch{}, Misuse},
		"params unexpected": {Launch{Kernel: one, Buffers: []Binding{{Buffer: b}}, Params: []byte{1}}, Misuse},
		"offset unaligned":  {Launch{Kernel: one, Buffers: []Binding{{Buffer: b, Offset: 4}}}, Misuse},
		"beyond the end":    {Launch{Kernel: one, Buffers: []Binding{{Buffer: b, Offset: 256, Size: 1024}}}, Misuse},
		"overlap":           {Launch{Kernel: two, Buffers: []Binding{{Buffer: b}, {Buffer: b, Offset: 256}}}, Misuse},
		"too many groups": {
			Launch{Kernel: one, Buffers: []Binding{{Buffer: b}}, Groups: [3]uint32{70000, 1, 1}}, Limit,
		},
		"disjoint ranges": {
			Launch{Kernel: two, Buffers: []Binding{{Buffer: b, Size: 256}, {Buffer: b, Offset: 256}}}, 0,
		},
	} {
		if got := FaultOf(r.Launch(c.launch)); got != c.want {
			t.Errorf("%s: fault %v, want %v", name, got, c.want)
		}
	}
}

func TestSpecsBeyondTheDeviceAreRefused(t *testing.T) {
	r := NewRecorder(NullFacts())
	for _, s := range []KernelSpec{
		{Name: "threads", Entry: "main", Workgroup: [3]uint32{512, 1, 1}},
		{Name: "buffers", Entry: "main", Buffers: 9},
		{Name: "dimension", Entry: "main", Workgroup: [3]uint32{1, 1, 128}},
	} {
		if _, err := r.Compile([]KernelSpec{s}); !errors.Is(err, Limit) {
			t.Errorf("%s: %v", s.Name, err)
		}
	}
}
