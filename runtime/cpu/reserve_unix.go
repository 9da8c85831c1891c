//go:build unix

package cpu

import "golang.org/x/sys/unix"

// reserveMemory returns addresses, for which there is memory once they are touched.
func reserveMemory(size int64) ([]byte, error) {
	b, err := unix.Mmap(-1, 0, int(size), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE|noReserve)
	if err == nil {
		hugePages(b)
	}
	return b, err
}

// mostAddresses is how many bytes of addresses may be reserved: a quarter of what the process may have, if that is limited (ulimit -v).
func mostAddresses() int64 {
	var l unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_AS, &l) != nil || l.Cur > maxAlloc {
		return maxAlloc
	}
	return int64(l.Cur / 4)
}

// commitMemory has nothing to do: a page is there when it is touched.
func commitMemory([]byte) error { return nil }

// releaseMemory returns the pages that lie in a range to the system.
func releaseMemory(b []byte) {
	if inner := wholePages(b, unix.Getpagesize()); len(inner) > 0 {
		_ = unix.Madvise(inner, unix.MADV_DONTNEED) // Else they stay.
	}
}

func unreserveMemory(b []byte) { _ = unix.Munmap(b) }
