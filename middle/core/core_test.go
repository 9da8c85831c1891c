package core

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"skald/runtime/prim"
)

// samples are the programs in testdata: between them they have every kind of
// expression.
func samples(t testing.TB) map[string]string {
	t.Helper()
	files, err := filepath.Glob("testdata/*.core")
	if err != nil || len(files) == 0 {
		t.Fatal("no samples")
	}
	out := map[string]string{}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		out[filepath.Base(f)] = string(b)
	}
	return out
}

func TestPrintedSamplesReadBackAsTheSameProgram(t *testing.T) {
	for name, src := range samples(t) {
		p, err := Parse(src)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		text := Print(p)
		q, err := Parse(text)
		if err != nil {
			t.Errorf("%s: printed form does not parse: %v\n%s", name, err, text)
			continue
		}
		if d := cmp.Diff(p, q, cmpopts.EquateEmpty(), cmpopts.EquateComparable(prim.Value{})); d != "" {
			t.Errorf("%s: read back differently:\n%s", name, d)
		}
	}
}

func TestSamplesVerify(t *testing.T) {
	for name, src := range samples(t) {
		p, err := Parse(src)
		if err == nil {
			err = Verify(p)
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzParsePrintParse(f *testing.F) {
	for _, src := range samples(f) {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		p, err := Parse(src)
		if err != nil {
			return
		}
		text := Print(p)
		q, err := Parse(text)
		if err != nil {
			t.Fatalf("printed form does not parse: %v\n%s", err, text)
		}
		if again := Print(q); again != text {
			t.Errorf("printing is not stable:\n%s\n---\n%s", text, again)
		}
	})
}
