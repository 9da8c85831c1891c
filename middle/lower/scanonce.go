package lower

import (
	"slices"

	"skald/middle/imp"
	"skald/runtime/prim"
)

// Note [Scans in one pass]
// ~~~~~~~~~~~~~~~~~~~~~~~~
// Where workgroups that have begun go on whatever others do (facts.LookBack), a scan reads its input once: "decoupled look-back" of
// Merrill and Garland. A workgroup takes the next tile by a counter, so that all tiles before it have been begun, publishes what the tile
// sums to (its total), and looks back at the tiles before it until it meets one whose prefix, all up to its end, is known.
// Then it publishes its own prefix.
//
// The counter and what tiles publish lie in one block, which is cleared before the launch. What a tile publishes are words of 64 bits,
// each with 32 bits of a value and, above them, a flag: the total's words, then the prefix's, each written once. A value is there when
// all its words are, so that no order between different words is needed.
//
// All threads of a workgroup look back, each at one tile, so control flow stays uniform: each waits for its tile, the nearest prefix is
// found by an atomic maximum in workgroup memory, and what lies behind it is joined in order. A tile before the first counts
// as a known prefix of nothing. The kernel must not fail and leave others waiting: it has no assertions.
//
// What one thread writes there while others still read what their workgroup has brought together lies by itself: compilers join reads of
// constant places to reads of 16 bytes, also over a word between them that is not asked for.

// lookBack is what a scan in one pass has.
type lookBack struct {
	*scan
	state   imp.Mem // the counter, then what tiles publish
	nearest apart   // the number of a thread
	before  []apart // what is before the tile
	tile    imp.Exp
}

// apart is a word of workgroup memory that no read of 16 bytes covers beside another word that is used.
type apart struct {
	mem imp.Mem
	at  imp.Exp
}

// widestRead is how many bytes a device reads at once, at a multiple of them.
const widestRead = 16

// behind makes such a word behind what an array has. A compiler that places words of constant indices one by one leaves an array alone
// that is accessed at other indices or atomically, too.
func behind(k *kernelBuilder, m imp.Mem) apart {
	d := &k.k.Mems[m]
	beside := widestRead/d.Elem.Size() - 1
	at := d.Count + beside
	d.Count = at + 1 + beside
	return apart{m, idx(int64(at))}
}

// once scans one segment in one launch.
func (sc *scan) once() {
	c := sc.c
	n := c.let("n", imp.I64, asPrim(c.operand(sc.e.Space.Sizes[0])))
	tiles := c.let("tiles", imp.I64, ceilDiv(imp.I64, n, i64(int64(sc.size*sc.v.width*sc.rows))))
	words := &imp.Bin{Op: prim.Mul, Type: imp.I64, X: tiles, Y: i64(int64(2 * len(sc.o.types)))}
	count := c.let("words", imp.I64, &imp.Bin{Op: prim.Add, Type: imp.I64, X: words, Y: i64(1)})
	state := c.fresh("state", imp.Block)
	c.emit(&imp.Alloc{Var: state, Elem: prim.U64, Count: count})
	c.emit(&imp.Fill{Elem: prim.U64, Block: state, Off: i64(0), Count: count, Value: word64(0)})
	c.kernel("scan_once", sc.size, tiles, func(k *kernelBuilder, _ *imp.Launch) {
		l := &lookBack{scan: sc, state: k.global("state", prim.U64, state)}
		k.k.Mems[l.state].Access = imp.AtomicAccess
		l.generate(k)
	})
}

// generate is the kernel.
func (l *lookBack) generate(k *kernelBuilder) {
	i32 := imp.Of(prim.I32)
	slot := k.shared("slot", i32, 1)
	l.nearest = behind(k, k.shared("nearest", i32, 0))
	part := l.sharedParts(k)
	for _, m := range part {
		l.before = append(l.before, behind(k, m))
	}
	l.firstThread(k, func() {
		next := k.fresh("next", imp.Of(prim.U64))
		k.emit(&imp.Atomic{Op: imp.AtomicAdd, Old: next, Mem: l.state, Index: idx(0), Value: word64(1)})
		k.store(slot, idx(0), convertTo(use(next), imp.Of(prim.U64), i32))
	})
	l.tile = agreed(k, "tile", apart{slot, idx(0)})
	n := k.index(l.e.Space.Sizes[0])
	bases := l.bases(k, l.tile)
	t := l.elements(k, nil, bases, n)
	xs := t.xs
	for _, row := range xs {
		for i := 1; i < len(row); i++ {
			k.setAll(row[i], k.combine(l.o, uses(row[i-1]), uses(row[i])))
		}
	}
	total := k.accVars("total", l.o.types, exps(k.neutral(l.o)))
	ahead := l.beforeRows(k, part, xs, total)
	l.firstThread(k, func() { l.publish(k, uses(total), asTotal) })
	l.search(k, total)
	prefix := make([]imp.Exp, len(l.before))
	for i, b := range l.before {
		prefix[i] = k.load("x", b.mem, b.at).exp
	}
	for r, row := range xs {
		k.setAll(ahead[r], k.combine(l.o, prefix, uses(ahead[r])))
		for _, x := range row {
			k.setAll(x, k.combine(l.o, uses(ahead[r]), uses(x)))
		}
	}
	l.results(k, nil, bases, n, t)
}

// search looks back and leaves in workgroup memory what is before the tile; the tile's prefix is published.
func (l *lookBack) search(k *kernelBuilder, total []imp.Var) {
	size, lid := idx(int64(l.size)), id(imp.LocalID)
	sum := k.accVars("sum", l.o.types, exps(k.neutral(l.o))) // The first thread's.
	last := k.letVar("last", imp.Idx, l.tile)
	body := k.within(func() {
		l.firstThread(k, func() { k.store(l.nearest.mem, l.nearest.at, word32(-1)) })
		k.emit(&imp.Barrier{})
		at := k.let("at", imp.Idx, add(imp.Idx, sub(imp.Idx, use(last), size), lid))
		value := k.accVars("value", l.o.types, exps(k.neutral(l.o)))
		full := k.letVar("full", imp.Bool, less(imp.Idx, at, idx(0)))
		ready := k.letVar("ready", imp.Bool, use(full))
		k.emit(&imp.While{
			Cond: &imp.Un{Op: prim.Not, Type: imp.Bool, X: use(ready)},
			Body: k.within(func() { l.look(k, at, value, full, ready) }), Ends: true,
		})
		k.ifThen(use(full), func() {
			me := convertTo(lid, imp.Idx, imp.Of(prim.I32))
			k.emit(&imp.Atomic{Op: imp.AtomicMax, Mem: l.nearest.mem, Index: l.nearest.at, Value: me})
		})
		nearest := agreed(k, "nearest", l.nearest)
		k.ifThen(less(imp.Idx, lid, nearest), func() { k.setAll(value, exps(k.neutral(l.o))) })
		k.finish(l.o, l.form, value, func(found []imp.Exp) { k.setAll(sum, k.combine(l.o, found, uses(sum))) })
		further := maxOf(imp.Idx, sub(imp.Idx, use(last), size), idx(0))
		k.set(last, &imp.Select{Type: imp.Idx, Cond: less(imp.Idx, nearest, idx(0)), Then: further, Else: idx(0)})
	})
	k.emit(&imp.While{Cond: less(imp.Idx, idx(0), use(last)), Body: body, Ends: true})
	l.firstThread(k, func() {
		for i, b := range l.before {
			k.store(b.mem, b.at, use(sum[i]))
		}
		l.publish(k, k.combine(l.o, uses(sum), uses(total)), asPrefix)
	})
	k.emit(&imp.Barrier{})
}

// firstThread generates code for the first thread alone.
func (l *lookBack) firstThread(k *kernelBuilder, f func()) {
	k.ifThen(same(id(imp.LocalID), idx(0)), f)
}

// agreed reads a number that the workgroup agrees on, the same for all threads.
func agreed(k *kernelBuilder, name string, a apart) imp.Exp {
	v := k.fresh(name, imp.Of(prim.I32))
	k.emit(&imp.UniformLoad{Var: v, Mem: a.mem, Index: a.at})
	return k.let(name, imp.Idx, convertTo(use(v), imp.Of(prim.I32), imp.Idx))
}

func word32(n int64) imp.Exp {
	return &imp.Const{Type: imp.Of(prim.I32), Value: prim.MakeI32(int32(n))}
}

func word64(n int64) imp.Exp {
	return &imp.Const{Type: imp.Of(prim.U64), Value: prim.MakeU64(uint64(n))}
}

// flag is above the 32 bits of a value.
const flag = 1 << 32

// word is where word i of the total, or the prefix, of a tile lies: behind the counter.
func (l *lookBack) word(tile imp.Exp, i int, prefix bool) imp.Exp {
	width := len(l.o.types)
	if prefix {
		i += width
	}
	return add(imp.Idx, mul(imp.Idx, tile, idx(int64(2*width))), idx(int64(i+1)))
}

// Arguments of publish.
const (
	asPrefix = true
	asTotal  = false
)

// publish publishes values of the workgroup's tile.
func (l *lookBack) publish(k *kernelBuilder, vals []imp.Exp, prefix bool) {
	for i, x := range vals {
		word := &imp.Bin{Op: prim.Or, Type: imp.Of(prim.U64), X: bitsOf(x, l.o.types[i].Prim()), Y: word64(flag)}
		was := k.fresh("was", imp.Of(prim.U64))
		k.emit(&imp.Atomic{Op: imp.AtomicExchange, Old: was, Mem: l.state, Index: l.word(l.tile, i, prefix), Value: word})
	}
}

// look reads what a tile has published: its prefix if that is there, else its total.
func (l *lookBack) look(k *kernelBuilder, tile imp.Exp, value []imp.Var, full, ready imp.Var) {
	for _, prefix := range []bool{false, true} {
		words := make([]imp.Exp, len(value))
		all := word64(flag)
		for i := range words {
			word := k.fresh("word", imp.Of(prim.U64))
			k.emit(&imp.Atomic{Op: imp.AtomicOr, Old: word, Mem: l.state, Index: l.word(tile, i, prefix), Value: word64(0)})
			words[i] = use(word)
			all = &imp.Bin{Op: prim.And, Type: imp.Of(prim.U64), X: all, Y: words[i]}
		}
		k.ifThen(&imp.Cmp{Op: prim.Eq, Type: imp.Of(prim.U64), X: all, Y: word64(flag)}, func() {
			vals := slices.Clone(words)
			for i := range vals {
				vals[i] = fromBits(words[i], l.o.types[i].Prim())
			}
			k.setAll(value, vals)
			k.set(ready, &imp.Const{Type: imp.Bool, Value: prim.MakeBool(true)})
			if prefix {
				k.set(full, &imp.Const{Type: imp.Bool, Value: prim.MakeBool(true)})
			}
		})
	}
}

// bitsOf is a value of at most 32 bits as the low bits of a u64.
func bitsOf(x imp.Exp, t prim.Type) imp.Exp {
	if t == prim.Bool {
		return convertTo(x, imp.Bool, imp.Of(prim.U64))
	}
	u := t.ToUnsigned()
	switch {
	case t.IsFloat():
		x = &imp.CallFunc{Func: prim.ToBits, Type: t, Args: []imp.Exp{x}}
	case t != u:
		x = convertTo(x, imp.Of(t), imp.Of(u))
	}
	return convertTo(x, imp.Of(u), imp.Of(prim.U64))
}

// fromBits is the inverse of bitsOf, whatever lies above the bits.
func fromBits(x imp.Exp, t prim.Type) imp.Exp {
	if t == prim.Bool {
		byte := imp.Of(prim.U8)
		return differ(byte, convertTo(x, imp.Of(prim.U64), byte), &imp.Const{Type: byte, Value: prim.Zero(prim.U8)})
	}
	u := t.ToUnsigned()
	x = convertTo(x, imp.Of(prim.U64), imp.Of(u))
	switch {
	case t.IsFloat():
		return &imp.CallFunc{Func: prim.FromBits, Type: t, Args: []imp.Exp{x}}
	case t != u:
		return convertTo(x, imp.Of(u), imp.Of(t))
	}
	return x
}
