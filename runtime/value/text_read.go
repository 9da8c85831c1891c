package value

import (
	"errors"
	"strconv"
	"unicode/utf8"
	"unsafe"

	"skald/runtime/prim"
)

// textValue reads a value in text whose first byte is c.
func (r *Reader) textValue(c byte) (Value, error) {
	switch c {
	case '[', '"':
		a := arrayReader{Reader: r}
		if elem, ok := r.elemWanted(); ok {
			a.elem, a.typed = elem, true
		}
		var err error
		if c == '[' {
			err = a.row(0)
		} else {
			err = a.stringRow(0)
		}
		if err != nil {
			return Value{}, err
		}
		return FromBytes(a.elem, a.shape, a.data)
	case 'e':
		return r.emptyValue()
	}
	tok, err := r.token()
	if err != nil {
		return Value{}, err
	}
	v, err := r.scalar(tok)
	if err != nil {
		return Value{}, err
	}
	r.pos += len(tok)
	return Scalar(v), nil
}

// scalar converts a token to a scalar, of the wanted element type if there is one. Errors are placed at the token,
// which must not have been taken yet.
func (r *Reader) scalar(tok []byte) (prim.Value, error) {
	elem, known := r.elemWanted()
	return r.scalarOf(tok, elem, known)
}

// scalarOf converts a token to a scalar of a type, if it is known, else of the token's own. A literal with a suffix that
// does not fit its type wraps around, as in the reference implementation, whose test data has such literals.
func (r *Reader) scalarOf(tok []byte, elem prim.Type, known bool) (prim.Value, error) {
	var v prim.Value
	var err error
	if known {
		v, err = prim.ParseValueAs(string(tok), elem)
	} else {
		v, err = prim.ParseValue(string(tok))
	}
	if err == nil {
		return v, nil
	}
	var tooLarge *prim.RangeError
	if errors.As(err, &tooLarge) && tooLarge.Wrapped != nil {
		return *tooLarge.Wrapped, nil
	}
	return prim.Value{}, r.scalarError(tok, err)
}

func (r *Reader) scalarError(tok []byte, err error) error {
	if !errors.Is(err, prim.ErrSyntax) {
		return r.fail(err, "%v", err)
	}
	what := "a value"
	if elem, ok := r.elemWanted(); ok {
		what = typeName(elem)
	}
	const shown = 40
	if len(tok) > shown {
		return r.fail(err, "expected %s, found %q and %d bytes more", what, tok[:shown], len(tok)-shown)
	}
	if len(tok) == 0 {
		tok = r.buf[r.pos:min(r.pos+1, r.end)]
	}
	return r.fail(err, "expected %s, found %q", what, tok)
}

// delimiters marks the bytes that end a token.
var delimiters = func() (set [256]bool) {
	for _, c := range []byte(" \t\r\n\v\f,[]()\"") {
		set[c] = true
	}
	return set
}()

// token returns the bytes up to the next delimiter, without taking them. They are valid until the next read.
func (r *Reader) token() ([]byte, error) {
	n := 0
	for {
		for _, c := range r.buf[r.pos+n : r.end] {
			if delimiters[c] {
				return r.buf[r.pos : r.pos+n], nil
			}
			n++
		}
		if n > maxToken {
			return nil, r.fail(nil, "a scalar is longer than %d bytes", maxToken)
		}
		if !r.fill() {
			return r.buf[r.pos:r.end], nil
		}
	}
}

// nextByte skips space within a value and returns the next byte.
func (r *Reader) nextByte() (byte, error) {
	c, err := r.skipSpace()
	if err != nil {
		return 0, r.ended()
	}
	return c, nil
}

// emptyValue reads an array without elements, such as empty([0][2]i32).
func (r *Reader) emptyValue() (Value, error) {
	tok, err := r.token()
	if err != nil {
		return Value{}, err
	}
	if string(tok) != "empty" {
		return Value{}, r.scalarError(tok, prim.ErrSyntax)
	}
	r.pos += len(tok)
	if c, err := r.nextByte(); err != nil {
		return Value{}, err
	} else if c != '(' {
		return Value{}, r.fail(nil, "expected ( after empty")
	}
	r.pos++
	start := *r
	var text []byte
	for {
		c, err := r.nextByte()
		if err != nil {
			return Value{}, err
		}
		r.pos++
		if c == ')' {
			break
		}
		if text = append(text, c); len(text) > maxToken {
			return Value{}, r.fail(nil, "the type in empty(…) is too long")
		}
	}
	t, err := ParseType(string(text))
	if err != nil {
		return Value{}, start.fail(err, "%v", err)
	}
	size, ok := byteSize(t.Elem, t.Dims)
	if !ok || size != 0 {
		return Value{}, start.fail(nil, "%s is not the type of an empty array", t)
	}
	return New(t.Elem, t.Dims...), nil
}

// arrayReader gathers the elements of one array in text.
type arrayReader struct {
	*Reader
	elem  prim.Type
	typed bool  // elem is known: it was asked for, or an element was read
	rank  int   // 0 until the first element is reached
	shape []int // the extents known so far; AnyDim for rows that are not complete yet
	data  []byte
}

// row reads an array whose nesting depth is given, 0 for the outermost. Between elements, white space does for a comma,
// and a comma may follow the last.
func (a *arrayReader) row(depth int) error {
	if depth >= maxRank {
		return a.fail(nil, "an array has more than %d dimensions", maxRank)
	}
	if len(a.shape) == depth {
		a.shape = append(a.shape, AnyDim)
	}
	start := *a.Reader
	a.pos++ // the opening bracket
	count := 0
	for {
		c, err := a.nextByte()
		if err != nil {
			return err
		}
		if c == ']' {
			if count == 0 {
				return start.fail(nil, "an array without elements must be written like empty([0]i32)")
			}
			break
		}
		if err := a.element(c, depth); err != nil {
			return err
		}
		count++
		if c, err = a.nextByte(); err != nil {
			return err
		}
		if c == ',' {
			a.pos++
		}
	}
	a.pos++ // the closing bracket
	return a.close(&start, depth, count)
}

// element reads one element, scalar or array, of a row at the given depth.
func (a *arrayReader) element(c byte, depth int) error {
	if c == 'e' && (a.rank == 0 || depth+1 < a.rank) {
		return a.emptyRow(depth)
	}
	isRow := c == '[' || c == '"'
	switch {
	case a.rank == 0 && !isRow:
		a.rank = depth + 1
	case a.rank != 0 && isRow && depth+1 >= a.rank:
		return a.fail(nil, "expected a scalar here, as in the elements before")
	case a.rank != 0 && (!isRow && depth+1 < a.rank || c == '"' && depth+2 != a.rank):
		return a.fail(nil, "expected a row here, as in the elements before")
	}
	switch c {
	case '[':
		return a.row(depth + 1)
	case '"':
		return a.stringRow(depth + 1)
	default:
		return a.leaf()
	}
}

// emptyRow reads a row, at the given depth, that is written like empty([0]i32).
func (a *arrayReader) emptyRow(depth int) error {
	start := *a.Reader
	v, err := a.emptyValue()
	if err != nil {
		return err
	}
	if a.typed && v.elem != a.elem {
		return start.fail(nil, "a row of type %s, but the elements before are of type %s", v.Type(), a.elem)
	}
	if a.rank != 0 && depth+1+len(v.shape) != a.rank {
		return start.fail(nil, "a row of type %s, but the rows before have %d dimensions", v.Type(), a.rank-depth-1)
	}
	if depth+len(v.shape) >= maxRank {
		return start.fail(nil, "an array has more than %d dimensions", maxRank)
	}
	a.elem, a.typed, a.rank = v.elem, true, depth+1+len(v.shape)
	for i, n := range v.shape {
		if len(a.shape) == depth+1+i {
			a.shape = append(a.shape, AnyDim)
		}
		if err := a.close(&start, depth+1+i, n); err != nil {
			return err
		}
	}
	return nil
}

// close checks a row's length against its predecessors at the same depth.
func (a *arrayReader) close(start *Reader, depth, count int) error {
	if have := a.shape[depth]; have != AnyDim && have != count {
		return start.fail(nil, "a row has %d elements, but the rows before have %d", count, have)
	}
	a.shape[depth] = count
	return nil
}

// leaf reads a scalar element. The first one fixes the element type, if it is not known yet.
func (a *arrayReader) leaf() error {
	tok, err := a.token()
	if err != nil {
		return err
	}
	if a.typed {
		if w, ok := quickScalar(tok, a.elem); ok {
			a.append(w)
			a.pos += len(tok)
			return nil
		}
	}
	v, err := a.scalarOf(tok, a.elem, a.typed)
	if err != nil {
		return err
	}
	a.elem, a.typed = v.Type(), true
	a.append(v.Word())
	a.pos += len(tok)
	return nil
}

// append adds an element. Growth is geometric, and each element took at least one byte of input.
func (a *arrayReader) append(w uint64) {
	size := a.elem.Size()
	if cap(a.data)-len(a.data) < size {
		grown := alignedBytes(max(64, 2*cap(a.data)))
		a.data = grown[:copy(grown, a.data)]
	}
	n := len(a.data)
	a.data = a.data[:n+size]
	Value{elem: a.elem, data: a.data[n:]}.SetWord(0, w)
}

// quickScalar reads plain decimal numbers, of a known type, without allocation. What it does not take, the full parser
// reads or refuses.
func quickScalar(tok []byte, t prim.Type) (w uint64, ok bool) {
	digits := tok
	if name := t.String(); len(tok) > len(name) && string(tok[len(tok)-len(name):]) == name {
		digits = tok[:len(tok)-len(name)]
	}
	switch {
	case t.IsInt():
		return quickInt(digits, t)
	case t == prim.F32 && isPlainDecimal(digits):
		f, err := strconv.ParseFloat(unsafe.String(&digits[0], len(digits)), 32)
		return prim.MakeF32(float32(f)).Word(), err == nil
	case t == prim.F64 && isPlainDecimal(digits):
		f, err := strconv.ParseFloat(unsafe.String(&digits[0], len(digits)), 64)
		return prim.MakeF64(f).Word(), err == nil
	default:
		return 0, false
	}
}

// quickInt reads an optional minus sign and up to 18 digits, if the number is within the type's own range.
func quickInt(digits []byte, t prim.Type) (w uint64, ok bool) {
	negative := len(digits) > 0 && digits[0] == '-'
	if negative {
		digits = digits[1:]
	}
	if len(digits) == 0 || len(digits) > 18 {
		return 0, false
	}
	var n int64
	for _, c := range digits {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	if negative {
		n = -n
	}
	w = uint64(n)
	return w, prim.Canonical(t, w) == w && (!negative || t.IsSigned())
}

// isPlainDecimal reports whether s is digits, then optionally a point and digits, then optionally an exponent, with an
// optional minus sign before.
func isPlainDecimal(s []byte) bool {
	i := 0
	digits := func() bool {
		start := i
		for i < len(s) && '0' <= s[i] && s[i] <= '9' {
			i++
		}
		return i > start
	}
	if len(s) > 0 && s[0] == '-' {
		i++
	}
	if !digits() {
		return false
	}
	if i < len(s) && s[i] == '.' {
		if i++; !digits() {
			return false
		}
	}
	if i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		if i++; i < len(s) && (s[i] == '+' || s[i] == '-') {
			i++
		}
		if !digits() {
			return false
		}
	}
	return i == len(s)
}

// stringRow reads a string, which stands for a row of its UTF-8 bytes.
func (a *arrayReader) stringRow(depth int) error {
	if len(a.shape) == depth {
		a.shape = append(a.shape, AnyDim)
	}
	start := *a.Reader
	if a.typed && a.elem != prim.U8 {
		return a.fail(nil, "a string is an array of u8, not of %s", a.elem)
	}
	a.elem, a.typed, a.rank = prim.U8, true, depth+1
	a.pos++
	count := len(a.data)
	for {
		c, ok := a.peek(0)
		if !ok {
			return a.ended()
		}
		switch c {
		case '"':
			a.pos++
			return a.close(&start, depth, len(a.data)-count)
		case '\n':
			return a.fail(nil, "a string is not closed on its line")
		case '\\':
			if err := a.escape(); err != nil {
				return err
			}
		default:
			a.append(uint64(c))
			a.pos++
		}
	}
}

// escapes are the one-letter escapes of strings.
var escapes = map[byte]byte{
	'n': '\n', 't': '\t', 'r': '\r', '"': '"', '\\': '\\', '\'': '\'', 'a': 7, 'b': 8, 'f': 12, 'v': 11,
}

// escape reads a backslash and what follows it: a letter, or a code point in decimal or, after x, in hexadecimal.
func (a *arrayReader) escape() error {
	c, ok := a.peek(1)
	if !ok {
		return a.ended()
	}
	if e, ok := escapes[c]; ok {
		a.append(uint64(e))
		a.pos += 2
		return nil
	}
	base, first := 10, 1
	if c == 'x' {
		base, first = 16, 2
	}
	code, n := 0, first
	for {
		c, _ := a.peek(n)
		digit, err := strconv.ParseUint(string(rune(c)), base, 8)
		if err != nil {
			break
		}
		n++
		if code = code*base + int(digit); code > utf8.MaxRune {
			break
		}
	}
	if n == first || code > utf8.MaxRune {
		return a.fail(nil, "unknown escape in a string")
	}
	for _, b := range utf8.AppendRune(nil, rune(code)) {
		a.append(uint64(b))
	}
	a.pos += n
	return nil
}
