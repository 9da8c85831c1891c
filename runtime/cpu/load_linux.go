package cpu

import (
	"fmt"
	"math/bits"
	"os"
	"strings"
	"sync/atomic"

	"golang.org/x/sys/unix"

	"skald/runtime/dynlib"
)

// loaded counts libraries, each of which has a path of its own.
var loaded atomic.Uint32

// loadCode loads a shared library that is in memory. No file of the file system is opened: it might be another one by then.
func loadCode(code []byte) (dynlib.Library, error) {
	fd, err := unix.MemfdCreate("skald", unix.MFD_CLOEXEC)
	if err != nil {
		return loadFile(code)
	}
	f := os.NewFile(uintptr(fd), "skald")
	defer f.Close() //nolint:errcheck // what is loaded stays
	if _, err := f.Write(code); err != nil {
		return dynlib.Library{}, err
	}
	lib, err := dynlib.Open(uniquePath(fd), dynlib.Private)
	if err != nil {
		return loadFile(code) // A system may forbid to run such files.
	}
	return lib, nil
}

// uniquePath is a path of a file that is open, other than that of any library: the loader takes libraries of one path to be one, and the
// numbers of closed files are used again.
func uniquePath(fd int) string {
	n := loaded.Add(1)
	var b strings.Builder
	for i := range bits.Len32(n) {
		b.WriteString([]string{"/", "./"}[n>>i&1])
	}
	return fmt.Sprintf("/proc/self/fd/%s%d", b.String(), fd)
}
