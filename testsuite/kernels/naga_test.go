package kernels

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skald/middle/imp"
	"skald/middle/pass"
	"skald/runtime/cache"
	"skald/testsuite/depth"
)

// naga is the translator that scripts/fetch-naga.sh builds.
func naga(t *testing.T) string {
	t.Helper()
	depth.Need(t, depth.Full)
	found, _ := filepath.Glob(filepath.Join(cache.Dir(), "naga", "*", "naga"))
	if len(found) == 0 {
		t.Skip("SKIPPED: naga is not there; scripts/fetch-naga.sh builds it")
	}
	return slices.Max(found)
}

// translated are the profiles whose kernels go to other systems.
var translated = []string{"portable", "apple"}

const (
	// mostTranslated is about how many kernels full tests translate at most that a list lacks.
	mostTranslated = 500
	// translatedAgain is of how many that a list has they translate one.
	translatedAgain = 64
)

// A back end of another system takes the kernels of every program: Metal's language, Direct3D's, and SPIR-V. Full tests try those that the
// lists of accepted kernels lack (Note [Accepted kernels]), if they are not too many, and a sample of the others; for the second profile
// of one program in four. Deep ones try all.
func TestEveryKernelTranslatesToOtherSystems(t *testing.T) {
	tool := naga(t)
	for i, profile := range translated {
		t.Run(profile, func(t *testing.T) {
			files := programs(t, folders)
			if i > 0 && !deep && !*accept {
				files = oneIn(4, files)
			}
			codes := codesOf(t, files, profile)
			l := readList(t, "naga", profile)
			hash := func(c code) string {
				version := filepath.Base(filepath.Dir(tool))
				return fmt.Sprintf("%x", sha256.Sum256([]byte(version+"\n"+c.text)))[:hashLength]
			}
			lacking, known := split(t, l, hash, codes)
			some := codes
			switch {
			case *accept:
				some = lacking
			case !deep:
				some = append(oneIn(len(lacking)/mostTranslated+1, lacking), oneIn(translatedAgain, known)...)
			}
			dir := t.TempDir()
			for _, err := range pass.Each(some, func(c code) error { return translate(tool, filepath.Join(dir, c.name), c.text) }) {
				if err != nil {
					t.Error(err)
				}
			}
			t.Logf("%d of %d kernels translated", len(some), len(codes))
			if *accept && !t.Failed() {
				write(t, l, hash, codes, some)
			}
		})
	}
}

// translate has naga translate a kernel to all languages, of versions that have been there for years. It has subgroup operations, but no
// name for them as an extension.
func translate(tool, stem, source string) error {
	source = strings.Replace(source, "enable subgroups;\n", "", 1)
	if err := os.WriteFile(stem+".wgsl", []byte(source), 0o600); err != nil {
		return err
	}
	out, err := exec.Command(tool, "--metal-version", "2.4", stem+".wgsl", stem+".metal", stem+".hlsl", stem+".spv").CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s: %w\n%s", filepath.Base(stem), err, out)
	}
	for _, ext := range []string{".wgsl", ".metal", ".hlsl", ".spv"} {
		_ = os.Remove(stem + ext) // The folder is removed in the end.
	}
	return nil
}

// code is the text of a kernel without comments, with a name for files.
type code struct{ name, text string }

// codesOf prints the kernels of programs for a device, in a form that the device could bind; equal texts once.
func codesOf(t *testing.T, files []string, profile string) []code {
	var out []code
	emitted(t, files, profile, uncommented, func(file string, c *imp.Code, text string) {
		base := strings.TrimSuffix(filepath.Base(file), ".fut")
		out = append(out, code{fmt.Sprintf("%d-%s-%s", len(out), base, c.Entry), text})
	})
	return out
}

// uncommented is a text without the lines that are comments: they say where a kernel comes from.
func uncommented(source string) string {
	var b strings.Builder
	b.Grow(len(source))
	for line := range strings.Lines(source) {
		if !strings.HasPrefix(strings.TrimLeft(line, " "), "//") {
			b.WriteString(line)
		}
	}
	return b.String()
}
