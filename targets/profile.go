package targets

import "skald/runtime/device"

// Profile is a device that need not be there, for looking at the code that would be made for it.
type Profile struct {
	Name, Doc string
	Facts     func() device.Facts
}

// FindProfile gives the model of a profile by name, or nil. Its facts are the caller's own.
func FindProfile(name string) *Model {
	for _, t := range All {
		for _, p := range t.Profiles {
			if p.Name == name {
				f := p.Facts()
				return t.Model(&f)
			}
		}
	}
	return nil
}

// ProfileNames lists the profiles of all targets.
func ProfileNames() []string {
	var names []string
	for _, t := range All {
		for _, p := range t.Profiles {
			names = append(names, p.Name)
		}
	}
	return names
}
