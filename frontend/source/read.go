package source

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// MaxBytes is the size of the largest file that is read as a program.
const MaxBytes = 64 << 20

// ReadFile reads a file of a program. Only an ordinary file of at most MaxBytes is one: a pipe may keep its reader waiting for ever, and
// a device need not end.
func ReadFile(path string) (text string, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	if err := ordinary(path, info); err != nil {
		return "", err
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	// What lies under the name may have been exchanged, and files of /proc have more bytes than they say.
	if info, err = f.Stat(); err == nil {
		err = ordinary(path, info)
	}
	if err != nil {
		return "", err
	}
	return ReadAll(path, f)
}

// ReadAll reads a program from a stream, of which messages tell the name.
func ReadAll(name string, r io.Reader) (string, error) {
	data, err := io.ReadAll(io.LimitReader(r, MaxBytes+1))
	if err == nil && len(data) > MaxBytes {
		err = tooLarge(name)
	}
	return string(data), err
}

// ordinary says why a file is not read as a program, if it is not.
func ordinary(path string, info os.FileInfo) error {
	mode := info.Mode()
	switch {
	case mode.IsDir():
		return fmt.Errorf("read %s: is a directory", path)
	case mode&os.ModeNamedPipe != 0:
		return fmt.Errorf("%s is a pipe, not an ordinary file", path)
	case mode&os.ModeSocket != 0:
		return fmt.Errorf("%s is a socket, not an ordinary file", path)
	case !mode.IsRegular():
		return fmt.Errorf("%s is a device, not an ordinary file", path)
	case info.Size() > MaxBytes:
		return tooLarge(path)
	}
	return nil
}

func tooLarge(path string) error {
	return fmt.Errorf("%s is larger than %d MiB, the most that a program may have", path, MaxBytes>>20)
}
