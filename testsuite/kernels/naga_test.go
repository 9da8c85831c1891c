package kernels

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

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

// A back end of another system takes the kernels of every program: Metal's language, Direct3D's, and SPIR-V. Full tests try a sample, deep
// ones all.
func TestEveryKernelTranslatesToOtherSystems(t *testing.T) {
	tool := naga(t)
	for _, profile := range translated {
		t.Run(profile, func(t *testing.T) {
			codes := codesOf(t, profile)
			some, dir := oneIn(depth.Choose(16, 16, 1), codes), t.TempDir()
			for _, err := range pass.Each(some, func(c code) error { return translate(tool, filepath.Join(dir, c.name), c.source) }) {
				if err != nil {
					t.Error(err)
				}
			}
			t.Logf("%d of %d kernels translated", len(some), len(codes))
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

// code is the text of a kernel, with a name for files.
type code struct{ name, source string }

// codesOf prints the kernels of all programs for a device, in a form that the device could bind; equal texts once.
func codesOf(t *testing.T, profile string) []code {
	seen := map[string]bool{}
	var out []code
	for _, file := range programs(t, folders) {
		compiled := compile(t, file)
		if compiled == nil {
			continue
		}
		e := emit(compiled, file, profile)
		if e.err != nil {
			t.Errorf("%s: %v", file, e.err)
			continue
		}
		base := strings.TrimSuffix(filepath.Base(file), ".fut")
		for _, c := range e.codes {
			_, text, _ := strings.Cut(c.Source, "\n") // after the comment that names it
			if !seen[text] {
				seen[text] = true
				out = append(out, code{fmt.Sprintf("%d-%s-%s", len(out), base, c.Entry), c.Source})
			}
		}
	}
	return out
}
