package cpu

import "golang.org/x/sys/unix"

// noReserve says that what is not touched is not counted.
const noReserve = unix.MAP_NORESERVE

// hugePages asks for huge pages for what the system has mapped. It has fewer of them to find and to look up, but most systems wait to be
// asked: on one, saxpy on 10^7 f32 by WebAssembly took 10.5 ms without them and 6.9 with them, and a scan 11.0 and 8.0 (2026-11-28).
func hugePages(b []byte) { _ = unix.Madvise(b, unix.MADV_HUGEPAGE) } // Else pages are small.
