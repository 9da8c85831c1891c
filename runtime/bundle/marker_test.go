package bundle

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// The marker of a binary is set when it gets a bundle and reset when it loses it; binaries without a marker stay as they are.
func TestTheMarkerSaysThatABundleFollows(t *testing.T) {
	plain := append(append([]byte("ELF "), marker...), " and more"...)
	path := filepath.Join(t.TempDir(), "prog")
	if err := Write(path, plain, Bundle{{Name: "gpu"}}); err != nil {
		t.Fatal(err)
	}
	written, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(written, []byte("behind this binary: 1 and more")) {
		t.Errorf("the marker is not set: %q", written)
	}
	if got := Strip(written); !bytes.Equal(got, plain) {
		t.Errorf("stripped: %q", got)
	}
	other := []byte("ELF")
	if image, err := Image(other, nil); err != nil || !bytes.HasPrefix(image, other) || !bytes.Equal(Strip(image), other) || Expected() {
		t.Error("a binary without a bundle is taken for one with it")
	}
}
