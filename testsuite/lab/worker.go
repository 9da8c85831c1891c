package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"skald/runtime/device"
)

// cold is after how long without work a device is warmed up in any case.
const cold = time.Second

// worker runs cases, on devices that it keeps open.
type worker struct {
	runs   int
	worked time.Time // When the last case had been timed.
	open   map[string]device.Device
	read   downloads
}

// one runs a case on one of the devices.
func (w *worker) one(which string, c *Case) (*Result, error) {
	began := time.Now()
	dev := w.open[which]
	if dev == nil {
		var err error
		if dev, err = open(which); err != nil {
			return nil, err
		}
		w.open[which] = dev
	}
	f := dev.Facts()
	r := w.run(dev, c)
	r.About = fmt.Sprintf("%s, %s, %s", f.Name, f.API, f.Driver)
	r.Device, r.Bytes, r.Target = which, c.Bytes, c.target(which)
	if r.Error != "" { // What failed may have taken the device with it.
		delete(w.open, which)
		if err := dev.Close(); err != nil {
			r.Error += "; " + err.Error()
		}
	}
	r.Seconds = time.Since(began).Seconds()
	return &r, nil
}

// close closes the devices.
func (w *worker) close() error {
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(w.open)) {
		errs = append(errs, w.open[name].Close())
	}
	return errors.Join(errs...)
}

// warmUp brings a device to its full clock before a case is timed: Note [Clocks] of runtime/device. A device that works a
// hundredth of the time slows down as one does that rests, so it works as long as it had nothing to do; a CUDA context in the
// process spares that, unless it was long.
func (w *worker) warmUp(dev device.Device) error {
	idle := time.Since(w.worked)
	if w.open["cuda"] != nil && idle < cold {
		return nil
	}
	return device.WarmUp(dev, min(idle, device.WarmUpTime))
}

// run carries out a case and never fails: what went wrong is in the result.
func (w *worker) run(dev device.Device, c *Case) Result {
	res := Result{Case: c.Name, Device: dev.Facts().Kernels, Flops: c.Flops}
	p, skip := c.Plan(dev.Facts())
	if p == nil {
		res.Skip = skip
		return res
	}
	if res.Skip = tooMuch(dev.Facts(), p); res.Skip != "" {
		return res
	}
	r, err := prepare(dev, p)
	if err == nil {
		defer r.free()
		if err = w.warmUp(dev); err == nil {
			res.Times, res.Steps, err = r.measure(w.runs)
		}
		if w.worked = time.Now(); err == nil {
			err = r.check(&w.read)
		}
	}
	if err != nil {
		res.Error = err.Error()
	}
	return res
}
