package bench

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"skald/compiler"
	"skald/runtime/device"
	"skald/runtime/host"
	"skald/runtime/limits"
	"skald/targets"
	"skald/tooling/conformance"
)

// Machine is a device that programs are measured on.
type Machine struct {
	// Name is what --backend calls it.
	Name string
	dev  *compiler.Device
	held *held
	rate float64 // of copies, bytes a second; 0 before it is measured
}

// held counts the memory that a program holds.
type held struct {
	device.Device
	mu        sync.Mutex
	now, most int64
}

// reset forgets what was held before.
func (h *held) reset() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.most = h.now
}

// current is what is held now.
func (h *held) current() int64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.now
}

// peak is the most since reset.
func (h *held) peak() int64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.most
}

// Alloc implements device.Device.
func (h *held) Alloc(size int64) (device.Buffer, error) {
	b, err := h.Device.Alloc(size)
	if err == nil {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.now += size
		h.most = max(h.most, h.now)
	}
	return b, err
}

// Free implements device.Device.
func (h *held) Free(b device.Buffer) {
	h.mu.Lock()
	h.now -= b.Size()
	h.mu.Unlock()
	h.Device.Free(b)
}

// Options returns the options of a backend: one of those that tests name, or a target, with :NUMBER for another than its first device.
// own are the values of targets' flags, which win.
func Options(name string, own map[string]string) (compiler.DeviceOptions, error) {
	o, ok := conformance.Named(name)
	if !ok {
		o = compiler.DeviceOptions{Name: name}
		if target, _, _ := strings.Cut(name, ":"); targets.Find(target) == nil {
			return o, fmt.Errorf("no backend is called %q; there are: %s", name, conformance.Names())
		}
	}
	flags := map[string]string{}
	maps.Copy(flags, o.Flags)
	maps.Copy(flags, own)
	o.Flags = flags
	return o, nil
}

// Open opens a device. note says why other devices were passed over.
func Open(name string, o compiler.DeviceOptions) (m *Machine, note string, err error) {
	dev, note, err := compiler.OpenDevice(o)
	if err != nil {
		return nil, "", err
	}
	counted := &held{Device: dev.Device}
	if name == "auto" {
		name = dev.Model.Target.Name
	}
	return &Machine{Name: name, dev: &compiler.Device{Device: counted, Model: dev.Model}, held: counted}, note, nil
}

// Close closes the device.
func (m *Machine) Close() error { return m.dev.Close() }

// Describe says which device it is.
func (m *Machine) Describe() string {
	f := m.dev.Facts()
	return fmt.Sprintf("%s (%s)", f.Name, f.API)
}

// Loaded is a program on a machine.
type Loaded struct {
	*Program
	*Machine
	Host *host.Program
	// busy is set when a run did not end in time: nothing else may run then.
	busy atomic.Bool
	// recent are measurements whose arguments are still on the device, the latest last.
	recent []*run
}

// Load makes a program ready to run.
func (m *Machine) Load(p *Program) (*Loaded, error) {
	loaded, err := p.Compiled.On(m.dev)
	if err != nil {
		return nil, err
	}
	return &Loaded{Program: p, Machine: m, Host: loaded}, nil
}

// Stuck reports whether the machine is of no more use: it is lost, or a run on it does not end.
func (l *Loaded) Stuck() bool { return l.busy.Load() || errors.Is(l.dev.Sync(), device.Lost) }

// grace is how long a run may take to notice that it has to end.
const grace = 2 * time.Second

// errTimeout says that a data set took too long.
var errTimeout = errors.New("time-out")

// within runs f, which ends with ctx or is given up soon after.
func (l *Loaded) within(ctx context.Context, f func() error) error {
	done := make(chan error, 1)
	go func() { done <- safely(f) }()
	var err error
	select {
	case err = <-done:
	case <-ctx.Done():
		select {
		case err = <-done:
		case <-time.After(grace):
			err = ctx.Err()
			l.busy.Store(true)
		}
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return errTimeout
	}
	return err
}

// safely makes a panic an error.
func safely(f func() error) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *limits.Error:
			err = r
		default:
			err = fmt.Errorf("internal error: %v", r)
		}
	}()
	return f()
}
