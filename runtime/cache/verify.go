package cache

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Note [Verified files]
// The libraries of a device have ten to a hundred megabytes, whose SHA-256 takes 5 to 100 ms: a part of each start that can be seen. So the
// cache remembers of a file that had its sum what the file system says of it: which file it is, its size, and when it was written and
// changed. The time of the last change nobody can set, so a file of which all that is the same has the same contents; another one, or one
// that was changed a moment ago, when the clock of the file system need not have gone on, is read whole.

// verifiedFolder is the folder of the cache with what is remembered.
const verifiedFolder = "verified"

// settled is how old the last change of a file has to be for that. Tests change it.
var settled = 2 * time.Second

// sumsName is the file of a fetched folder that has the SHA-256 of each of its files, as sha256sum prints them.
const sumsName = "SHA256SUMS"

// Glob lists files of the cache by patterns, one for each part of their path.
func Glob(pattern ...string) []string {
	path, err := pathOf(pattern)
	if err != nil {
		return nil
	}
	found, _ := filepath.Glob(path) // The only error is a bad pattern.
	return found
}

// Contains reports whether a path lies in the cache.
func Contains(path string) bool {
	path, err := filepath.Abs(path)
	if err != nil || Dir() == "" {
		return false
	}
	rest, err := filepath.Rel(Dir(), path)
	return err == nil && filepath.IsLocal(rest)
}

// Verify says why a fetched file of the cache must not be loaded, if it must not: somebody else may have written it, or its contents
// are not those that were fetched.
func Verify(path string) error {
	if err := inTrust(path); err != nil {
		return err
	}
	sums, err := readSums(filepath.Dir(path))
	if err != nil {
		return err
	}
	return verifySum(path, sums[filepath.Base(path)])
}

// VerifyFolder verifies every file of a fetched folder: those that load each other by name.
func VerifyFolder(dir string) error {
	sums, err := readSums(dir)
	if err != nil {
		return err
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, f := range files {
		path := filepath.Join(dir, f.Name())
		if f.Name() == sumsName {
			continue
		}
		if err := inTrust(path); err != nil {
			return err
		}
		if err := verifySum(path, sums[f.Name()]); err != nil {
			return err
		}
	}
	return nil
}

func verifySum(path, want string) error {
	if want == "" {
		return fmt.Errorf("%s is not listed in its folder's %s", path, sumsName)
	}
	name := []string{verifiedFolder, fmt.Sprintf("%x", sha256.Sum256([]byte(path)))}
	state, changed, err := stateOf(path)
	if err != nil {
		return err
	}
	found := []byte(want + " " + state)
	if bytes.Equal(inFolder(name), found) {
		return nil
	}
	got, err := sumOf(path)
	if err != nil {
		return err
	}
	if got != want {
		return fmt.Errorf("%s has SHA-256 %s, not %s as when it was fetched", path, got, want)
	}
	if again, _, err := stateOf(path); err == nil && again == state && time.Since(changed) > settled {
		_ = toFolder(found, name) // Without it the next start reads the file again.
	}
	return nil
}

// sumOf is the SHA-256 of a file's contents.
func sumOf(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	h := sha256.New()
	_, err = io.Copy(h, f)
	return hex.EncodeToString(h.Sum(nil)), errors.Join(err, f.Close())
}

// readSums reads the sums of a folder, by file name.
func readSums(dir string) (map[string]string, error) {
	path := filepath.Join(dir, sumsName)
	if err := inTrust(path); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	sums := map[string]string{}
	for line := range strings.Lines(string(text)) {
		if fields := strings.Fields(line); len(fields) == 2 {
			sums[strings.TrimPrefix(fields[1], "*")] = fields[0]
		}
	}
	return sums, nil
}

// inTrust says why a file of the cache may be somebody else's work, if it may: each folder from the cache's down to the file has to
// pass Trusted.
func inTrust(path string) error {
	rest, err := filepath.Rel(Dir(), path)
	if err != nil || !filepath.IsLocal(rest) {
		return fmt.Errorf("%s is not in skald's cache %s", path, Dir())
	}
	for at := path; ; at = filepath.Dir(at) {
		if err := Trusted(at); err != nil {
			return err
		}
		if at == filepath.Clean(Dir()) {
			return nil
		}
	}
}
