//go:build !windows

package cache

import (
	"fmt"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Trusted says why a file or folder may be somebody else's work, if it may: it belongs to neither the user nor root, or others may write
// it.
func Trusted(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	return trusted(path, info)
}

// trusted is Trusted of a file whose information is known.
func trusted(path string, info os.FileInfo) error {
	if info.Mode().Perm()&0o022 != 0 {
		return fmt.Errorf("%s has mode %04o, so that others may write it", path, info.Mode().Perm())
	}
	owner, ok := info.Sys().(*syscall.Stat_t)
	if ok && int(owner.Uid) != os.Geteuid() && owner.Uid != 0 {
		return fmt.Errorf("%s belongs to another user (number %d)", path, owner.Uid)
	}
	return nil
}

// stateOf is what the file system says of a file that tells whether it has been changed, and when that was: see Note [Verified files].
func stateOf(path string) (state string, changed time.Time, err error) {
	var s unix.Stat_t
	if err := unix.Stat(path, &s); err != nil {
		return "", changed, &os.PathError{Op: "stat", Path: path, Err: err}
	}
	state = fmt.Sprint(s.Dev, s.Ino, s.Size, s.Mtim.Nano(), s.Ctim.Nano())
	return state, time.Unix(0, s.Ctim.Nano()), nil
}
