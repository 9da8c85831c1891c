package wgsl

import (
	"fmt"
	"math"
	"math/bits"

	"skald/middle/imp"
	"skald/runtime/prim"
)

// form is how an array is declared and accessed.
type form struct {
	kind formKind
	elem string // WGSL's element type
	n    int    // elements a WGSL element holds, when it is a vector or word
}

// formKind says how elements lie in a WGSL array.
type formKind uint8

const (
	plainForm  formKind = iota // one after the other, as registers hold them
	wordForm                   // narrower than a word and packed, never written singly
	vecForm                    // as vectors, of words if packed or 64-bit
	atomicForm                 // 32-bit numbers: atomic<i32>, atomic<u32> or, for additions only, atomic<f32>
	bitsForm                   // f32 or f16: the bits in an atomic<u32>
	packedForm                 // narrower than a word and packed, in atomic<u32>
	pairForm                   // 64 bits in two atomic<u32>
	longForm                   // 64 bits in an atomic<u64>
	flagForm                   // a bool in a u32: see Note [Bools in workgroup memory]
)

// Note [Bools in workgroup memory]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// No array of a kernel has elements of type bool. In global memory WGSL forbids it; in workgroup memory NVIDIA's driver,
// through wgpu-native and Vulkan, computes wrong values with it: a tree of conjunctions of 256 true elements is false.
// So a bool takes a u32 there, and in a thread's own arrays too. TestNoArrayHoldsBools holds it for each type and access.

// uses is what a kernel does with an array.
type uses struct {
	load, store, atomic, update bool
	vecs                        map[int]bool // widths of vector accesses
	vecStore                    bool
	notAdd                      bool // some atomic operation is no addition
}

// findUses collects the accesses to each array.
func (p *printer) findUses() []uses {
	us := make([]uses, len(p.Kernel.Mems))
	for i := range us {
		us[i].vecs = map[int]bool{}
	}
	imp.Walk(p.Kernel.Body, func(s imp.Stm) bool {
		imp.WalkExps(s, func(e imp.Exp) {
			if l, ok := e.(*imp.Load); ok {
				us[l.Mem].load = true
			}
		})
		k, ok := s.(imp.KernelStm)
		if !ok {
			return true
		}
		switch s := k.(type) {
		case *imp.Store:
			us[s.Mem].store = us[s.Mem].store || !s.Own || !p.packed(p.Kernel.Mems[s.Mem].Elem)
		case *imp.LoadVec:
			us[s.Mem].vecs[len(s.Vars)] = true
		case *imp.StoreVec:
			us[s.Mem].vecs[len(s.Values)] = true
			us[s.Mem].vecStore = true
		case *imp.Atomic:
			us[s.Mem].atomic = true
			us[s.Mem].notAdd = us[s.Mem].notAdd || s.Op != imp.AtomicAdd
		case *imp.AtomicUpdate:
			us[s.Mem].update = true
		case *imp.UniformLoad:
			us[s.Mem].load = true
		case *imp.Barrier, *imp.Subgroup, *imp.SubgroupUpdate, *imp.Invoke:
		}
		return true
	})
	return us
}

// chooseForms decides how each array is declared.
func (p *printer) chooseForms() {
	p.forms = make([]form, len(p.Kernel.Mems))
	for i, u := range p.findUses() {
		p.forms[i] = p.chooseForm(p.Kernel.Mems[i], u)
	}
}

func (p *printer) chooseForm(m imp.MemDecl, u uses) form {
	packed := m.Space == imp.Global && p.packed(m.Elem)
	switch {
	case u.atomic || u.update:
		return p.atomicFormOf(m, packed, u)
	case packed && u.store: // also when a vector is stored elsewhere
		return form{packedForm, "atomic<u32>", 4 / m.Elem.Size()}
	case m.Space == imp.Shared && m.Elem.Bits() == 32 && len(u.vecs) == 1 && !u.store && !u.load:
		for n := range u.vecs {
			if f, ok := p.vecFormOf(m.Elem, n); ok {
				return f
			}
		}
	case m.Space == imp.Global && len(u.vecs) == 1 && (!u.store || u.vecStore):
		for n := range u.vecs {
			if f, ok := p.vecFormOf(m.Elem, n); ok {
				return f
			}
		}
	}
	if packed && u.vecStore { // of less than a word
		return form{packedForm, "atomic<u32>", 4 / m.Elem.Size()}
	}
	if packed {
		return form{wordForm, "u32", 4 / m.Elem.Size()}
	}
	if m.Elem == prim.Bool {
		return form{flagForm, "u32", 1}
	}
	return form{plainForm, p.RegType(imp.Of(m.Elem)), 1}
}

// vecFormOf is the form of an array that is read and written n elements at a
// time.
func (p *printer) vecFormOf(t prim.Type, n int) (form, bool) {
	words := n * t.Size() / 4
	switch {
	case words == 1 && p.packed(t):
		return form{wordForm, "u32", n}, true
	case words != 2 && words != 4:
		return form{}, false
	case p.packed(t) || t.Bits() == 64:
		return form{vecForm, fmt.Sprintf("vec%d<u32>", words), n}, true
	case t.Bits() == 32:
		return form{vecForm, fmt.Sprintf("vec%d<%s>", n, p.RegType(imp.Of(t))), n}, true
	}
	return form{}, false // native f16
}

func (p *printer) atomicFormOf(m imp.MemDecl, packed bool, u uses) form {
	switch {
	case packed:
		return form{packedForm, "atomic<u32>", 4 / m.Elem.Size()}
	case m.Elem.Bits() == 64 && p.opts.Atomic64 && p.opts.I64 && m.Space == imp.Global:
		return form{longForm, "atomic<u64>", 1}
	case m.Elem.Bits() == 64:
		if u.update {
			p.Limit("the device has no atomic update of %s", m.Elem)
		}
		return form{pairForm, "atomic<u32>", 1}
	case m.Elem == prim.F32 && m.Space == imp.Global && p.opts.AtomicF32 && !u.notAdd && !u.update:
		return form{atomicForm, "atomic<f32>", 1}
	case m.Elem == prim.F16 && m.Space == imp.Global:
		return form{packedForm, "atomic<u32>", 2}
	case m.Elem == prim.F32, m.Elem == prim.F16:
		return form{bitsForm, "atomic<u32>", 1}
	case m.Elem.IsSigned():
		return form{atomicForm, "atomic<i32>", 1}
	case m.Elem.IsInt():
		return form{atomicForm, "atomic<u32>", 1}
	case m.Elem == prim.Bool:
		return form{atomicForm, "atomic<u32>", 1}
	}
	p.Limit("the device has no atomic access to %s in %s", m.Elem, m.Name)
	return form{atomicForm, "atomic<u32>", 1}
}

// decode makes a register's value of the bits that a word holds: see Note [Values in registers].
func (p *printer) decode(t prim.Type, word string) string {
	switch t {
	case prim.F32:
		return "bitcast<f32>(" + word + ")"
	case prim.F16:
		return p.Support("from_bits", t, word)
	case prim.Bool:
		return "(" + word + " != 0u)"
	case prim.I8, prim.I16:
		return fmt.Sprintf("extractBits(i32(%s), 0u, %du)", word, t.Bits())
	case prim.I32:
		return "i32(" + word + ")"
	default:
	}
	return word
}

// encode is the inverse of decode; bits above the element are not zero.
func (p *printer) encode(t prim.Type, x string) string {
	switch t {
	case prim.F32:
		return "bitcast<u32>(" + x + ")"
	case prim.F16:
		return p.Support("to_bits", t, x)
	case prim.Bool:
		return "select(0u, 1u, " + x + ")"
	case prim.I8, prim.I16, prim.I32:
		return "u32(" + x + ")"
	default:
	}
	return x
}

// inside is an index of an array, or zero for a constant that lies outside of it or that is no i32, which WGSL rejects. Code with
// such an index is not reached: a check of the index precedes it.
func (p *printer) inside(m imp.Mem, index imp.Exp) imp.Exp {
	c, ok := index.(*imp.Const)
	if !ok {
		return index
	}
	d := p.Kernel.Mems[m]
	if n := c.Value.Int(); n < 0 || n > math.MaxInt32 || d.Space != imp.Global && n >= int64(d.Count) {
		return &imp.Const{Type: c.Type, Value: prim.MakeI64(0)}
	}
	return index
}

// load prints the reading of one element.
func (p *printer) load(m imp.Mem, i string) string {
	f, d, name := p.forms[m], p.Kernel.Mems[m], p.Mems[m]
	if p.chunks[m] > 1 {
		return p.loadChunk(m, i)
	}
	switch f.kind {
	case plainForm:
		return name + "[" + i + "]"
	case flagForm:
		return p.decode(prim.Bool, name+"["+i+"]")
	case atomicForm:
		if d.Elem == prim.Bool {
			return "(atomicLoad(&" + name + "[" + i + "]) != 0u)"
		}
		return "atomicLoad(&" + name + "[" + i + "])"
	case bitsForm:
		return p.decode(d.Elem, "atomicLoad(&"+name+"["+i+"])")
	case longForm:
		return p.fromBits64("atomicLoad(&"+name+"["+i+"])", d.Elem)
	default:
	}
	fn := "load_" + name
	p.accessor(fn, func() string {
		return fmt.Sprintf("fn %s(i: i32) -> %s {\n  return %s;\n}\n", fn, p.RegType(imp.Of(d.Elem)), p.loadBody(m))
	})
	return fn + "(" + i + ")"
}

// uniformLoad prints the reading of one element of a shared array by all threads of a workgroup.
func (p *printer) uniformLoad(m imp.Mem, i string) string {
	x := "workgroupUniformLoad(&" + p.Mems[m] + "[" + i + "])"
	switch p.forms[m].kind {
	case plainForm:
		return x
	case flagForm:
		return p.decode(prim.Bool, x)
	default:
	}
	panic("wgsl: a uniform load from an array with atomic operations")
}

// loadBody is the value of element i of an array that is not plain.
func (p *printer) loadBody(m imp.Mem) string {
	f, d, name := p.forms[m], p.Kernel.Mems[m], p.Mems[m]
	switch f.kind {
	case wordForm:
		return p.part(d.Elem, fmt.Sprintf("%s[%s]", name, wordOf(d.Elem)))
	case packedForm:
		return p.part(d.Elem, fmt.Sprintf("atomicLoad(&%s[%s])", name, wordOf(d.Elem)))
	case pairForm:
		return p.fromPair(fmt.Sprintf("vec2<u32>(atomicLoad(&%s[2 * i]), atomicLoad(&%s[2 * i + 1]))", name, name), d.Elem)
	case vecForm:
		switch {
		case d.Elem.Bits() == 32:
			return fmt.Sprintf("%s[%s][%s]", name, f.vectorOf("i"), f.componentOf("i"))
		case d.Elem.Bits() == 64:
			return p.fromPair(fmt.Sprintf("vec2<u32>(%[1]s[%[2]s][%[3]s * 2], %[1]s[%[2]s][%[3]s * 2 + 1])",
				name, f.vectorOf("i"), f.componentOf("i")), d.Elem)
		}
		return p.part(d.Elem, fmt.Sprintf("%s[%s][%s %% %du]", name, f.vectorOf("i"), wordOf(d.Elem), f.n*d.Elem.Size()/4))
	default:
	}
	panic("wgsl: no load of this form")
}

// Note [Indices of small elements]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// An index has 32 bits, which a wide kernel (Note [Wide kernels] of package imp) takes for an unsigned number: an array has
// fewer than 2^32 elements. Arrays of small elements lie in words, whose number is a shift or division of the index as a u32.
// Of larger elements no device binds 2^31 at once, and the number of a chunk is a shift of a u32, too.

// wordOf is the number of the word in which element i of a packed array lies. Indices are not negative, which a
// signed division could not know.
func wordOf(t prim.Type) string {
	return fmt.Sprintf("(u32(i) >> %du)", bits.TrailingZeros(uint(4/t.Size())))
}

// vectorOf is the number of the vector in which element i lies, and componentOf its place there.
func (f form) vectorOf(i string) string {
	return fmt.Sprintf("u32(%s) >> %du", i, bits.TrailingZeros(uint(f.n)))
}

func (f form) componentOf(i string) string { return fmt.Sprintf("(u32(%s) & %du)", i, f.n-1) }

// part is element i of a packed array, which lies in word. Shifts and masks are less work than extractBits, whose
// arguments are checked.
func (p *printer) part(t prim.Type, word string) string {
	shift := fmt.Sprintf("((u32(i) & %du) * %du)", 4/t.Size()-1, t.Bits())
	if t.IsSigned() {
		return fmt.Sprintf("(i32(%s << (%du - %s)) >> %du)", word, 32-t.Bits(), shift, 32-t.Bits())
	}
	return p.decode(t, fmt.Sprintf("((%s >> %s) & %#xu)", word, shift, 1<<t.Bits()-1))
}

// fromBits64 makes a value of a native 64-bit type from a u64.
func (p *printer) fromBits64(x string, t prim.Type) string {
	switch {
	case t == prim.U64:
		return x
	case p.opts.native(t):
		return "bitcast<" + t.String() + ">(" + x + ")"
	}
	p.Need("words_from_u64")
	return "words_from_u64(" + x + ")"
}

// toBits64 is the inverse of fromBits64.
func (p *printer) toBits64(x string, t prim.Type) string {
	switch {
	case t == prim.U64:
		return x
	case p.opts.native(t):
		return "bitcast<u64>(" + x + ")"
	}
	p.Need("u64_from_words")
	return "u64_from_words(" + x + ")"
}

// accessor prints a function that accesses an array, once.
func (p *printer) accessor(name string, text func() string) {
	if !p.accessed[name] {
		p.accessed[name] = true
		p.accessors = append(p.accessors, text())
	}
}

// store prints the writing of one element.
func (p *printer) store(m imp.Mem, i, x string) {
	f, d, name := p.forms[m], p.Kernel.Mems[m], p.Mems[m]
	if p.chunks[m] > 1 {
		p.storeChunk(m, i, x)
		return
	}
	switch f.kind {
	case plainForm:
		p.Line("%s[%s] = %s;", name, i, x)
	case flagForm:
		p.Line("%s[%s] = %s;", name, i, p.encode(prim.Bool, x))
	case atomicForm:
		if d.Elem == prim.Bool {
			x = p.encode(d.Elem, x)
		}
		p.Line("atomicStore(&%s[%s], %s);", name, i, x)
	case bitsForm:
		p.Line("atomicStore(&%s[%s], %s);", name, i, p.encode(d.Elem, x))
	case longForm:
		p.Line("atomicStore(&%s[%s], %s);", name, i, p.toBits64(x, d.Elem))
	case vecForm: // the thread owns the whole vector
		p.storeComponent(m, i, x)
	case packedForm, pairForm:
		fn := "store_" + name
		p.accessor(fn, func() string { return p.storeText(fn, m) })
		p.Line("%s(%s, %s);", fn, i, x)
	default:
		panic("wgsl: no store of this form")
	}
}

// storeComponent writes one element of an array of vectors.
func (p *printer) storeComponent(m imp.Mem, i, x string) {
	f, d, name := p.forms[m], p.Kernel.Mems[m], p.Mems[m]
	at := p.Temp("at")
	p.Line("let %s = %s;", at, i)
	if d.Elem.Bits() == 32 {
		p.Line("%s[%s][%s] = %s;", name, f.vectorOf(at), f.componentOf(at), x)
		return
	}
	w := p.Temp("words")
	p.Line("let %s = %s;", w, p.toPair(x, d.Elem))
	for half, part := range []string{"x", "y"} {
		p.Line("%s[%s][%s * 2 + %d] = %s.%s;", name, f.vectorOf(at), f.componentOf(at), half, w, part)
	}
}

// inWords reports whether the elements of an array lie packed in words that the kernel stores without atomic operations.
func (p *printer) inWords(m imp.Mem) bool {
	d, kind := p.Kernel.Mems[m], p.forms[m].kind
	return d.Space == imp.Global && p.packed(d.Elem) && (kind == wordForm || kind == vecForm)
}

// storePart writes one element of an array inWords: it changes a word that belongs to the thread.
func (p *printer) storePart(m imp.Mem, i, x string) {
	fn := "own_" + p.Mems[m]
	if p.chunks[m] > 1 {
		p.eachChunk(fn, m, ", x: "+p.register(m), "", func() {
			p.storePart(m, "at", "x")
			p.Line("return;")
		})
	} else {
		p.accessor(fn, func() string { return p.storePartText(fn, m) })
	}
	p.Line("%s(%s, %s);", fn, i, x)
}

func (p *printer) storePartText(fn string, m imp.Mem) string {
	f, d := p.forms[m], p.Kernel.Mems[m]
	word := p.Mems[m] + "[" + wordOf(d.Elem) + "]"
	if f.kind == vecForm {
		word = fmt.Sprintf("%s[%s][%s %% %du]", p.Mems[m], f.vectorOf("i"), wordOf(d.Elem), f.n*d.Elem.Size()/4)
	}
	per, mask := 4/d.Elem.Size(), 1<<d.Elem.Bits()-1
	return fmt.Sprintf(`fn %s(i: i32, x: %s) {
  let shift = (u32(i) %% %du) * %du;
  %s = (%s & ~(%#xu << shift)) | ((%s & %#xu) << shift);
}
`, fn, p.RegType(imp.Of(d.Elem)), per, d.Elem.Bits(), word, word, mask, p.encode(d.Elem, "x"), mask)
}

func (p *printer) storeText(fn string, m imp.Mem) string {
	d, name := p.Kernel.Mems[m], p.Mems[m]
	head := fmt.Sprintf("fn %s(i: i32, x: %s) {\n", fn, p.RegType(imp.Of(d.Elem)))
	if p.forms[m].kind == pairForm {
		return head + fmt.Sprintf("  let w = %s;\n  atomicStore(&%s[2 * i], w.x);\n  atomicStore(&%s[2 * i + 1], w.y);\n}\n",
			p.toPair("x", d.Elem), name, name)
	}
	mask := 1<<d.Elem.Bits() - 1
	return head + fmt.Sprintf(`  let shift = (u32(i) %% %du) * %du;
  atomicAnd(&%s[u32(i) / %du], ~(%#xu << shift));
  atomicOr(&%s[u32(i) / %du], (%s & %#xu) << shift);
}
`, 4/d.Elem.Size(), d.Elem.Bits(), name, 4/d.Elem.Size(), mask, name, 4/d.Elem.Size(), p.encode(d.Elem, "x"), mask)
}
