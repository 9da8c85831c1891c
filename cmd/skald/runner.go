//go:build !runner

package main

import (
	"bytes"
	"debug/elf"
	"debug/macho"
	"debug/pe"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"skald/compiler"
	"skald/runtime/bundle"
)

// distTargets are the systems and processors that make dist builds skald for.
var distTargets = []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64"}

// thisMachine is the system and processor that this binary is for.
const thisMachine = runtime.GOOS + "/" + runtime.GOARCH

// runnerName is what make dist calls a skald for a system and processor.
func runnerName(target string) string {
	name := "skald-" + strings.ReplaceAll(target, "/", "-")
	if strings.HasPrefix(target, "windows/") {
		name += ".exe"
	}
	return name
}

// Note [Runners]
//
// An executable is a copy of a runner with a program behind it. A runner is cmd/skald built with the tag runner: what it takes to compile a
// program for the device that is there and to run it, without the commands and their libraries, which are more than half of skald. `make`
// puts it into skald, as it is: to unpack it would take ten times as long as to compile a small program. A skald that `go build` made
// alone has none and is its own runner, so that nothing else is needed to try a change.

// readRunner reads what executables are copies of: the runner, or for another system one that is named, or lies beside this binary.
func (f *buildFlags) readRunner() ([]byte, error) {
	target := f.targetName()
	if f.runner == "" && target == thisMachine {
		return ownRunner()
	}
	path := f.runner
	if path == "" {
		self, err := os.Executable()
		if err != nil {
			return nil, fail(exitInternal, "cannot find the file of this program: %v", err)
		}
		path = filepath.Join(filepath.Dir(self), "runner-"+runnerName(target))
		if _, err := os.Stat(path); err != nil {
			path = filepath.Join(filepath.Dir(self), runnerName(target))
		}
		if _, err := os.Stat(path); err != nil {
			return nil, fail(exitUser, "there is no skald for %s: --runner names one; `make dist` makes %s, which is looked for beside skald",
				target, runnerName(target))
		}
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, fail(exitUser, "%s cannot be the runner: it is no file", path) // reading a device may have no end
	}
	data, err := os.ReadFile(path)
	if err == nil {
		err = checkRunner(data, target)
	}
	if err != nil {
		return nil, fail(exitUser, "%s cannot be the runner: %v", path, err)
	}
	return data, nil
}

// ownRunner reads the runner in this binary, or the binary itself. Tests read one that is built apart.
var ownRunner = func() ([]byte, error) {
	if len(embeddedRunner) > 0 {
		return embeddedRunner, nil
	}
	self, err := os.Executable()
	if err != nil {
		return nil, fail(exitInternal, "cannot find the file of this program: %v", err)
	}
	data, err := os.ReadFile(self)
	if err != nil {
		return nil, fail(exitInternal, "%v", err)
	}
	return data, nil
}

// targetName is the system and processor that executables are for.
func (f *buildFlags) targetName() string {
	if f.target == "" {
		return thisMachine
	}
	return f.target
}

// checkTarget refuses options that do not fit.
func (f *buildFlags) checkTarget() error {
	system, processor, ok := strings.Cut(f.targetName(), "/")
	if !ok || system == "" || processor == "" {
		return fail(exitUser, "--target takes a system and a processor: %s", strings.Join(distTargets, ", "))
	}
	return nil
}

// checkRunner says why a file is no skald of this version for a system and processor.
func checkRunner(data []byte, target string) error {
	is, err := binaryTarget(data)
	switch {
	case err != nil:
		return err
	case is != target:
		return fmt.Errorf("it is for %s, not for %s", is, target)
	case !bundle.IsRunner(data):
		return errors.New("it is no skald")
	case !bytes.Contains(data, []byte(compiler.Version)):
		return fmt.Errorf("it is not of this version, which is %s", compiler.Version)
	}
	return nil
}

// binaryTarget returns the system and processor that a binary is for. What is neither macOS's nor Windows's is taken for Linux's.
func binaryTarget(data []byte) (string, error) {
	r := bytes.NewReader(data)
	var system, processor string
	if b, err := elf.NewFile(r); err == nil {
		system = "linux"
		processor = map[elf.Machine]string{elf.EM_X86_64: "amd64", elf.EM_AARCH64: "arm64"}[b.Machine]
	} else if b, err := macho.NewFile(r); err == nil {
		system = "darwin"
		processor = map[macho.Cpu]string{macho.CpuAmd64: "amd64", macho.CpuArm64: "arm64"}[b.Cpu]
	} else if b, err := pe.NewFile(r); err == nil {
		system = "windows"
		processor = map[uint16]string{pe.IMAGE_FILE_MACHINE_AMD64: "amd64", pe.IMAGE_FILE_MACHINE_ARM64: "arm64"}[b.Machine]
	}
	if processor == "" {
		return "", errors.New("it is no executable for a system that skald knows")
	}
	return system + "/" + processor, nil
}
