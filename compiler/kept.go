package compiler

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"skald/middle/imp"
	impwire "skald/middle/imp/wire"
	"skald/runtime/bundle"
	"skald/runtime/cache"
	"skald/runtime/device"
	"skald/runtime/host"
	"skald/targets"
)

// Note [Kept results]
// ~~~~~~~~~~~~~~~~~~~
// What the pipeline of a device, lowering and the printer make of a program is the same each time, so executables keep it: on disk, and
// inside of themselves for the profiles that `skald build --bundle` names. It is the low-level program in binary (package
// middle/imp/wire) with the text of its kernels; machine code is kept by devices, by the text (runtime/webgpu, runtime/cuda). An executable
// has the machine code of its kernels, too, where the target can make it at build time (Target.Code), in both widths of indices.
//
// The name of a result is a hash of all that it depends on: the program's section, what passes, lowering and the printer know of the
// device (Model.Key), the passes that are left out, and the build of skald, of which `skald build` puts the hash into the executable. So
// a result is never wrong, only missing: another build, another device of other facts or another program has another name. Thresholds
// are no part of it, since they are read at each run; sizes are (Note [Sizes as parameters] in package targets). The cache verifies what
// it reads; what is damaged, foreign or half written is made again and replaced. What an executable has for a profile is also used on
// devices of other facts that cover the profile's (Model.Covers): for that its facts are beside it. Without a cache, or a hash of the
// build, everything is made each time.
//
// What is kept is read in parts: entry points, places and tuning parameters where the program is loaded, a host function when it is called,
// a kernel when it is launched.
//
// To the cache a result goes in the background, while the device compiles the kernels of the first call, and with the text of these
// alone: of the hundreds of kernels that versions make a run launches a few, and others are printed when they are needed. Executables
// carry the text of all, since nobody knows what they will be called with.

// Sections of an executable beside the program.
const (
	// sectionBuild holds the hash of the build of skald.
	sectionBuild = targets.SectionBuild
	// sectionKept begins the names of sections with kept results; the name of the result follows.
	sectionKept = "kept/"
	// sectionFor begins the names of sections with the facts of the profile that a result is for; the name of the result follows.
	sectionFor = "kept-for/"
)

// keptFolder is the folder of the cache with results, and mostKept bounds its bytes.
const (
	keptFolder = "programs"
	mostKept   = 256 << 20
)

// startedFolder is the folder with an entry for each program that has a result for some device: the name of the last one. mostStarted
// bounds its bytes.
const (
	startedFolder = "started"
	mostStarted   = 1 << 20
)

// buildOf is the hash of a build of skald: that of its executable file without a program.
func buildOf(plain []byte) []byte {
	sum := sha256.Sum256(plain)
	return sum[:]
}

// Identity is the hash of all that the program's results depend on but the device; "" says that none can be kept.
func (p *Program) Identity() string { return p.identity }

// identityIn is the hash of all that the program's results depend on but the device, for executables of a build of skald; "" says that none
// can be kept.
func (p *Program) identityIn(build []byte) string {
	if len(build) == 0 || len(p.section) == 0 {
		return ""
	}
	return hashOf(build, p.section, []byte(strings.Join(p.opts.Without, ",")))
}

// hashOf is one hash of several parts.
func hashOf(parts ...[]byte) string {
	h := sha256.New()
	for _, part := range parts {
		sum := sha256.Sum256(part)
		h.Write(sum[:])
	}
	return hex.EncodeToString(h.Sum(nil))
}

// keptName is the name of the result for a device of a program with an identity; "" says that none can be kept.
func keptName(identity string, m *Model) string {
	if identity == "" {
		return ""
	}
	return hashOf([]byte(identity), []byte(m.Key()))
}

// keptForAny reports whether a result is kept for some device.
func (p *Program) keptForAny() bool {
	return slices.ContainsFunc(p.carried, func(s bundle.Section) bool { return strings.HasPrefix(s.Name, sectionFor) }) ||
		p.identity != "" && cache.Read(startedFolder, p.identity) != nil
}

// kept returns the result for a device, or nil if there is none, and where it was kept. name is that of the device's own result.
func (p *Program) kept(name string, m *Model) (low *impwire.Program, where string) {
	data, ok := p.carried.Section(sectionKept + name)
	if !ok {
		data, ok = p.covered(m)
	}
	where = "executable"
	if !ok {
		data, where = cache.Read(keptFolder, name), "cache"
	}
	low, err := impwire.Open(data)
	if err != nil {
		return nil, ""
	}
	return low, where
}

// covered returns the first result in the executable for a profile that a device's facts cover.
func (p *Program) covered(m *Model) ([]byte, bool) {
	for _, s := range p.carried {
		name, ok := strings.CutPrefix(s.Name, sectionFor)
		if !ok {
			continue
		}
		profile, err := targets.ReadModel(s.Data)
		if err == nil && m.Covers(profile) && name == keptName(p.identity, profile) {
			return p.carried.Section(sectionKept + name)
		}
	}
	return nil, false
}

// KeptIn says where the last result that On took was kept: the cache, or the executable; "" says that it was made.
func (p *Program) KeptIn() string { return p.keptIn }

// NotKept says why the result that On made is not kept, so that the next start makes it again; nil if it is.
func (p *Program) NotKept() error { return p.notKept }

// keep puts a result into the cache, with the text of kernels by name. That it cannot is no error: the next run does the work again.
func (p *Program) keep(name string, low *imp.Prog, codes map[string]host.Printed) {
	data := impwire.Encode(low, func(k *imp.Kernel) map[string]*imp.Code { return codes[k.Name] })
	if cache.Keep(data, mostKept, keptFolder, name) == nil {
		_ = cache.Keep([]byte(name), mostStarted, startedFolder, p.identity)
	}
}

// Keep is what an executable has of the result for a device like a profile, so that a program starts there without compiling. r is what
// the executable will be a copy of. without says why there is no machine code, which devices then have to compile.
func (p *Program) Keep(r *Runner, m *Model) (sections []bundle.Section, without, err error) {
	low, err := p.Lower(m)
	if err != nil {
		return nil, nil, fmt.Errorf("for %s: %w", m.Facts.Name, err)
	}
	facts, err := m.Record()
	if err != nil {
		return nil, nil, err
	}
	name := keptName(p.identityIn(r.build), m)
	data := impwire.Encode(low, func(k *imp.Kernel) map[string]*imp.Code {
		if k.Room > 0 && !m.Facts.SizesAtLaunch {
			return nil // Which form it takes only a launch knows.
		}
		code, err := m.Print(host.Packed(k, m.Facts))
		if err != nil {
			return nil // It is an error where the kernel is launched.
		}
		return host.Printed{"": code}
	})
	sections = []bundle.Section{{Name: sectionKept + name, Data: data}, {Name: sectionFor + name, Data: facts}}
	if m.Target.Code == nil {
		return sections, nil, nil
	}
	code, without := m.Target.Code(m.Facts, specsOf(low.Kernels, m, withWide))
	return append(sections, code...), without, nil
}

// Arguments of specsOf.
const (
	withWide  = true
	usualForm = false
)

// specsOf returns kernels as a device takes them in their usual form; wide adds the form for indices of 64 bits, where that is another. A
// kernel that cannot be printed is an error where it is launched.
func specsOf(kernels []*imp.Kernel, m *Model, wide bool) []device.KernelSpec {
	var out []device.KernelSpec
	add := func(k *imp.Kernel) *imp.Code {
		form := host.Packed(k, m.Facts)
		code, err := m.Print(form)
		if err == nil {
			out = append(out, host.SpecOf(form, code))
		}
		return code
	}
	for _, k := range kernels {
		if code := add(k); wide && code != nil && !code.Wide {
			add(imp.WidenKernel(k))
		}
	}
	return out
}

// Needs returns the kernels that the program may launch on a device, each in its usual form.
func (p *Program) Needs(dev *Device) ([]device.KernelSpec, error) {
	if name := keptName(p.identity, dev.Model); name != "" {
		if kept, _ := p.kept(name, dev.Model); kept != nil {
			whole, err := kept.Whole()
			if err != nil {
				return nil, err
			}
			return specsOf(whole.Kernels, dev.Model, usualForm), nil
		}
	}
	low, err := p.Lower(dev.Model)
	if err != nil {
		return nil, err
	}
	return specsOf(low.Kernels, dev.Model, usualForm), nil
}
