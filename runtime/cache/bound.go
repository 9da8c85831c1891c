package cache

import (
	"crypto/sha256"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// looksIn is in how many entries of a folder one makes Keep look at the whole folder, which takes a millisecond for a few hundred files.
const looksIn = 64

// Keep is Write for an entry of a folder that is to have no more than a number of bytes. The folder is bounded now and then: when the
// entry's name says so, as one in looksIn does.
func Keep(data []byte, most int64, name ...string) error {
	if err := Write(data, name...); err != nil {
		return err
	}
	if sum := sha256.Sum256([]byte(strings.Join(name, "/"))); sum[0]%looksIn != 0 {
		return nil
	}
	return Bound(most, name[:len(name)-1]...)
}

// Bound removes the oldest files of a folder of the cache until the rest has no more than a number of bytes.
func Bound(most int64, name ...string) error {
	dir, err := pathOf(name)
	if err != nil {
		return err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	var files []os.FileInfo
	total := int64(0)
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() { // One that is gone meanwhile needs no room.
			files = append(files, info)
			total += info.Size()
		}
	}
	slices.SortFunc(files, func(a, b os.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })
	for _, f := range files {
		if total <= most {
			return nil
		}
		if err := os.Remove(filepath.Join(dir, f.Name())); err != nil && !os.IsNotExist(err) {
			return err
		}
		total -= f.Size()
	}
	return nil
}
