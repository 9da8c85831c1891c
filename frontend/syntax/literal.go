package syntax

import (
	"math/big"
	"strconv"
	"strings"
)

// IntLit is an integer: decimal, 0x, 0b or 0r (Roman), perhaps with a suffix.
// Its value is decoded on demand, since large tables of numbers are common.
type IntLit struct {
	Node
	// Text is the number as written, without its suffix.
	Text string
	// Suffix names an integer type, such as "i32", or is empty.
	Suffix string
}

// FloatLit is a floating-point number, decimal or hexadecimal; also an integer
// with the suffix of a floating-point type.
type FloatLit struct {
	Node
	// Text is the number as written, without its suffix.
	Text string
	// Suffix is "f16", "f32", "f64" or empty.
	Suffix string
}

// CharLit is a character, which stands for its code point as an integer.
type CharLit struct {
	Node
	Value rune
}

// StringLit is a string, which stands for the array of its UTF-8 bytes.
type StringLit struct {
	Node
	Value string
}

// BoolLit is true or false.
type BoolLit struct {
	Node
	Value bool
}

// digits splits an integer's text into base and digits without underscores;
// base zero means Roman numerals.
func (l *IntLit) digits() (base int, digits string) {
	base, digits = 10, l.Text
	if len(digits) > 2 && digits[0] == '0' {
		switch digits[1] {
		case 'x', 'X':
			base, digits = 16, digits[2:]
		case 'b', 'B':
			base, digits = 2, digits[2:]
		case 'r', 'R':
			base, digits = 0, digits[2:]
		}
	}
	if strings.IndexByte(digits, '_') >= 0 {
		digits = strings.ReplaceAll(digits, "_", "")
	}
	return base, digits
}

// Big is the value, however large.
func (l *IntLit) Big() *big.Int {
	base, digits := l.digits()
	if base == 0 {
		return new(big.Int).SetUint64(roman(digits))
	}
	v, ok := new(big.Int).SetString(digits, base)
	if !ok {
		return new(big.Int)
	}
	return v
}

// romanDigits are the Roman numerals from the largest.
var romanDigits = []struct {
	text  string
	value uint64
}{
	{"M", 1000},
	{"CM", 900},
	{"D", 500},
	{"CD", 400},
	{"C", 100},
	{"XC", 90},
	{"L", 50},
	{"XL", 40},
	{"X", 10},
	{"IX", 9},
	{"V", 5},
	{"IV", 4},
	{"I", 1},
}

// roman adds up a Roman numeral. Any order of digits is accepted; two digits
// that subtract count together.
func roman(s string) uint64 {
	var sum uint64
	for s != "" {
		n := len(s)
		for _, d := range romanDigits {
			if rest, ok := strings.CutPrefix(s, d.text); ok {
				sum, s = sum+d.value, rest
				break
			}
		}
		if len(s) == n {
			return sum
		}
	}
	return sum
}

// Float64 is the value rounded to the nearest float64; too large a value is
// infinite.
func (l *FloatLit) Float64() float64 {
	v, _ := strconv.ParseFloat(l.canonical(), 64)
	return v
}

// Float32 is the value rounded once to the nearest float32.
func (l *FloatLit) Float32() float32 {
	v, _ := strconv.ParseFloat(l.canonical(), 32)
	return float32(v)
}

// canonical is the text as Go's strconv reads it.
func (l *FloatLit) canonical() string {
	s := l.Text
	if strings.IndexByte(s, '_') >= 0 {
		s = strings.ReplaceAll(s, "_", "")
	}
	return s
}
