package prim

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// Note [Scalar text]
//
// Scalars are written as in Futhark's source and data: an integer with its type as suffix (-1i32), a float in decimal
// with a point or exponent (1.5f32, 1.0e-7f64), f32.nan, f32.inf, -f32.inf, true and false. Floats are printed with as
// few digits as read back to the same bits. Reading also takes a leading +, underscores between digits, hexadecimal
// and binary integers, hexadecimal floats (0x1.8p1f32), and text without a suffix. An integer literal may be anything
// that fits in the type's width as either a signed or an unsigned number: 255i8 and 0xFFi8 are -1i8. Payloads of NaNs
// are not written.

// String returns the value as Futhark text that reads back as the same value: see Note [Scalar text].
func (v Value) String() string { return string(v.AppendText(nil)) }

// AppendText appends the value as Futhark text to dst.
func (v Value) AppendText(dst []byte) []byte {
	switch {
	case v.typ == Bool:
		return strconv.AppendBool(dst, v.word != 0)
	case v.typ.IsFloat():
		return appendFloat(dst, v.typ, v.Float())
	case v.typ.IsSigned():
		dst = strconv.AppendInt(dst, int64(v.word), 10)
	default:
		dst = strconv.AppendUint(dst, v.word, 10)
	}
	return append(dst, v.typ.String()...)
}

func appendFloat(dst []byte, t Type, f float64) []byte {
	switch {
	case math.IsNaN(f):
		return append(append(dst, t.String()...), ".nan"...)
	case math.IsInf(f, 0):
		if f < 0 {
			dst = append(dst, '-')
		}
		return append(append(dst, t.String()...), ".inf"...)
	}
	dst = appendDigits(dst, t, f)
	return append(dst, t.String()...)
}

// appendDigits writes a finite float without its suffix: plainly for moderate magnitudes, else in scientific notation,
// and always with a decimal point.
func appendDigits(dst []byte, t Type, f float64) []byte {
	bitSize := 64
	switch t {
	case F16:
		f = shortHalf(f)
	case F32:
		bitSize = 32
	default:
	}
	format := byte('f')
	if a := math.Abs(f); a != 0 && (a < 1e-4 || a >= 1e16) {
		format = 'e'
	}
	var buf [32]byte
	digits := strconv.AppendFloat(buf[:0], f, format, -1, bitSize)
	mantissa, exponent, scientific := bytes.Cut(digits, []byte{'e'})
	dst = append(dst, mantissa...)
	if bytes.IndexByte(mantissa, '.') < 0 {
		dst = append(dst, ".0"...)
	}
	if scientific {
		dst = append(dst, 'e')
		if exponent[0] == '-' {
			dst = append(dst, '-')
		}
		dst = append(dst, bytes.TrimLeft(exponent, "+-0")...)
	}
	return dst
}

// shortHalf returns the float64 with the fewest significant decimal digits that rounds to the same f16 as f.
func shortHalf(f float64) float64 {
	want := HalfFromFloat64(f)
	for n := range 5 {
		g, err := strconv.ParseFloat(strconv.FormatFloat(f, 'e', n, 64), 64)
		if err == nil && HalfFromFloat64(g) == want {
			return g
		}
	}
	return f
}

// ErrSyntax says that a text is no scalar at all; a RangeError that it is one which its type cannot hold.
var ErrSyntax = errors.New("not a scalar value")

// RangeError is a literal that its type cannot represent. If it carries its type as suffix and its magnitude is below
// 2^64, Wrapped is its low bits: what the reference implementation makes of such a literal in data.
type RangeError struct {
	Text    string
	Type    Type
	Wrapped *Value
}

// Error names the literal and the type.
func (e *RangeError) Error() string { return fmt.Sprintf("%s is out of range for %s", e.Text, e.Type) }

// TypeError is a literal whose suffix says another type than the expected one.
type TypeError struct {
	Text       string
	Want, Have Type
}

// Error names both types.
func (e *TypeError) Error() string {
	return fmt.Sprintf("expected a value of type %s, but %s is of type %s", e.Want, e.Text, e.Have)
}

// ParseValue reads a scalar. Without a suffix, integers are i32 and floats are f64: see Note [Scalar text].
func ParseValue(text string) (Value, error) {
	lit, err := scanLiteral(text)
	if err != nil {
		return Value{}, err
	}
	if !lit.typed {
		lit.typ = I32
		if lit.fractional {
			lit.typ = F64
		}
	}
	return lit.value(text)
}

// ParseValueAs reads a scalar of a known type. A suffix must agree with the type; without a suffix, numbers are read
// as the type, and integer digits may stand for a float.
func ParseValueAs(text string, t Type) (Value, error) {
	lit, err := scanLiteral(text)
	if err != nil {
		return Value{}, err
	}
	switch {
	case lit.typed && lit.typ != t:
		return Value{}, &TypeError{Text: text, Want: t, Have: lit.typ}
	case !lit.typed && (t == Bool || lit.fractional && t.IsInt()):
		have := I32
		if lit.fractional {
			have = F64
		}
		return Value{}, &TypeError{Text: text, Want: t, Have: have}
	}
	lit.typ = t
	return lit.value(text)
}

// literal is a scanned scalar: either special (a word), or digits still to be converted.
type literal struct {
	typ        Type
	typed      bool
	negative   bool
	fractional bool   // has a point or exponent
	base       int    // of the digits: 2, 10 or 16
	digits     string // no sign, base prefix, underscores or suffix
	special    bool
	word       uint64
}

// scanLiteral splits a literal into its parts and checks its shape.
func scanLiteral(text string) (literal, error) {
	var lit literal
	s := text
	switch {
	case s == "true" || s == "false":
		return literal{typ: Bool, typed: true, special: true, word: boolWord(s == "true")}, nil
	case strings.HasPrefix(s, "-"):
		lit.negative, s = true, s[1:]
	case strings.HasPrefix(s, "+"):
		s = s[1:]
	}
	if name, kind, ok := strings.Cut(s, "."); ok && (kind == "nan" || kind == "inf") {
		return lit.named(name, kind)
	}
	lit.base = 10
	if len(s) > 2 && s[0] == '0' {
		switch s[1] {
		case 'x', 'X':
			lit.base, s = 16, s[2:]
		case 'b', 'B':
			lit.base, s = 2, s[2:]
		}
	}
	rest := lit.scanDigits(s)
	lit.digits = s[:len(s)-len(rest)]
	if rest != "" {
		t, ok := ParseType(rest)
		if !ok || t == Bool || lit.fractional && !t.IsFloat() {
			return literal{}, ErrSyntax
		}
		lit.typ, lit.typed = t, true
	}
	if strings.Contains(lit.digits, "_") {
		lit.digits = strings.ReplaceAll(lit.digits, "_", "")
	}
	if lit.digits == "" {
		return literal{}, ErrSyntax
	}
	return lit, nil
}

// named makes the literals f32.nan, f32.inf and their like.
func (lit literal) named(name, kind string) (literal, error) {
	t, ok := ParseType(name)
	if !ok || !t.IsFloat() {
		return literal{}, ErrSyntax
	}
	f := math.NaN()
	if kind == "inf" {
		f = math.Inf(1)
	}
	lit.typ, lit.typed, lit.special = t, true, true
	lit.word = floatWord(t, f)
	if lit.negative && kind == "inf" {
		lit.word = unWords[t][Neg](lit.word)
	}
	return lit, nil
}

// scanDigits takes digits, a fraction and an exponent off the front of s; it notes whether the latter two occur and
// returns the rest. In a hexadecimal literal the letters a to f are digits, so only one with a binary exponent (which
// hexadecimal floats must have) or an integer can carry a suffix.
func (lit *literal) scanDigits(s string) string {
	i := skipDigits(s, 0, lit.base)
	if i == 0 || s[0] == '_' {
		return s
	}
	if lit.base == 2 {
		return s[i:]
	}
	end := i
	if end < len(s) && s[end] == '.' {
		if j := skipDigits(s, end+1, lit.base); j > end+1 {
			end = j
			lit.fractional = true
		}
	}
	if end < len(s) && strings.IndexByte(exponentLetters(lit.base), s[end]) >= 0 {
		j := end + 1
		if j < len(s) && (s[j] == '+' || s[j] == '-') {
			j++
		}
		if k := skipDigits(s, j, 10); k > j {
			lit.fractional = true
			return s[k:]
		}
	}
	if lit.base == 16 {
		lit.fractional = false
		return s[i:]
	}
	return s[end:]
}

func exponentLetters(base int) string {
	if base == 16 {
		return "pP"
	}
	return "eE"
}

func skipDigits(s string, i, base int) int {
	for i < len(s) && (s[i] == '_' || isDigit(s[i], base)) {
		i++
	}
	return i
}

func isDigit(c byte, base int) bool {
	switch base {
	case 2:
		return c == '0' || c == '1'
	case 10:
		return '0' <= c && c <= '9'
	default:
		return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
	}
}

// value converts a literal whose type is settled; text is for messages.
func (lit literal) value(text string) (Value, error) {
	switch {
	case lit.special:
		return Value{lit.typ, lit.word}, nil
	case lit.typ.IsFloat():
		return lit.floatValue(text)
	}
	n, err := strconv.ParseUint(lit.digits, lit.base, 64)
	if err != nil {
		return Value{}, &RangeError{Text: text, Type: lit.typ}
	}
	limit := ^uint64(0) >> (64 - lit.typ.Bits())
	if lit.negative {
		limit = limit>>1 + 1
	}
	tooLarge := n > limit
	if lit.negative {
		n = -n
	}
	v := FromWord(lit.typ, n)
	switch {
	case tooLarge && lit.typed:
		return Value{}, &RangeError{Text: text, Type: lit.typ, Wrapped: &v}
	case tooLarge:
		return Value{}, &RangeError{Text: text, Type: lit.typ}
	default:
		return v, nil
	}
}

// floatValue rounds the literal once to its type. Literals beyond the largest finite value become infinite.
func (lit literal) floatValue(text string) (Value, error) {
	s := lit.digits
	switch {
	case lit.base == 2 || lit.base == 16 && !lit.fractional:
		n, ok := new(big.Int).SetString(s, lit.base)
		if !ok {
			return Value{}, ErrSyntax
		}
		s = n.String()
	case lit.base == 16:
		s = "0x" + s
	}
	bitSize := 64
	if lit.typ == F32 {
		bitSize = 32
	}
	f, err := strconv.ParseFloat(s, bitSize)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return Value{}, ErrSyntax
	}
	if lit.typ == F16 {
		f = breakHalfTie(f, s)
	}
	if lit.negative {
		f = math.Copysign(f, -1)
	}
	return Value{lit.typ, floatWord(lit.typ, f)}, nil
}

// breakHalfTie prepares f, the float64 nearest to the number s, for rounding to f16. If f lies midway between two f16
// values while s does not, f is moved a little towards s, so that f rounds to what s would.
func breakHalfTie(f float64, s string) float64 {
	if f == 0 || math.IsInf(f, 0) || math.Float64bits(f)&(1<<41-1) != 0 {
		return f // a midpoint has at most 12 significant bits
	}
	exact, ok := new(big.Rat).SetString(s)
	if !ok {
		return f
	}
	switch exact.Cmp(new(big.Rat).SetFloat64(f)) {
	case 1:
		return math.Nextafter(f, math.Inf(1))
	case -1:
		return math.Nextafter(f, 0)
	default:
		return f
	}
}
