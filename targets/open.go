package targets

import (
	"fmt"
	"strconv"
	"strings"
)

// Open opens a device. With no name it takes the first target that works; note then says why earlier ones were passed
// over. When flags ask for a target it is that one or none.
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
	for i, t := range All {
		d, err := t.Open(o, 0)
		if err == nil {
			return t.On(d), strings.Join(notes, "; "), nil
		}
		if i == len(All)-1 {
			return nil, "", err
		}
		notes = append(notes, fmt.Sprintf("no device through %s: %v", t.Name, err))
	}
	return nil, "", fmt.Errorf("there are no targets")
}

// openNamed opens a device of a named target.
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
	return t.On(d), nil
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
