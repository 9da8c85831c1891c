package cpu

import "unsafe"

// bytesOf is the storage of words as size bytes, aligned to eight.
func bytesOf(words []uint64, size int64) []byte {
	if size == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), size)
}
