package targets

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"reflect"
	"strings"

	"skald/middle/facts"
	"skald/runtime/device"
)

// Profile is a device that need not be there, for looking at the code that would be made for it.
type Profile struct {
	Name, Doc string
	Facts     func() device.Facts
	// Built says that every program is compiled for it when it is built, to tell what such devices cannot run.
	Built bool
}

// Recorded is the facts of a device as `skald devices --facts` prints them, with the target that it belongs to. The folder profiles holds
// such files, each of which is a profile of the file's name.
type Recorded struct {
	Target string
	Facts  device.Facts
}

//go:embed profiles/*.json
var recordings embed.FS

// FindProfile returns the model of a profile by name, or nil: one of a target's own, or a recorded one. Its facts are the caller's own.
func FindProfile(name string) *Model {
	for _, t := range All {
		for _, p := range t.Profiles {
			if p.Name == name {
				f := p.Facts()
				return t.Model(&f)
			}
		}
	}
	text, err := recordings.ReadFile("profiles/" + name + ".json")
	if err != nil {
		return nil
	}
	m, err := readRecorded(text)
	if err != nil {
		panic("targets: profiles/" + name + ".json: " + err.Error()) // a test reads them all
	}
	return m
}

// readRecorded makes a model of a recording.
func readRecorded(text []byte) (*Model, error) {
	var r Recorded
	if err := json.Unmarshal(text, &r); err != nil {
		return nil, err
	}
	t := Find(r.Target)
	if t == nil {
		return nil, fmt.Errorf("no target is called %q", r.Target)
	}
	return t.Model(&r.Facts), nil
}

// Record returns a model as a file of the folder profiles has it.
func (m *Model) Record() ([]byte, error) { return json.Marshal(Recorded{m.Target.Name, *m.Facts}) }

// ReadModel reads what Record returns.
func ReadModel(text []byte) (*Model, error) { return readRecorded(text) }

// Covers reports whether a device like this one runs what was made for another: at least as large kernels, and the same choices where
// one is as good as the other.
func (m *Model) Covers(profile *Model) bool {
	if m.Sizes != (Sizes{}) || m.Target != profile.Target || m.Target.covers == nil || !m.Target.covers(m.Facts, profile.Facts) {
		return false
	}
	d, p := m.Lowering.WithDefaults(), profile.Lowering.WithDefaults()
	if d.GroupSize < p.GroupSize || d.WideGroup < p.WideGroup || d.SharedBytes < p.SharedBytes || d.WideBytes < p.WideBytes ||
		m.Facts.MaxBindings < profile.Facts.MaxBindings || p.Atomic64 && !d.Atomic64 {
		return false
	}
	return reflect.DeepEqual(sameChoices(d), sameChoices(p))
}

// sameChoices are facts without those of which more is enough, or that only say how much work fills a device.
func sameChoices(f facts.Facts) facts.Facts {
	f.GroupSize, f.WideGroup, f.SharedBytes, f.WideBytes, f.Atomic64 = 0, 0, 0, 0, false
	f.Groups, f.ArrayBytes, f.BufferBytes = 0, 0, 0
	return f
}

// DefaultProfile is the profile of code that no target is asked for: it runs on most devices.
func DefaultProfile() string { return webGPU.Profiles[0].Name }

// BuiltProfiles names the profiles that every program is compiled for when it is built.
func BuiltProfiles() []string {
	var names []string
	for _, t := range All {
		for _, p := range t.Profiles {
			if p.Built {
				names = append(names, p.Name)
			}
		}
	}
	return names
}

// ProfileNames lists the profiles of all targets, and then those that are recorded.
func ProfileNames() []string {
	var names []string
	for _, t := range All {
		for _, p := range t.Profiles {
			names = append(names, p.Name)
		}
	}
	files, _ := fs.Glob(recordings, "profiles/*.json") // Only a bad pattern fails.
	for _, f := range files {
		names = append(names, strings.TrimSuffix(strings.TrimPrefix(f, "profiles/"), ".json"))
	}
	return names
}
