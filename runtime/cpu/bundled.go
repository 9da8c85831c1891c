package cpu

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"unsafe"

	"skald/middle/imp"
	"skald/runtime/device"
	"skald/runtime/dynlib"
)

// Note [Bundled code]
//
// `skald build --bundle cpu:x86-64-v3` compiles the kernels of a program when it is built, for a class of processors, so that the machine
// where it runs needs no compiler. Kernels do not depend on how many cores there are, so code is found by the hash of a kernel's text,
// which the same build of skald makes there. It is only loaded where the system and the processor are what it was compiled for; of
// several the best one is. What it has not (a kernel that tuning asks for, say) is compiled or evaluated as usual.

// Bundled is code that an executable carries: a line of JSON, and a shared library.
type Bundled []byte

// bundledHead is the first line of Bundled.
type bundledHead struct {
	System  string            `json:"system"`  // it runs on, as Go calls it
	Machine string            `json:"machine"` // the class of processors
	Kernels map[string]string `json:"kernels"` // what functions are called, by the hash of the kernel's text
}

func textHash(source string) string {
	sum := sha256.Sum256([]byte(source))
	return fmt.Sprintf("%x", sum[:16])
}

// CompileFor compiles kernels, given in their text form, for a class of processors, as devices take it by Options.Bundled. system is where
// the code is to run, as GOOS/GOARCH. Of o it needs how to print and to compile.
func CompileFor(o Options, system, name string, sources []string) (Bundled, error) {
	m, _ := findMachine(name)
	if m == nil {
		return nil, fmt.Errorf("no processor is called %q; there are %s", name, strings.Join(Machines(), ", "))
	}
	goos, goarch, _ := strings.Cut(system, "/")
	switch {
	case goarch != m.arch:
		return nil, fmt.Errorf("%s is not a processor of %s", name, system)
	case goos != runtime.GOOS:
		return nil, fmt.Errorf("the compiler here makes code for %s, not for %s", runtime.GOOS, goos)
	}
	c, err := findCompiler(o.Compiler)
	if err != nil {
		return nil, err
	}
	var ks []*imp.Kernel
	for _, s := range sources {
		k, err := parseKernel(&device.KernelSpec{Source: s})
		if err != nil {
			return nil, err
		}
		ks = append(ks, k)
	}
	text, entries, limits, err := o.Print(ks)
	if err == nil {
		err = errors.Join(limits...)
	}
	if err != nil {
		return nil, err
	}
	c.machine = m.flag
	code, err := c.compile(text)
	switch {
	case err != nil && goarch != runtime.GOARCH:
		return nil, fmt.Errorf("%w; name a compiler that makes code for %s with --cpu-compiler", err, system)
	case err != nil:
		return nil, err
	}
	return withHead(bundledHead{System: system, Machine: name}, sources, entries, code)
}

// withHead puts a head before code that has the functions of kernels.
func withHead(head bundledHead, sources, entries []string, code []byte) ([]byte, error) {
	head.Kernels = map[string]string{}
	for i, s := range sources {
		head.Kernels[textHash(s)] = entries[i]
	}
	line, err := json.Marshal(head)
	if err != nil {
		return nil, err
	}
	return append(append(line, '\n'), code...), nil
}

// joinCode puts the names of functions before code for this machine, as it is kept; splitCode takes it apart, for the same kernels.
func joinCode(sources, entries []string, code []byte) ([]byte, error) {
	return withHead(bundledHead{}, sources, entries, code)
}

func splitCode(kept []byte, sources []string) (entries []string, code []byte, err error) {
	line, code, _ := bytes.Cut(kept, []byte{'\n'})
	var head bundledHead
	if err := json.Unmarshal(line, &head); err != nil {
		return nil, nil, err
	}
	for _, s := range sources {
		entries = append(entries, head.Kernels[textHash(s)])
	}
	return entries, code, nil
}

// bundle is code of an executable that runs here.
type bundle struct {
	head bundledHead
	load func() (dynlib.Library, error) // once
}

// pick takes the best code that runs here; nil if there is none, and then why says what there is.
func pick(all []Bundled) (best *bundle, why error) {
	rank := -1
	var others []string
	for _, b := range all {
		line, code, _ := bytes.Cut(b, []byte{'\n'})
		var head bundledHead
		if err := json.Unmarshal(line, &head); err != nil {
			return nil, fmt.Errorf("the code for processors in the executable cannot be read: %w", err)
		}
		m, r := findMachine(head.Machine)
		if m == nil || head.System != runtime.GOOS+"/"+runtime.GOARCH || !m.here() {
			others = append(others, head.Machine+" ("+head.System+")")
			continue
		}
		if r > rank {
			rank = r
			best = &bundle{head, sync.OnceValues(func() (dynlib.Library, error) { return loadCode(code) })}
		}
	}
	if best == nil && len(others) > 0 {
		return nil, fmt.Errorf("the executable has code for %s, which this processor cannot run", strings.Join(others, ", "))
	}
	return best, nil
}

// addBundled takes what the executable has of kernels, and returns the others.
func (m *modules) addBundled(ks kernelTexts) (others kernelTexts) {
	if m.bundle == nil || len(ks.texts) == 0 {
		return ks
	}
	lib, err := m.bundle.load()
	stop := uintptr(0)
	if err == nil {
		stop = lib.Symbol(m.stopName)
	}
	if err == nil && stop == 0 {
		err = fmt.Errorf("it has no %s", m.stopName)
	}
	if err != nil {
		m.unbundled = fmt.Errorf("the code for %s in the executable cannot be loaded: %w", m.bundle.head.Machine, err)
		m.bundle = nil
		return ks
	}
	m.track((*int32)(*(*unsafe.Pointer)(unsafe.Pointer(&stop))))
	for i, text := range ks.texts {
		f := uintptr(0)
		if entry := m.bundle.head.Kernels[textHash(text)]; entry != "" {
			f = lib.Symbol(entry)
		}
		if f != 0 {
			m.kept[text] = f
			continue
		}
		others = others.and(ks.part(i, i+1))
	}
	if len(others.kernels) > 0 {
		m.unbundled = fmt.Errorf("the executable has no code for kernel %s", others.kernels[0].Name)
	}
	return others
}
