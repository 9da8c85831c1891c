//go:build unix

package server

import (
	"os"

	"golang.org/x/sys/unix"
)

// mapFile maps the first n bytes of a file. What is written to the memory goes to the file if that is wanted, and nowhere else if not.
func mapFile(f *os.File, n int, write bool) ([]byte, error) {
	flags := unix.MAP_PRIVATE
	if write {
		flags = unix.MAP_SHARED
	}
	return unix.Mmap(int(f.Fd()), 0, n, unix.PROT_READ|unix.PROT_WRITE, flags)
}

func unmapFile(data []byte) error { return unix.Munmap(data) }

// gone waits until nobody reads what is written to f any more, and calls f then; or until stop is closed.
func gone(f *os.File, stop <-chan struct{}, then func()) {
	fds := []unix.PollFd{{Fd: int32(f.Fd())}}
	for {
		select {
		case <-stop:
			return
		default:
		}
		n, err := unix.Poll(fds, pollMillis)
		if err == nil && n > 0 {
			if fds[0].Revents&(unix.POLLERR|unix.POLLHUP) != 0 {
				then()
			}
			return // a file, or something else that is never gone
		}
		if err != nil && err != unix.EINTR {
			return
		}
	}
}

// pollMillis is how soon a stop is noticed.
const pollMillis = 200
