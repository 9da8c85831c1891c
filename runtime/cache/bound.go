package cache

import (
	"os"
	"path/filepath"
	"slices"
)

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
