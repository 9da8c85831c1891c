package imp

import "skald/runtime/prim"

// Alloc makes a block of Count elements with undefined contents. Where Count is a product, it fails if that is not an i64.
type Alloc struct {
	Var   Var
	Elem  prim.Type
	Count Exp
	// Mapped: the launches behind, up to the first reading, write the block, and only host code reads it, so that it may lie in memory
	// of the host that the device can write.
	Mapped bool
}

func (*Alloc) isHost()              {}
func (s *Alloc) exps() []Exp        { return []Exp{s.Count} }
func (*Alloc) bodies() [][]Stm      { return nil }
func (s *Alloc) binds() []Var       { return []Var{s.Var} }
func (s *Alloc) parts(m Mapper) Stm { return &Alloc{s.Var, s.Elem, m.exp(s.Count), s.Mapped} }
func (*Alloc) blocks() []Var        { return nil }

// Free says that nothing uses a block any more through this variable.
type Free struct{ Var Var }

func (*Free) isHost()            {}
func (*Free) exps() []Exp        { return nil }
func (*Free) bodies() [][]Stm    { return nil }
func (*Free) binds() []Var       { return nil }
func (s *Free) parts(Mapper) Stm { return s }
func (s *Free) blocks() []Var    { return []Var{s.Var} }

// Copy copies Count elements between blocks; the ranges do not overlap.
type Copy struct {
	Elem   prim.Type
	Dst    Var
	DstOff Exp
	Src    Var
	SrcOff Exp
	Count  Exp
}

func (*Copy) isHost()         {}
func (s *Copy) exps() []Exp   { return []Exp{s.DstOff, s.SrcOff, s.Count} }
func (*Copy) bodies() [][]Stm { return nil }
func (*Copy) binds() []Var    { return nil }

func (s *Copy) parts(m Mapper) Stm {
	return &Copy{s.Elem, s.Dst, m.exp(s.DstOff), s.Src, m.exp(s.SrcOff), m.exp(s.Count)}
}

func (s *Copy) blocks() []Var { return []Var{s.Dst, s.Src} }

// Fill sets Count elements of a block, from the Off-th on, to Value.
type Fill struct {
	Elem       prim.Type
	Block      Var
	Off, Count Exp
	Value      Exp
}

func (*Fill) isHost()         {}
func (s *Fill) exps() []Exp   { return []Exp{s.Off, s.Count, s.Value} }
func (*Fill) bodies() [][]Stm { return nil }
func (*Fill) binds() []Var    { return nil }
func (s *Fill) parts(m Mapper) Stm {
	return &Fill{s.Elem, s.Block, m.exp(s.Off), m.exp(s.Count), m.exp(s.Value)}
}
func (s *Fill) blocks() []Var { return []Var{s.Block} }

// Data makes a block that holds the given elements. The block is shared by all
// runs of the statement and never written.
type Data struct {
	Var  Var
	Elem prim.Type
	// Bytes holds the elements, little-endian, a bool or i8 in one byte.
	Bytes []byte
}

func (*Data) isHost()            {}
func (*Data) exps() []Exp        { return nil }
func (*Data) bodies() [][]Stm    { return nil }
func (s *Data) binds() []Var     { return []Var{s.Var} }
func (s *Data) parts(Mapper) Stm { return s }
func (*Data) blocks() []Var      { return nil }

// ReadScalar waits for the device and reads one element of a block.
type ReadScalar struct {
	Var   Var
	Elem  prim.Type
	Block Var
	Index Exp
}

func (*ReadScalar) isHost()              {}
func (s *ReadScalar) exps() []Exp        { return []Exp{s.Index} }
func (*ReadScalar) bodies() [][]Stm      { return nil }
func (s *ReadScalar) binds() []Var       { return []Var{s.Var} }
func (s *ReadScalar) parts(m Mapper) Stm { return &ReadScalar{s.Var, s.Elem, s.Block, m.exp(s.Index)} }
func (s *ReadScalar) blocks() []Var      { return []Var{s.Block} }

// WriteScalar writes one element of a block.
type WriteScalar struct {
	Elem  prim.Type
	Block Var
	Index Exp
	Value Exp
}

func (*WriteScalar) isHost()         {}
func (s *WriteScalar) exps() []Exp   { return []Exp{s.Index, s.Value} }
func (*WriteScalar) bodies() [][]Stm { return nil }
func (*WriteScalar) binds() []Var    { return nil }
func (s *WriteScalar) parts(m Mapper) Stm {
	return &WriteScalar{s.Elem, s.Block, m.exp(s.Index), m.exp(s.Value)}
}
func (s *WriteScalar) blocks() []Var { return []Var{s.Block} }

// Launch runs a kernel on Groups workgroups; none when Groups is not
// positive. Args are the values of its parameters and Blocks those of its
// global arrays; Room counts the elements of its sized arrays, each an i64
// (Note [Rooms]). When one of Fits, each an i64, is 2^30 or more, 32-bit index
// arithmetic could overflow, and the wide form of the kernel runs: see Note [Wide kernels].
type Launch struct {
	Kernel string
	Groups Exp
	Args   []Exp
	Blocks []Var
	Room   []Exp
	Fits   []Exp
}

func (*Launch) isHost() {}

func (s *Launch) exps() []Exp {
	es := append([]Exp{s.Groups}, s.Args...)
	return append(append(es, s.Room...), s.Fits...)
}

func (*Launch) bodies() [][]Stm { return nil }
func (*Launch) binds() []Var    { return nil }

func (s *Launch) parts(m Mapper) Stm {
	return &Launch{s.Kernel, m.exp(s.Groups), m.exps(s.Args), s.Blocks, m.exps(s.Room), m.exps(s.Fits)}
}

func (s *Launch) blocks() []Var { return s.Blocks }

// GetConst binds a constant of the program: result number Index of the function
// Prog.Init.
type GetConst struct {
	Var   Var
	Index int
}

func (*GetConst) isHost()            {}
func (*GetConst) exps() []Exp        { return nil }
func (*GetConst) bodies() [][]Stm    { return nil }
func (s *GetConst) binds() []Var     { return []Var{s.Var} }
func (s *GetConst) parts(Mapper) Stm { return s }
func (*GetConst) blocks() []Var      { return nil }

// GetTune binds a tuning parameter, an i64: number Index of Prog.Tunes.
type GetTune struct {
	Var   Var
	Index int
}

func (*GetTune) isHost()            {}
func (*GetTune) exps() []Exp        { return nil }
func (*GetTune) bodies() [][]Stm    { return nil }
func (s *GetTune) binds() []Var     { return []Var{s.Var} }
func (s *GetTune) parts(Mapper) Stm { return s }
func (*GetTune) blocks() []Var      { return nil }

// Call calls a host function. Where more calls are nested than there is room for, it fails at Site, whose one value, an i64, is their
// number.
type Call struct {
	Dst  []Var
	Fun  string
	Args []Exp
	Site SiteID
}

func (*Call) isHost()              {}
func (s *Call) exps() []Exp        { return s.Args }
func (*Call) bodies() [][]Stm      { return nil }
func (s *Call) binds() []Var       { return s.Dst }
func (s *Call) parts(m Mapper) Stm { return &Call{s.Dst, s.Fun, m.exps(s.Args), s.Site} }
func (*Call) blocks() []Var        { return nil }
