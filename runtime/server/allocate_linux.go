package server

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// allocate sets the size of a file, with room on the disk, so that a full disk is an error here and not a fault when the memory is written.
func allocate(f *os.File, size int64) error {
	err := unix.Fallocate(int(f.Fd()), 0, 0, size)
	if errors.Is(err, unix.EOPNOTSUPP) || errors.Is(err, unix.ENOSYS) {
		return f.Truncate(size)
	}
	return err
}
