package targets

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"skald/runtime/device"
)

// Open opens a device. With no name it takes the first target that works, and whose device is not the processor in
// another's place; note then says why earlier ones were passed over, if the last target is taken or one of them has a
// GPU. When flags ask for a target it is that one or none.
func Open(o Options) (dev *Device, note string, err error) {
	name, number, err := splitName(o.Name)
	if err != nil {
		return nil, "", err
	}
	if name != "" && name != "auto" {
		dev, err := openNamed(o, name, number)
		return dev, "", err
	}
	for _, t := range All {
		if t.Named != nil && t.Named(o) {
			dev, err := openNamed(o, t.Name, 0)
			return dev, "", err
		}
	}
	var notes []string
	surprising := false
	for _, t := range All {
		d, err := t.openReady(o)
		if err == nil && !t.Last() && d.Facts().Kind == device.CPU {
			// Drivers in software are for tests: what the processor's target compiles is faster.
			err = errors.Join(errors.New("its device is this processor"), d.Close())
		}
		if err == nil {
			if !surprising && !t.Last() {
				notes = nil
			}
			return d, strings.Join(notes, "; "), nil
		}
		var size SizeError
		if t.Last() || errors.As(err, &size) {
			return nil, "", err
		}
		surprising = surprising || t.GPU != nil && t.GPU()
		notes = append(notes, fmt.Sprintf("no device through %s: %v", t.Name, err))
	}
	return nil, "", fmt.Errorf("there are no targets")
}

// Expected is what compiling for the device that options ask for most probably depends on: the usual profile of the target that they name,
// or of the first. It is nil if there is no such target.
func Expected(o Options) *Model {
	name, _, err := splitName(o.Name)
	if err != nil {
		return nil
	}
	t := Find(name)
	if name == "" || name == "auto" {
		t = All[0]
		if i := slices.IndexFunc(All, func(t *Target) bool { return t.Named != nil && t.Named(o) }); i >= 0 {
			t = All[i]
		}
	}
	if t == nil {
		return nil
	}
	return FindProfile(t.Profiles[0].Name)
}

// openReady opens the first device of the target if it can run what it will have to.
func (t *Target) openReady(o Options) (*Device, error) {
	d, err := t.Open(o, 0)
	if err != nil {
		return nil, err
	}
	dev, err := o.sized(t.On(d))
	if err == nil {
		err = ready(dev, o)
	}
	if err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return dev, nil
}

// ready says why a device cannot run programs, or those kernels that it will have to: it can compile none, and does not keep their code.
func ready(dev *Device, o Options) error {
	keeper, ok := dev.Device.(device.Keeper)
	if !ok {
		return nil
	}
	err := keeper.Compiler()
	if err == nil || o.Needs == nil {
		return err
	}
	kernels, failed := o.Needs(dev)
	if failed != nil {
		return failed
	}
	for i := range kernels {
		if !keeper.Keeps(&kernels[i]) {
			return err
		}
	}
	return nil
}

// openNamed opens a device of a named target. One that can compile nothing is an error where a kernel has to be compiled.
func openNamed(o Options, name string, number int) (*Device, error) {
	t := Find(name)
	if t == nil {
		return nil, fmt.Errorf("no device is called %q; there are %s; `skald devices` lists those of this machine",
			o.Name, strings.Replace(DeviceNames(), " or ", " and ", 1))
	}
	if number != 0 && !t.Numbered {
		return nil, fmt.Errorf("device %q: there is one %s", o.Name, t.Name)
	}
	d, err := t.Open(o, number)
	if err != nil {
		return nil, err
	}
	dev, err := o.sized(t.On(d))
	if err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return dev, nil
}

// splitName takes NAME:NUMBER apart.
func splitName(name string) (kind string, number int, err error) {
	kind, rest, found := strings.Cut(name, ":")
	if !found {
		return kind, 0, nil
	}
	number, err = strconv.Atoi(rest)
	if err != nil || number < 0 {
		return "", 0, fmt.Errorf("device %q: %q is not the number of a device", name, rest)
	}
	return kind, number, nil
}
