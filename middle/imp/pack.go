package imp

import "skald/runtime/prim"

// Note [Words of buffers]
// ~~~~~~~~~~~~~~~~~~~~~~~
// A device that binds few buffers to a kernel is given several arrays as one: a large buffer in which they lie (Note [Arenas] of package
// host). Their elements have one size, and perhaps different types, so the kernel sees unsigned numbers of that size and makes of them what
// each array holds:
//
//	@ys_1[i_2] = mul.f32(@xs_0[i_2], 2f32)
//
// becomes, with xs and ys in one buffer,
//
//	@words_0[add.idx(ys_at_4, i_2)] = to_bits.f32(mul.f32(from_bits.f32(@words_0[add.idx(xs_at_3, i_2)]), 2f32))
//
// Atomic operations whose result depends on the type are a compare and swap of the number. An array begins at a multiple of 256 bytes of
// its buffer, so vectors stay aligned, and no two arrays share a word.

// PackMems is a copy of k in which several global arrays lie in one buffer: into[i] is the first of the arrays that array i lies with, or
// i if it has a buffer of its own. Each that lies with others begins at an element that is a new parameter of the kernel; these
// follow the others in the order of the arrays. See Note [Words of buffers].
func PackMems(k *Kernel, into []int) *Kernel {
	out := *k
	out.Vars, out.Params, out.Mems = append([]VarDecl(nil), k.Vars...), append([]Var(nil), k.Params...), nil
	p := &packer{k: &out, mems: k.Mems, to: make([]Mem, len(k.Mems)), first: make([]Exp, len(k.Mems))}
	p.parts = Mapper{Exp: p.exp, Mem: func(m Mem) Mem { return p.to[m] }, Index: p.index, Body: p.stms}
	members := make([]int, len(k.Mems))
	for _, first := range into {
		members[first]++
	}
	for i, m := range k.Mems {
		if i < len(into) && members[into[i]] > 1 {
			at := out.Fresh(m.Name+"_at", Idx)
			out.Params = append(out.Params, at)
			p.first[i] = &VarExp{at}
			if into[i] != i {
				p.to[i] = p.to[into[i]]
				d := &out.Mems[p.to[i]]
				d.Access = max(d.Access, m.Access)
				continue
			}
			m.Elem = wordOf(m.Elem)
			m.Name = wordNames[m.Elem]
		}
		p.to[i] = Mem(len(out.Mems))
		out.Mems = append(out.Mems, m)
	}
	out.Body = p.stms(k.Body)
	return &out
}

// wordNames are the names of buffers that hold arrays, by the numbers that a kernel sees in them.
var wordNames = map[prim.Type]string{prim.U8: "bytes", prim.U16: "halves", prim.U32: "words", prim.U64: "longs"}

// wordOf is the unsigned number that has as many bytes as an element of type t.
func wordOf(t prim.Type) prim.Type {
	for _, w := range []prim.Type{prim.U8, prim.U16, prim.U32} {
		if w.Size() == t.Size() {
			return w
		}
	}
	return prim.U64
}

// packer copies the code of a kernel.
type packer struct {
	k     *Kernel   // the copy
	mems  []MemDecl // of the original
	to    []Mem     // by number in the original
	first []Exp     // where an array begins in its buffer, by number in the original; nil for one that has its own
	parts Mapper
}

// index is an index of array m of the original.
func (p *packer) index(m Mem, e Exp) Exp {
	e = p.exp(e)
	if p.first[m] == nil {
		return e
	}
	return &Bin{prim.Add, Idx, p.first[m], e}
}

// fromWord is the value of type t that a number stands for.
func fromWord(t prim.Type, word Exp) Exp {
	w := wordOf(t)
	switch {
	case t == w:
		return word
	case t.IsFloat():
		return &CallFunc{prim.FromBits, t, []Exp{word}}
	case t == prim.Bool:
		return &Cmp{prim.Ne, Of(w), word, &Const{Of(w), prim.Zero(w)}}
	}
	return &Conv{Of(w), Of(t), word}
}

// toWord is the inverse of fromWord.
func toWord(t prim.Type, value Exp) Exp {
	switch w := wordOf(t); {
	case t == w:
		return value
	case t.IsFloat():
		return &CallFunc{prim.ToBits, t, []Exp{value}}
	default:
		return &Conv{Of(t), Of(w), value}
	}
}

func (p *packer) exp(e Exp) Exp {
	out := e.parts(p.parts)
	if l, ok := e.(*Load); ok && p.first[l.Mem] != nil {
		return fromWord(p.mems[l.Mem].Elem, out)
	}
	return out
}

func (p *packer) stms(body []Stm) []Stm {
	out := make([]Stm, 0, len(body))
	for _, s := range body {
		n := s.parts(p.parts)
		if mem, ok := accessed(s); ok && p.first[mem] != nil {
			out = append(out, p.access(p.mems[mem].Elem, n)...)
		} else {
			out = append(out, n)
		}
	}
	return out
}

// access is an access to values of type t in the words of a buffer. The statement is nobody else's.
func (p *packer) access(t prim.Type, out Stm) []Stm {
	switch s := MatchStm(out).(type) {
	case *Store:
		s.Value = toWord(t, s.Value)
	case *LoadVec:
		return p.loadVec(t, s)
	case *StoreVec:
		return p.storeVec(t, s)
	case *Atomic:
		return p.atomic(t, s)
	case *AtomicUpdate:
		word := p.k.Fresh("word", Of(wordOf(t)))
		s.Body = append([]Stm{&Let{s.Old, fromWord(t, &VarExp{word})}}, s.Body...)
		s.Old, s.New = word, toWord(t, s.New)
	default:
	}
	return []Stm{out}
}

// accessed is the array that a statement itself reads or writes; ok is false if it does neither.
func accessed(s Stm) (m Mem, ok bool) {
	switch s := MatchStm(s).(type) {
	case *Store:
		return s.Mem, true
	case *LoadVec:
		return s.Mem, true
	case *StoreVec:
		return s.Mem, true
	case *Atomic:
		return s.Mem, true
	case *AtomicUpdate:
		return s.Mem, true
	default:
	}
	return 0, false
}

// loadVec loads the elements of a vector one by one: other arrays of the buffer may be accessed otherwise.
func (p *packer) loadVec(t prim.Type, s *LoadVec) []Stm {
	at := p.k.Fresh("at", Idx)
	out := []Stm{&Let{at, s.Index}}
	for i, v := range s.Vars {
		out = append(out, &Let{v, fromWord(t, &Load{Mem: s.Mem, Index: element(at, i)})})
	}
	return out
}

// storeVec is the inverse of loadVec, with all values computed before the first is stored. The words that the vector fills belong to the
// thread.
func (p *packer) storeVec(t prim.Type, s *StoreVec) []Stm {
	at := p.k.Fresh("at", Idx)
	out := []Stm{&Let{at, s.Index}}
	whole := len(s.Values)*t.Size()%4 == 0
	var stores []Stm
	for i, x := range s.Values {
		v := p.k.Fresh("value", Of(t))
		out = append(out, &Let{v, x})
		stores = append(stores, &Store{s.Mem, element(at, i), toWord(t, &VarExp{v}), whole})
	}
	return append(out, stores...)
}

// element is the index of element i of a vector.
func element(at Var, i int) Exp {
	return &Bin{prim.Add, Idx, &VarExp{at}, &Const{Idx, prim.MakeI64(int64(i))}}
}

// atomic is an atomic operation on values of type t. It is one on numbers where it does the same to them, as sums of signed integers do.
func (p *packer) atomic(t prim.Type, s *Atomic) []Stm {
	if s.Op == AtomicExchange || t.IsInt() && s.Op != AtomicMin && s.Op != AtomicMax {
		s.Value = toWord(t, s.Value)
		if s.Old == 0 {
			return []Stm{s}
		}
		word := p.k.Fresh("word", Of(wordOf(t)))
		old := &Let{s.Old, fromWord(t, &VarExp{word})}
		s.Old = word
		return []Stm{s, old}
	}
	word, value := p.k.Fresh("word", Of(wordOf(t))), p.k.Fresh("value", Of(t))
	op, _ := s.Op.Operator(t)
	update := &AtomicUpdate{
		Old: word, Mem: s.Mem, Index: s.Index,
		New: toWord(t, &Bin{op, Of(t), fromWord(t, &VarExp{word}), &VarExp{value}}),
	}
	out := []Stm{&Let{value, s.Value}}
	if s.Old != 0 { // What the last round of the loop found is what was there.
		out = append(out, &Let{s.Old, &Const{Of(t), prim.Zero(t)}})
		update.Body = []Stm{&Set{s.Old, fromWord(t, &VarExp{word})}}
	}
	return append(out, update)
}
