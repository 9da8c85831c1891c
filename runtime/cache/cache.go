package cache

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"os"
	"path/filepath"
	"strings"
)

// Dir is the folder of the cache: $SKALD_CACHE, else skald under $XDG_CACHE_HOME or ~/.cache. It may not exist yet; it is empty if
// there is no home directory.
func Dir() string {
	dir := os.Getenv("SKALD_CACHE")
	if base := os.Getenv("XDG_CACHE_HOME"); dir == "" && base != "" {
		dir = filepath.Join(base, "skald")
	}
	if home, err := os.UserHomeDir(); dir == "" && err == nil {
		dir = filepath.Join(home, ".cache", "skald")
	}
	if dir == "" {
		return ""
	}
	if dir, err := filepath.Abs(dir); err == nil {
		return dir
	}
	return ""
}

// errNone says that there is no cache.
var errNone = errors.New("there is no folder for skald's cache; SKALD_CACHE names one")

// magic begins an entry; its SHA-256 follows, then its data.
const magic = "skald cache 1\n"

// headerSize is how many bytes stand before an entry's data.
const headerSize = len(magic) + sha256.Size

// Read returns the data of an entry that Write wrote under the same name; nil if there is none that can be relied on.
func Read(name ...string) []byte {
	if data := inFile(name); data != nil {
		return data
	}
	data := inFolder(name)
	if data != nil {
		_, _ = toFile(data, name) // without it the folder is read again
	}
	return data
}

// inFolder is an entry of the folder, or nil.
func inFolder(name []string) []byte {
	path, err := pathOf(name)
	if err != nil || inTrust(path) != nil {
		return nil
	}
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return nil // Nothing ever comes out of a pipe.
	}
	file, err := os.ReadFile(path)
	if err != nil || len(file) < headerSize || string(file[:len(magic)]) != magic {
		return nil
	}
	data := file[headerSize:]
	if !bytes.Equal(file[len(magic):headerSize], digest(name, data)) {
		return nil
	}
	return data
}

// Write puts an entry into the cache, whole or not at all. Callers may ignore the error: without the entry the next run does the work
// again.
func Write(data []byte, name ...string) error {
	kept, err := toFile(data, name)
	if err != nil {
		return err
	}
	if err := toFolder(data, name); !errors.Is(err, errNone) || !kept {
		return err
	}
	return nil
}

// Refused says why entries of a folder are not kept, if they are not: there is no place for them, it cannot be written, or others can write
// it too, so that what is there is not read. A file as large as many entries are shows that the disk is not full.
func Refused(folder string) error {
	if fileInUse() {
		return nil
	}
	path, err := pathOf([]string{folder, "entry"})
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".new-*")
	if err != nil {
		return err
	}
	_, err = f.Write(make([]byte, trialBytes))
	return errors.Join(err, f.Close(), inTrust(filepath.Dir(path)), os.Remove(f.Name()))
}

// trialBytes is how much Refused writes.
const trialBytes = 64 << 10

// toFolder writes an entry of the folder.
func toFolder(data []byte, name []string) error {
	path, err := pathOf(name)
	if err != nil {
		return err
	}
	header := append([]byte(magic), digest(name, data)...)
	return replace(path, header, data)
}

// digest is the SHA-256 of an entry: it covers the name, so that one entry cannot take the place of another.
func digest(name []string, data []byte) []byte {
	h := sha256.New()
	h.Write([]byte(strings.Join(name, "/") + "\x00"))
	h.Write(data)
	return h.Sum(nil)
}

// Place puts a file with exactly these bytes into the cache, for code that opens it by its path, and returns the path. A file that is
// there is kept if it has these bytes and can be relied on.
func Place(data []byte, name ...string) (string, error) {
	path, err := pathOf(name)
	if err != nil {
		return "", err
	}
	if inTrust(path) == nil {
		if there, err := os.ReadFile(path); err == nil && bytes.Equal(there, data) {
			return path, nil
		}
	}
	if err := replace(path, data); err != nil {
		return "", err
	}
	return path, inTrust(path)
}

func pathOf(name []string) (string, error) {
	dir := Dir()
	if dir == "" {
		return "", errNone
	}
	return filepath.Join(append([]string{dir}, name...)...), nil
}

// replace writes a file that appears under its name when it is complete.
func replace(path string, parts ...[]byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".new-*")
	if err != nil {
		return err
	}
	for _, part := range parts {
		if _, err = f.Write(part); err != nil {
			break
		}
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}
