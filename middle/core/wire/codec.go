package wire

import (
	"encoding/binary"
	"fmt"
	"math"

	"skald/middle/core"
	"skald/runtime/prim"
)

// Note [One description for both directions]
//
// Each method of codec says, for one kind of node, which parts it has and in which order. When writing, a method appends the parts
// that its argument points to; when reading, it fills them in. So reader and writer cannot disagree about a field.

// codec writes or reads a program. After an error a reader's methods leave zero values behind and end at once.
// See Note [One description for both directions].
type codec struct {
	reading bool
	out     []byte // writing: what is written
	in      []byte // reading: what is left
	err     error
	depth   int
	vars    int // of the function at hand: its variables are below this

	strings []string       // reading: those met
	numbers map[string]int // writing: of those met
	sites   []*core.Site   // reading: those met
	places  map[place]int  // writing: of those met

	structure *structure // writing: not nil where names and places do not matter
}

// place is a source location with the number of its caller.
type place struct {
	loc    string
	caller int
}

// maxDepth bounds how deep nodes may nest in what is read, so that no input exhausts the stack.
const maxDepth = 10000

func (c *codec) fail(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf("%w: %s", ErrDamaged, fmt.Sprintf(format, args...))
	}
	c.in = nil
}

// set stores what was read. Nothing is stored when writing: others may read, or write, the same node at the same time.
func set[T any](c *codec, to *T, x T) {
	if c.reading {
		*to = x
	}
}

// number writes or reads a number below limit.
func (c *codec) number(n *int, limit int, what string) {
	if !c.reading {
		c.out = binary.AppendUvarint(c.out, uint64(*n))
		return
	}
	w := c.word()
	if w >= uint64(limit) {
		c.fail("%s %d is not below %d", what, w, limit)
		w = 0
	}
	*n = int(w)
}

// word reads a number of any size.
func (c *codec) word() uint64 {
	w, n := binary.Uvarint(c.in)
	if n <= 0 {
		if c.err == nil {
			c.err = fmt.Errorf("%w: it ends in the middle of a number", ErrTruncated)
		}
		c.in = nil
		return 0
	}
	c.in = c.in[n:]
	return w
}

// signed writes or reads a number that is likely to be near 0.
func (c *codec) signed(n *int64) {
	if !c.reading {
		c.out = binary.AppendVarint(c.out, *n)
		return
	}
	w := c.word()
	*n = int64(w>>1) ^ -int64(w&1)
}

// count writes or reads a length or an index that may not be bounded otherwise.
func (c *codec) count(n *int) {
	w := int64(*n)
	c.signed(&w)
	set(c, n, int(w))
}

// length writes or reads the length of a list: each of its elements takes a byte at least.
func (c *codec) length(n int) int {
	c.number(&n, math.MaxInt, "length")
	if c.reading && n > len(c.in) {
		c.fail("a list of %d elements begins %d bytes before its end", n, len(c.in))
		return 0
	}
	return n
}

func (c *codec) bool(b *bool) {
	n := 0
	if *b {
		n = 1
	}
	c.number(&n, 2, "truth value")
	set(c, b, n == 1)
}

// enum writes or reads a value of an enumeration with so many values.
func enum[T ~uint8](c *codec, x *T, count int, what string) {
	n := int(*x)
	c.number(&n, count, what)
	set(c, x, T(n))
}

// list writes or reads a slice with the function for its elements.
func list[T any](c *codec, xs *[]T, f func(*T)) {
	n := c.length(len(*xs))
	if !c.reading {
		for i := range *xs {
			f(&(*xs)[i])
		}
		return
	}
	*xs = nil
	if n > 0 && c.err == nil {
		*xs = make([]T, n)
	}
	for i := range *xs {
		if f(&(*xs)[i]); c.err != nil {
			return
		}
	}
}

// optional writes or reads a pointer that may be nil.
func optional[T any](c *codec, p **T, f func(*T)) {
	has := *p != nil
	if c.bool(&has); !has || c.err != nil {
		return
	}
	pointer(c, p, f)
}

// pointer writes or reads what a pointer that is not nil points to.
func pointer[T any](c *codec, p **T, f func(*T)) {
	if c.depth++; c.depth > maxDepth {
		c.fail("it nests deeper than %d", maxDepth)
		return
	}
	if c.reading {
		*p = new(T)
	}
	f(*p)
	c.depth--
}

// string writes or reads a string: 0 and the string itself, or the number, from 1, of one that came before.
func (c *codec) string(s *string) {
	n := c.numbers[*s]
	c.number(&n, len(c.strings)+1, "string")
	switch {
	case n > 0 && c.reading:
		*s = c.strings[n-1]
	case n > 0:
	case c.reading:
		n = c.length(0)
		*s = string(c.in[:n])
		c.in = c.in[n:]
		c.strings = append(c.strings, *s)
	default:
		c.length(len(*s))
		c.out = append(c.out, *s...)
		c.numbers[*s] = len(c.numbers) + 1
	}
}

// site writes or reads a place: 0 for none, 1 and the place itself, or the number, from 2, of one that came before. Writing returns the
// number under which the place is known from then on.
func (c *codec) site(s **core.Site) {
	if !c.reading {
		c.writeSite(*s)
		return
	}
	n := 0
	c.number(&n, len(c.sites)+2, "place")
	switch n {
	case 0:
		*s = nil
	case 1:
		pointer(c, s, func(s *core.Site) {
			c.site(&s.Caller)
			c.string(&s.Loc)
		})
		c.sites = append(c.sites, *s)
	default:
		*s = c.sites[n-2]
	}
}

func (c *codec) writeSite(s *core.Site) {
	if c.structure != nil {
		return
	}
	n := c.siteNumber(s)
	if n >= 0 {
		c.number(&n, 0, "")
		return
	}
	n = 1
	c.number(&n, 0, "")
	c.writeSite(s.Caller)
	c.string(&s.Loc)
	c.places[place{s.Loc, c.siteNumber(s.Caller)}] = len(c.places) + 2
}

// siteNumber is the number of a place that is known, 0 for none, and -1 for one that is not known yet.
func (c *codec) siteNumber(s *core.Site) int {
	if s == nil {
		return 0
	}
	caller := c.siteNumber(s.Caller)
	if n := c.places[place{s.Loc, caller}]; n > 0 && caller >= 0 {
		return n
	}
	return -1
}

// variable writes or reads a variable, or the zero that stands for none.
func (c *codec) variable(v *core.Var) {
	if c.structure != nil {
		c.out = c.structure.append(c.out, *v)
		return
	}
	n := int(*v)
	c.number(&n, c.vars, "variable")
	set(c, v, core.Var(n))
}

func (c *codec) primitive(t *prim.Type) { enum(c, t, prim.NumTypes, "type") }

// value writes or reads a primitive value: its type and its bits.
func (c *codec) value(v *prim.Value) {
	t, w := v.Type(), int64(v.Word())
	c.primitive(&t)
	c.signed(&w)
	set(c, v, prim.FromWord(t, uint64(w)))
}

// operand writes or reads a variable, or zero and a constant.
func (c *codec) operand(o *core.Operand) {
	if c.variable(&o.Var); o.Var == 0 {
		c.value(&o.Const)
	}
}
