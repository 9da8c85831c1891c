package cpu

import (
	"encoding/binary"
	"fmt"
	"sync/atomic"
	"time"

	"skald/middle/imp"
	"skald/middle/imp/eval"
	"skald/runtime/device"
)

// kernel is a compiled kernel and how its parameters are packed.
type kernel struct {
	spec device.KernelSpec
	decl *imp.Kernel
	code imp.Code
	// function is the address of the kernel's compiled code, which Note [Compiled kernels] describes, and web its WebAssembly; if there is
	// neither, run evaluates it.
	function uintptr
	web      *webKernel
	run      *eval.Kernel
}

// Spec is the specification that it was compiled from.
func (k *kernel) Spec() *device.KernelSpec { return &k.spec }

// Compile reads and compiles kernels.
func (d *Device) Compile(specs []device.KernelSpec) ([]device.Kernel, error) {
	if err := d.health.Check(); err != nil {
		return nil, err
	}
	switch {
	case d.modules != nil:
		if left, why := d.modules.add(specs); why != nil {
			d.instead(left, why)
		}
	case d.web != nil:
		d.web.add(specs)
	}
	return d.kernels.Compile(&d.facts, specs)
}

// compile makes a kernel, to be evaluated where there is no compiled code for it.
func (d *Device) compile(s *device.KernelSpec) (*kernel, error) {
	decl, err := parseKernel(s)
	if err != nil {
		return nil, err
	}
	k := &kernel{spec: *s, decl: decl, code: imp.Code{Wide: true}}
	k.code.Layout(k.decl)
	if d.modules != nil {
		k.function = d.modules.function(s.Source)
	}
	if d.web != nil {
		k.web = d.web.function(s.Source)
	}
	switch {
	case k.function != 0 || k.web != nil:
	case d.watch != nil:
		k.run = eval.CompileWatched(decl)
	case d.races:
		k.run = eval.CompileChecked(decl)
	default:
		k.run = eval.CompileKernel(decl)
	}
	return k, nil
}

// parseKernel reads a kernel's text.
func parseKernel(s *device.KernelSpec) (*imp.Kernel, error) {
	p, err := imp.Parse(s.Source)
	if err == nil && len(p.Kernels) != 1 {
		err = fmt.Errorf("%d kernels in one text", len(p.Kernels))
	}
	if err == nil {
		err = imp.VerifyKernel(p.Kernels[0])
	}
	if err != nil {
		return nil, compileError(s.Name, err)
	}
	return p.Kernels[0], nil
}

// Launch runs a kernel at once.
func (d *Device) Launch(l device.Launch) error {
	if err := device.CheckLaunch(&d.facts, &l); err != nil {
		return err
	}
	k, ok := l.Kernel.(*kernel)
	if !ok {
		return &device.Error{Fault: device.Misuse, Op: "launch " + l.Kernel.Spec().Name, Detail: "kernel of another device"}
	}
	d.moving.RLock()
	defer d.moving.RUnlock()
	blocks, failure, err := d.bind(k, l.Buffers)
	if err != nil {
		return err
	}
	start := time.Now()
	if k.function != 0 || k.web != nil {
		err = d.launchCompiled(k, &l, blocks, failure)
	} else {
		err = d.evaluate(k, &l, blocks, failure)
	}
	if err != nil {
		return err
	}
	took := time.Since(start)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.stats.Launches++
	if d.profile {
		d.timings = append(d.timings, device.Timing{Kernel: k.spec.Name, Time: took})
	}
	return nil
}

// launchCompiled runs compiled code.
func (d *Device) launchCompiled(k *kernel, l *device.Launch, blocks [][]byte, failure []byte) error {
	if d.timeout > 0 {
		timer := time.AfterFunc(d.timeout, func() {
			_ = d.health.Expire("launch "+k.spec.Name, d.timeout) // Check returns it.
			if d.modules != nil {
				d.modules.end()
			}
			if d.web != nil {
				d.web.end()
			}
		})
		defer timer.Stop()
	}
	if k.web != nil {
		if err := d.launchWeb(k, l); err != nil {
			return err
		}
	} else {
		k.runCompiled(l, blocks, failure)
	}
	return d.health.Check()
}

// launchWeb runs WebAssembly.
func (d *Device) launchWeb(k *kernel, l *device.Launch) error {
	var addresses []uint64
	for _, b := range l.Buffers {
		own, err := d.memory.Own("launch "+k.spec.Name, b.Buffer, b.Offset, b.Size)
		if err != nil {
			return err
		}
		addresses = append(addresses, uint64(own.Handle.at)+uint64(b.Offset))
	}
	args, groups, _ := k.code.Unpack(k.decl, l.Params)
	if err := k.web.run(addresses, args, groups); err != nil {
		return &device.Error{Fault: device.Internal, Op: "launch " + k.spec.Name, Err: err}
	}
	return nil
}

// evaluate runs a kernel in the evaluator.
func (d *Device) evaluate(k *kernel, l *device.Launch, blocks [][]byte, failure []byte) error {
	var fail eval.Failure
	if w := binary.LittleEndian.Uint32(failure); w != 0 {
		fail.Set(int32(w-1), nil)
	}
	args, groups, room := k.code.Unpack(k.decl, l.Params)
	var stop atomic.Bool
	if d.timeout > 0 {
		defer time.AfterFunc(d.timeout, func() { stop.Store(true) }).Stop()
	}
	run := eval.Launch{Groups: groups, Args: args, Blocks: blocks, Room: room, Fail: &fail, Stop: &stop, Subgroup: d.subs}
	if d.watch != nil {
		run.Watch = eval.NewWatch(k.decl, groups*int64(k.decl.GroupSize))
	}
	if d.races {
		run.Races = new(eval.Races)
	}
	start := time.Now()
	err := k.run.Run(run)
	if stop.Load() && time.Since(start) >= d.timeout {
		return d.health.Expire("launch "+k.spec.Name, d.timeout)
	}
	if err != nil {
		return &device.Error{Fault: device.Internal, Op: "launch " + k.spec.Name, Err: err}
	}
	if site, values, ok := fail.Get(); ok && binary.LittleEndian.Uint32(failure) == 0 {
		binary.LittleEndian.PutUint32(failure, uint32(site)+1)
		for i, v := range values {
			binary.LittleEndian.PutUint64(failure[4*(imp.FailureValues+2*i):], v)
		}
	}
	if d.watch != nil {
		d.watch(Access{k.spec.Name, run.Watch.Threads(), run.Watch.Accesses(), run.Watch.Traffic(k.decl)})
	}
	return nil
}

// bind returns the memory of a kernel's global arrays and of the failure buffer,
// which is the last of the bindings.
func (d *Device) bind(k *kernel, bs []device.Binding) (blocks [][]byte, failure []byte, err error) {
	op := "launch " + k.spec.Name
	for _, b := range bs {
		m, err := d.bytes(op, b.Buffer, b.Offset, b.Size)
		if err != nil {
			return nil, nil, err
		}
		blocks = append(blocks, m)
	}
	last := len(blocks) - 1
	if last != k.decl.Globals() || len(blocks[last]) < 4*imp.FailureWords {
		return nil, nil, &device.Error{Fault: device.Misuse, Op: op, Detail: "no failure buffer"}
	}
	return blocks[:last], blocks[last], nil
}
