package compiler

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"skald/middle/imp"
	impwire "skald/middle/imp/wire"
	"skald/runtime/bundle"
	"skald/runtime/cache"
	"skald/runtime/host"
	"skald/targets"
)

// Note [Kept results]
// ~~~~~~~~~~~~~~~~~~~
// What the pipeline of a device, lowering and the printer make of a program is the same each time, so executables keep it: on disk, and
// inside of themselves for the profiles that `skald build --bundle` names. It is the low-level program in binary (package
// middle/imp/wire) with the text of its kernels; machine code is kept by devices, by the text (runtime/webgpu, runtime/cuda).
//
// The name of a result is a hash of all that it depends on: the program's section, what passes, lowering and the printer know of the
// device (Model.Key), the passes that are left out, and the build of skald, of which `skald build` puts the hash into the executable. So
// a result is never wrong, only missing: another build, another device of other facts or another program has another name. Thresholds
// are no part of it, since they are read at each run. The cache verifies what it reads; what is damaged, foreign or half written is made
// again and replaced. Without a cache, or a hash of the build, everything is made each time.
//
// To the cache a result goes in the background, once the kernels of the first call are compiled, and with the text of these alone: of the
// hundreds of kernels that versions make a run launches a few, and others are printed when they are needed. Executables carry the text of
// all, since nobody knows what they will be called with.

// Sections of an executable beside the program.
const (
	// sectionBuild holds the hash of the build of skald.
	sectionBuild = targets.SectionBuild
	// sectionKept begins the names of sections with kept results; the name of the result follows.
	sectionKept = "kept/"
)

// keptFolder is the folder of the cache with results, and mostKept bounds its bytes.
const (
	keptFolder = "programs"
	mostKept   = 256 << 20
)

// buildOf is the hash of a build of skald: that of its executable file without a program.
func buildOf(binary []byte) []byte {
	sum := sha256.Sum256(bundle.Strip(binary))
	return sum[:]
}

// keptName is the name of the result for a device; "" says that none can be kept.
func (p *Program) keptName(build []byte, m *Model) string {
	if len(build) == 0 || len(p.section) == 0 {
		return ""
	}
	h := sha256.New()
	for _, part := range [][]byte{build, p.section, []byte(m.Key()), []byte(strings.Join(p.opts.Without, ","))} {
		sum := sha256.Sum256(part)
		h.Write(sum[:])
	}
	return hex.EncodeToString(h.Sum(nil))
}

// kept gives the result of a name, or nil if there is none, and where it was kept.
func (p *Program) kept(name string) (low *impwire.Program, where string) {
	data, ok := p.carried.Section(sectionKept + name)
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

// KeptIn says where the last result that On took was kept: the cache, or the executable; "" says that it was made.
func (p *Program) KeptIn() string { return p.keptIn }

// keep puts a result into the cache, with the text of kernels by name. That it cannot is no error: the next run does the work again.
func keep(name string, low *imp.Prog, codes map[string]*imp.Code) {
	data := impwire.Encode(low, func(k *imp.Kernel) *imp.Code { return codes[k.Name] })
	if cache.Write(data, keptFolder, name) == nil && strings.HasPrefix(name, "0") { // To look at the whole folder takes time.
		_ = cache.Bound(mostKept, keptFolder)
	}
}

// Keep is the section of an executable with the result for a device like a profile, so that a program starts there without
// compiling. runner is the file that the executable will be a copy of.
func (p *Program) Keep(runner []byte, m *Model) (bundle.Section, error) {
	low, err := p.Lower(m)
	if err != nil {
		return bundle.Section{}, fmt.Errorf("for %s: %w", m.Facts.Name, err)
	}
	data := impwire.Encode(low, func(k *imp.Kernel) *imp.Code {
		code, err := m.Print(host.Packed(k, m.Facts))
		if err != nil {
			return nil // It is an error where the kernel is launched.
		}
		return code
	})
	return bundle.Section{Name: sectionKept + p.keptName(buildOf(runner), m), Data: data}, nil
}
