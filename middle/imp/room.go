package imp

import (
	"math/bits"
	"slices"

	"skald/runtime/prim"
)

// Note [Rooms]
//
// The arrays of a workgroup may have sizes that are known only when a kernel is launched. Such arrays are sized: each launch counts their
// elements (Launch.Room), and the kernel says how many bytes there are for all of them together (Kernel.Room), each array rounded up to
// RoomAlign bytes. Host code checks that they fit before it launches.
//
// Some devices take the sizes with each launch: CUDA has dynamic workgroup memory, and the evaluator allocates what the launch says, no
// element more. For them a kernel has one text, whose block of parameters ends with the counts (Code.Rooms). Elsewhere the text declares
// arrays of constant sizes, and is compiled for each: InRoom makes the form of a kernel for sizes that RoomFor has rounded up, so that
// there are few forms. Which form a launch takes the run time decides: Note [Forms of rooms] in runtime/host.

// RoomAlign is what sized arrays are aligned to in workgroup memory.
const RoomAlign = 16

// Sized lists the arrays of a kernel whose sizes launches give.
func (k *Kernel) Sized() []Mem {
	var out []Mem
	for i, m := range k.Mems {
		if m.Sized {
			out = append(out, Mem(i))
		}
	}
	return out
}

// InRoom is k with sized arrays of so many elements each, which are no longer sized.
func InRoom(k *Kernel, counts []int64) *Kernel {
	out := *k
	out.Room, out.Mems = 0, slices.Clone(k.Mems)
	for i, m := range k.Sized() {
		out.Mems[m].Sized, out.Mems[m].Count = false, int(max(counts[i], 1))
	}
	return &out
}

// LargestRoom is the form of k that takes all the workgroup memory that there is for it, in equal parts; k itself if it has no sized
// arrays.
func LargestRoom(k *Kernel) *Kernel {
	sized := k.Sized()
	if len(sized) == 0 {
		return k
	}
	counts := make([]int64, len(sized))
	for i, m := range sized {
		counts[i] = int64(k.Room / len(sized) / roomBytes(k.Mems[m].Elem))
	}
	return InRoom(k, counts)
}

// leastRoom is the least workgroup memory of a form in which sizes are constants. Memory that is not used costs time: WebGPU clears it.
const leastRoom = 1 << 10

// fineRoom is where memory that is not used costs most: fewer workgroups run side by side. With 24 KiB each the 512 rows of fft are on the
// device at once, and took 47 µs; with 32 KiB they took 73 (H200, 2026-11-22).
const fineRoom = 16 << 10

// paddedRoom is from where a sixteenth more is a size, too: for arrays of a power of two of elements with some unused between them.
const paddedRoom = 4 << 10

// moreRoom is the next larger size that an array is rounded up to: twice as much, and half of that between where it matters; and, each
// time, a sixteenth more.
func moreRoom(bytes int64) int64 {
	if bytes >= paddedRoom && bytes%17 != 0 {
		return bytes + bytes/16
	}
	if bytes%17 == 0 {
		bytes = bytes / 17 * 16
	}
	power := int64(1) << (bits.Len64(uint64(bytes)) - 1)
	switch {
	case bytes < fineRoom:
		return 2 * bytes
	case bytes == power:
		return bytes + bytes/2
	default:
		return 2 * power
	}
}

// RoomFor is how many elements the sized arrays of k have in the form for a launch that needs counts of them: each rounded up, or,
// if that is more than there is, what WholeRoom says.
func (k *Kernel) RoomFor(counts []int64) []int64 {
	sized := k.Sized()
	out, total := make([]int64, len(sized)), int64(0)
	for i, m := range sized {
		size := int64(roomBytes(k.Mems[m].Elem))
		bytes := int64(leastRoom / powerUp(len(sized)))
		for bytes < counts[i]*size && bytes < int64(k.Room) {
			bytes = moreRoom(bytes)
		}
		out[i] = bytes / size
		total += bytes
	}
	if total > int64(k.Room) {
		return k.WholeRoom(counts)
	}
	return out
}

// powerUp is the smallest power of two that is not less than n.
func powerUp(n int) int { return 1 << bits.Len(uint(n-1)) }

// roomParts is how many parts WholeRoom divides the room into.
const roomParts = 16

// WholeRoom divides all memory for the sized arrays of k among them, in sixteenths, by what a launch needs that needs counts of them: the
// largest has what the others leave.
func (k *Kernel) WholeRoom(counts []int64) []int64 {
	sized := k.Sized()
	out := make([]int64, len(sized))
	part := int64(k.Room / roomParts / RoomAlign * RoomAlign)
	largest, need := 0, make([]int64, len(sized))
	fill := func(unit int64) (left int64) {
		left = int64(k.Room)
		for i, m := range sized {
			need[i] = counts[i] * int64(roomBytes(k.Mems[m].Elem))
			out[i] = max((need[i]+unit-1)/unit, 1) * unit
			left -= out[i]
			if need[i] > need[largest] {
				largest = i
			}
		}
		return left
	}
	left := fill(max(part, RoomAlign))
	if left < 0 { // No sixteenth is to spare.
		left = fill(RoomAlign)
	}
	out[largest] += max(left, 0)
	for i, m := range sized {
		out[i] /= int64(roomBytes(k.Mems[m].Elem))
	}
	return out
}

// InRooms reports whether arrays of so many elements have room where there is room for others.
func InRooms(counts, room []int64) bool {
	for i, n := range counts {
		if n > room[i] {
			return false
		}
	}
	return true
}

// roomBytes is how many bytes an element takes where text has constant sizes: small ones have a word each.
func roomBytes(t prim.Type) int { return max(t.Size(), 4) }
