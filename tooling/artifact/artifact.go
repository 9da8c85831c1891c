// Package artifact writes the files that tools make: results of benchmarks, pages, pictures. A file appears under its name when it is
// complete, or not at all; what was there before is kept until then. It imports nothing of ours.
package artifact

import (
	"errors"
	"io"
	"os"
	"path/filepath"
)

// Write writes a file, whose contents write writes. What is no ordinary file, such as /dev/stdout, is written to directly.
func Write(path string, write func(w io.Writer) error) (err error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return errors.Join(write(f), f.Close())
	}
	mode := os.FileMode(0o644)
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm()
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return renamed(err, path)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	if err := errors.Join(write(f), f.Chmod(mode), f.Close()); err != nil {
		return renamed(err, path)
	}
	return renamed(os.Rename(f.Name(), path), path)
}

// WriteText writes a file with a text.
func WriteText(path, text string) error {
	return Write(path, func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
}

// renamed is an error about the temporary file as one about the file that was asked for.
func renamed(err error, path string) error {
	var failed *os.PathError
	var moved *os.LinkError
	switch {
	case errors.As(err, &failed):
		return &os.PathError{Op: "write", Path: path, Err: failed.Err}
	case errors.As(err, &moved):
		return &os.PathError{Op: "write", Path: path, Err: moved.Err}
	default:
		return err
	}
}
