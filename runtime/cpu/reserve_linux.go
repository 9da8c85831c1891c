package cpu

import "golang.org/x/sys/unix"

// noReserve says that what is not touched is not counted.
const noReserve = unix.MAP_NORESERVE
