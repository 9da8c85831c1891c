package bundle_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"skald/runtime/bundle"
)

var program = bundle.Bundle{{Name: "gpu", Data: []byte("fun main")}, {Name: "empty", Data: []byte{}}}

func write(t *testing.T, binary string, b bundle.Bundle) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "prog")
	if err := bundle.Write(path, []byte(binary), b); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestWhatIsWrittenIsFoundAgain(t *testing.T) {
	path := write(t, "ELF binary", program)
	got, err := bundle.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(program, got); diff != "" {
		t.Error(diff)
	}
	if data, ok := got.Section("gpu"); !ok || string(data) != "fun main" {
		t.Errorf("section gpu: %q, %v", data, ok)
	}
	if _, ok := got.Section("cpu"); ok {
		t.Error("a section that is not there was found")
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode()&0o111 != 0o111 {
		t.Errorf("mode %v: not executable", info.Mode())
	}
}

func TestABundleReplacesTheOneBefore(t *testing.T) {
	first, err := os.ReadFile(write(t, "ELF binary", program))
	if err != nil {
		t.Fatal(err)
	}
	second, err := os.ReadFile(write(t, string(first), program))
	if err != nil {
		t.Fatal(err)
	}
	if string(first) != string(second) {
		t.Error("bundling twice is not the same as bundling once")
	}
}

func TestAPlainExecutableHasNoBundle(t *testing.T) {
	for _, content := range []string{"", "ELF", string(make([]byte, 1000))} {
		path := filepath.Join(t.TempDir(), "plain")
		if err := os.WriteFile(path, []byte(content), 0o755); err != nil {
			t.Fatal(err)
		}
		if _, err := bundle.Open(path); !errors.Is(err, bundle.ErrNone) {
			t.Errorf("%d bytes: error %v", len(content), err)
		}
	}
}

func TestDamageIsNoticed(t *testing.T) {
	path := write(t, "ELF", program)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := len("ELF"); i < len(whole)-8; i++ {
		damaged := append([]byte(nil), whole...)
		damaged[i] ^= 0x40
		if err := os.WriteFile(path, damaged, 0o755); err != nil {
			t.Fatal(err)
		}
		if _, err := bundle.Open(path); err == nil || errors.Is(err, bundle.ErrNone) {
			t.Fatalf("byte %d changed: error %v", i, err)
		}
	}
}
