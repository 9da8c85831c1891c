package kernels

import (
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skald/compiler"
	"skald/middle/goldentest"
	"skald/runtime/host"
	"skald/targets"
)

var texts = flag.String("texts", "", "where TestWriteKernels writes: a `folder`")

// recording is where the kernels of each profile are recorded: one line a program, with how many kernels and lines it has and a hash.
const recording = "testdata/recorded.txt"

// recordedFolders hold the programs whose kernels are recorded.
var recordedFolders = []string{"../../examples", "../bench"}

// TestKernelsAreAsRecorded prints the kernels of the examples and benchmarks for each profile and compares them with the recording: a
// change that is called a refactoring changes none. To see what has changed, run TestWriteKernels here and on a checkout of the commit
// before, and compare the folders; -update records what is printed now.
func TestKernelsAreAsRecorded(t *testing.T) {
	goldentest.File(t, recording, strings.Join(recordedLines(t), ""))
}

// recordedLines describes the kernels of each program on each profile.
func recordedLines(t *testing.T) []string {
	var lines []string
	eachPrinted(t, recordedFolders, func(file, profile string, count int, text string) {
		sum := sha256.Sum256([]byte(text))
		lines = append(lines, fmt.Sprintf("%-36s %-14s %3d kernels %6d lines %x\n",
			file, profile, count, strings.Count(text, "\n"), sum[:6]))
	})
	return lines
}

// TestWriteKernels writes the kernels of all programs into the folder that -texts names, one file a program and profile.
func TestWriteKernels(t *testing.T) {
	if *texts == "" {
		t.Skip("SKIPPED: -texts names no folder")
	}
	eachPrinted(t, folders, func(file, profile string, _ int, text string) {
		path := filepath.Join(*texts, profile, strings.ReplaceAll(file, "/", "_"))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	})
}

// eachPrinted calls f with the kernels of each program in folders on each profile: how many there are, and their text. Programs that show
// an error or a limitation have none.
func eachPrinted(t *testing.T, folders []string, f func(file, profile string, count int, text string)) {
	for _, file := range programs(t, folders) {
		compiled := compile(t, file)
		if compiled == nil {
			continue
		}
		for _, profile := range targets.ProfileNames() {
			count, text := kernelTexts(t, compiled, targets.FindProfile(profile))
			f(strings.TrimPrefix(strings.TrimPrefix(file, "../"), "../"), profile, count, text)
		}
	}
}

// kernelTexts prints the kernels of a program for a profile; in the place of one that the profile's devices cannot run is the reason. No
// kernel has more workgroup memory than the profile's devices.
func kernelTexts(t *testing.T, p *compiler.Program, m *targets.Model) (count int, all string) {
	low, err := p.Lower(m)
	if err != nil {
		return 0, err.Error() + "\n"
	}
	var b strings.Builder
	for _, k := range low.Kernels {
		packed := host.Packed(k, m.Facts)
		code, err := m.Emit(packed)
		if err != nil {
			fmt.Fprintln(&b, err)
			continue
		}
		if bytes := code.Declared + code.MostDynamic(packed); bytes > m.Facts.WorkgroupMemory {
			t.Errorf("kernel %s has %d bytes of workgroup memory, %s %d", k.Name, bytes, m.Facts.Name, m.Facts.WorkgroupMemory)
		}
		b.WriteString(code.Source)
	}
	return len(low.Kernels), b.String()
}

// TestManyArraysFitInWorkgroups prints kernels that have several arrays of one element and a room as large as can be: kernelTexts compares
// what they need with what the profiles' devices have.
func TestManyArraysFitInWorkgroups(t *testing.T) {
	for _, file := range []string{"../programs/nested/moves.fut", "../programs/soacs/scan-and-reduction.fut"} {
		for _, profile := range targets.ProfileNames() {
			kernelTexts(t, compile(t, file), targets.FindProfile(profile))
		}
	}
}
