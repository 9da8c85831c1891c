package device

import (
	"os"
	"path/filepath"
)

// CacheDir is skald's cache, where the fetching scripts put libraries and drivers
// and where devices keep machine code and probe results: $SKALD_CACHE, else skald
// under $XDG_CACHE_HOME or ~/.cache. It may not exist yet; empty if there is no
// home directory.
func CacheDir() string {
	if dir := os.Getenv("SKALD_CACHE"); dir != "" {
		return dir
	}
	if dir := os.Getenv("XDG_CACHE_HOME"); dir != "" {
		return filepath.Join(dir, "skald")
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return filepath.Join(home, ".cache", "skald")
}

// ReadCached returns a file of the cache, nil if it is not there.
func ReadCached(name ...string) []byte {
	dir := CacheDir()
	if dir == "" {
		return nil
	}
	data, err := os.ReadFile(filepath.Join(append([]string{dir}, name...)...))
	if err != nil {
		return nil
	}
	return data
}

// WriteCached puts a file into the cache, whole or not at all, and returns its
// path. A cache that cannot be written to is an error that callers may ignore.
func WriteCached(data []byte, name ...string) (string, error) {
	dir := CacheDir()
	if dir == "" {
		return "", os.ErrNotExist
	}
	path := filepath.Join(append([]string{dir}, name...)...)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return "", err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".new-*")
	if err != nil {
		return "", err
	}
	_, err = f.Write(data)
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // The first error is the one to report.
		return "", err
	}
	return path, nil
}
