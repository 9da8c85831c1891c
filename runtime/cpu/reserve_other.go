//go:build unix && !linux

package cpu

const noReserve = 0

// hugePages does nothing: other systems choose the sizes of pages themselves.
func hugePages([]byte) {}
