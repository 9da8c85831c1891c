package cpu

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

// reserveMemory returns addresses without memory.
func reserveMemory(size int64) ([]byte, error) {
	at, err := windows.VirtualAlloc(0, uintptr(size), windows.MEM_RESERVE, windows.PAGE_READWRITE)
	if err != nil {
		return nil, err
	}
	return unsafe.Slice((*byte)(*(*unsafe.Pointer)(unsafe.Pointer(&at))), size), nil
}

// mostAddresses is no limit.
func mostAddresses() int64 { return maxAlloc }

// commitMemory asks the system for the memory of a range.
func commitMemory(b []byte) error {
	_, err := windows.VirtualAlloc(address(b), uintptr(len(b)), windows.MEM_COMMIT, windows.PAGE_READWRITE)
	return err
}

// releaseMemory returns the pages that lie in a range to the system.
func releaseMemory(b []byte) {
	if inner := wholePages(b, windows.Getpagesize()); len(inner) > 0 {
		_ = windows.VirtualFree(address(inner), uintptr(len(inner)), windows.MEM_DECOMMIT) // Else they stay.
	}
}

func unreserveMemory(b []byte) { _ = windows.VirtualFree(address(b), 0, windows.MEM_RELEASE) }

func address(b []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b))) }
