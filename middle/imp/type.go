package imp

import "skald/runtime/prim"

// Type is the type of a variable: a primitive type, Idx or Block.
type Type uint8

// Types that are not primitive.
const (
	// Idx is the type of index arithmetic. In a kernel it has 32 bits unless
	// a launch asks for the wide form; host code has it only as the type of
	// kernel arguments. What does not fit is checked before (Launch.Fits), so
	// its overflow has no meaning; only conversion from i64 to Idx keeps the
	// low bits.
	Idx Type = 0x40 + iota
	// Block is a block of device memory, in host code only.
	Block
)

// Of is the imp type of primitive type p.
func Of(p prim.Type) Type { return Type(p) }

// I64 and Bool are the types of host sizes and of conditions; U32 that of raw
// words.
var (
	I64  = Of(prim.I64)
	Bool = Of(prim.Bool)
	U32  = Of(prim.U32)
	I32  = Of(prim.I32)
)

// IsPrim reports whether t is a primitive type.
func (t Type) IsPrim() bool { return t < Idx }

// Prim is the primitive type that computes like t: i64 stands for Idx and,
// as a handle, for Block.
func (t Type) Prim() prim.Type {
	if t == Idx || t == Block {
		return prim.I64
	}
	return prim.Type(t)
}

// IsInt reports whether t holds integers.
func (t Type) IsInt() bool { return t == Idx || t.IsPrim() && prim.Type(t).IsInt() }

func (t Type) String() string {
	switch t {
	case Idx:
		return "idx"
	case Block:
		return "block"
	}
	return t.Prim().String()
}

// Var is a variable of a function or kernel: an index into its Vars. The
// zero Var means "none".
type Var int32

// VarDecl is a variable's printable base name and type.
type VarDecl struct {
	Name string
	Type Type
}

// Mem is an array that a kernel accesses: an index into its Mems.
type Mem int32

// Space says where a kernel's array lives.
type Space uint8

const (
	// Global arrays are blocks of device memory, which the launch names.
	Global Space = iota
	// Shared arrays belong to a workgroup.
	Shared
	// Private arrays belong to a thread.
	Private
)

// Access says what a kernel does with a global array.
type Access uint8

const (
	// Read only.
	Read Access = iota
	// Write means that elements are stored, and perhaps loaded.
	Write
	// AtomicAccess means that some access is atomic; all others must then
	// be atomic in printed code too.
	AtomicAccess
)

// MemDecl declares an array of a kernel: Count elements of Elem. A global
// array's length is that of its block; a sized one's is what the launch says (Note [Rooms]).
type MemDecl struct {
	Name   string
	Space  Space
	Elem   prim.Type
	Access Access // of global arrays
	Count  int    // of shared and private arrays; 0 if Sized
	Sized  bool   // a shared array whose elements launches count
	// Chunks is the number of buffers that a global array is bound as, where one may not be as large as the array: all but
	// the last hold 2^ChunkLog elements. Below two the array is bound as one.
	Chunks, ChunkLog int
}
