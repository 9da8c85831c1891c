package imp

import (
	"encoding/binary"
	"math"

	"skald/runtime/prim"
)

// Code is what a back end makes of a kernel, and how it is called: with the
// kernel's global arrays as buffers, then the failure buffer if Failure is set,
// then a block of parameters.
type Code struct {
	Source string
	Entry  string
	// Offsets are the places of the kernel's parameters in the block, which has
	// Bytes bytes; NumGroups is that of the number of workgroups, a word.
	Offsets   []int
	NumGroups int
	Bytes     int
	// Wide says that Idx parameters have 64 bits.
	Wide bool
	// LongIndices says that the wide form takes indices of 64 bits: its arrays may have WideLimit elements, and more.
	LongIndices bool
	// Immediate says that the block travels with the command that launches, in no buffer.
	Immediate bool
	// Failure says that the kernel takes the failure buffer: see FailureWords.
	Failure bool
	// Declared is the workgroup memory, in bytes, that the text declares.
	Declared int
	// Shared is the workgroup memory, in bytes, that launches must ask for: the text declares none of it. What sized arrays need comes on top
	// (Dynamic).
	Shared int
	// Rooms are the places in the block of the numbers of elements of the kernel's sized arrays, a word each: see Note [Rooms].
	Rooms []int
}

// The failure buffer starts with the number of the failed site plus one, or
// zero; from word FailureValues on are the values, two words each.
const (
	FailureWords  = 32
	FailureValues = 2
)

// Layout places k's parameters in a block as C would: words of 4 and 8 bytes.
// A block's size is a multiple of 16.
func (c *Code) Layout(k *Kernel) {
	at := 0
	place := func(size int) int {
		at = (at + size - 1) / size * size
		at += size
		return at - size
	}
	c.Offsets = make([]int, len(k.Params))
	for i, p := range k.Params {
		size := 4
		if t := k.Vars[p].Type; t == Idx && c.Wide || t != Idx && t.Prim().Bits() == 64 {
			size = 8
		}
		c.Offsets[i] = place(size)
	}
	c.NumGroups = place(4)
	c.Rooms = nil
	for range k.Sized() {
		c.Rooms = append(c.Rooms, place(4))
	}
	c.Bytes = (at + 15) / 16 * 16
}

// Dynamic is the workgroup memory, in bytes, that a launch asks for whose sized arrays have so many elements: whole words, since texts may
// access the word that a smaller element lies in.
func (c *Code) Dynamic(k *Kernel, room []int64) int {
	bytes := c.Shared
	for i, m := range k.Sized() {
		bytes = AlignRoom(bytes) + int(room[i])*k.Mems[m].Elem.Size()
	}
	return wholeWords(bytes)
}

// MostDynamic is the most workgroup memory, in bytes, that a launch may ask for.
func (c *Code) MostDynamic(k *Kernel) int {
	if len(c.Rooms) == 0 {
		return wholeWords(c.Shared)
	}
	return wholeWords(AlignRoom(c.Shared) + k.Room + RoomAlign*(len(c.Rooms)-1))
}

func wholeWords(bytes int) int { return (bytes + 3) / 4 * 4 }

// AlignRoom is where the next sized array may begin behind so many bytes of workgroup memory.
func AlignRoom(bytes int) int { return (bytes + RoomAlign - 1) / RoomAlign * RoomAlign }

// Pack makes the block of parameters for one launch. Args are canonical words.
// A small type is widened to 32 bits, an f16 to an f32. Room counts the elements of
// sized arrays.
func (c *Code) Pack(k *Kernel, args []uint64, groups int64, room ...int64) []byte {
	return c.PackInto(make([]byte, c.Bytes), k, args, groups, room...)
}

// PackInto is Pack into b, which has at least Bytes bytes, zeros between the parameters.
func (c *Code) PackInto(b []byte, k *Kernel, args []uint64, groups int64, room ...int64) []byte {
	b = b[:c.Bytes]
	for i, p := range k.Params {
		at, w := b[c.Offsets[i]:], args[i]
		switch t := k.Vars[p].Type; {
		case t == Idx && c.Wide || t != Idx && t.Prim().Bits() == 64:
			binary.LittleEndian.PutUint64(at, w)
		case t == Of(prim.F16):
			binary.LittleEndian.PutUint32(at, math.Float32bits(prim.HalfToFloat32(uint16(w))))
		default:
			binary.LittleEndian.PutUint32(at, uint32(w))
		}
	}
	binary.LittleEndian.PutUint32(b[c.NumGroups:], uint32(groups))
	for i, at := range c.Rooms {
		binary.LittleEndian.PutUint32(b[at:], uint32(room[i]))
	}
	return b
}

// Unpack is the inverse of Pack, for devices that take kernels as they are.
func (c *Code) Unpack(k *Kernel, b []byte) (args []uint64, groups int64, room []int64) {
	args = make([]uint64, len(k.Params))
	for i, p := range k.Params {
		at, t := b[c.Offsets[i]:], k.Vars[p].Type
		switch {
		case t == Idx && c.Wide || t != Idx && t.Prim().Bits() == 64:
			args[i] = binary.LittleEndian.Uint64(at)
		case t == Idx:
			args[i] = uint64(int32(binary.LittleEndian.Uint32(at)))
		case t == Of(prim.F16):
			args[i] = uint64(prim.HalfFromFloat32(math.Float32frombits(binary.LittleEndian.Uint32(at))))
		default:
			args[i] = prim.FromWord(t.Prim(), uint64(binary.LittleEndian.Uint32(at))).Word()
		}
	}
	for _, at := range c.Rooms {
		room = append(room, int64(binary.LittleEndian.Uint32(b[at:])))
	}
	return args, int64(binary.LittleEndian.Uint32(b[c.NumGroups:])), room
}
