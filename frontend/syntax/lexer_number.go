package syntax

// Note [Numbers]
//
// A number directly after a dot is a field of a tuple: in t.0.1 the lexer must
// not find the number 0.1. So after a dot neither a fraction nor an exponent
// is looked for. A suffix belongs to a number only when all of it is there:
// 1i8 is one token, 1i7 is the number 1 and the name i7. A hexadecimal number
// takes all the hexadecimal digits it can, so that 0x1f32 has no suffix.

// number scans a number that begins with the digit at start: see Note [Numbers].
func (l *scanner) number(start int) Token {
	if l.at(start) == '0' {
		switch l.at(start+1) | 0x20 {
		case 'x':
			if l.is(start+2, classHex) {
				return l.hex(start)
			}
		case 'b':
			if c := l.at(start + 2); c == '0' || c == '1' {
				return l.based(start, isBinary)
			}
		case 'r':
			if isRoman(l.at(start + 2)) {
				return l.based(start, isRoman)
			}
		}
	}
	return l.decimal(start)
}

// isBinary reports whether c is a binary digit.
func isBinary(c byte) bool { return c == '0' || c == '1' }

// isRoman reports whether c is a Roman numeral.
func isRoman(c byte) bool {
	switch c {
	case 'I', 'V', 'X', 'L', 'C', 'D', 'M':
		return true
	default:
		return false
	}
}

// based scans an integer with a prefix of two characters.
func (l *scanner) based(start int, digit func(byte) bool) Token {
	end := start + 2
	for digit(l.at(end)) || l.at(end) == '_' {
		end++
	}
	return l.token(IntNumber, start, end+l.intSuffix(end))
}

// hex scans a hexadecimal integer or floating-point number; the latter has
// both a fraction and an exponent.
func (l *scanner) hex(start int) Token {
	end := l.run(start+2, classHex)
	if l.at(end) == '.' && l.is(end+1, classHex) {
		exp := l.run(end+1, classHex)
		if l.at(exp)|0x20 == 'p' {
			exp++
			if c := l.at(exp); c == '+' || c == '-' {
				exp++
			}
			if l.is(exp, classDigit) {
				exp = l.run(exp, classDigit)
				return l.token(FloatNumber, start, exp+l.floatSuffix(exp))
			}
		}
	}
	return l.token(IntNumber, start, end+l.intSuffix(end))
}

// run is the end of the digits of a class and underscores from i on.
func (l *scanner) run(i int, c uint8) int {
	for l.is(i, c) || l.at(i) == '_' {
		i++
	}
	return i
}

// decimal scans a decimal number.
func (l *scanner) decimal(start int) Token {
	end := l.run(start, classDigit)
	if n := l.intSuffix(end); n > 0 {
		return l.token(IntNumber, start, end+n)
	}
	if start > 0 && l.text[start-1] == '.' {
		return l.token(NatLit, start, end)
	}
	float := end
	if l.at(float) == '.' && l.is(float+1, classDigit) {
		float = l.run(float+1, classDigit)
	}
	if l.at(float)|0x20 == 'e' {
		exp := float + 1
		if c := l.at(exp); c == '+' || c == '-' {
			exp++
		}
		if l.is(exp, classDigit) {
			for l.is(exp, classDigit) {
				exp++
			}
			float = exp
		}
	}
	if n := l.floatSuffix(float); n > 0 || float > end {
		return l.token(FloatNumber, start, float+n)
	}
	return l.token(NatLit, start, end)
}

// intSuffix is the length of the integer type's name at i, or zero.
func (l *scanner) intSuffix(i int) int {
	if c := l.at(i); c != 'i' && c != 'u' {
		return 0
	}
	switch l.at(i + 1) {
	case '8':
		return 2
	case '1':
		return l.suffix(i, '6')
	case '3':
		return l.suffix(i, '2')
	case '6':
		return l.suffix(i, '4')
	default:
		return 0
	}
}

// floatSuffix is the length of the floating-point type's name at i, or zero.
func (l *scanner) floatSuffix(i int) int {
	if l.at(i) != 'f' {
		return 0
	}
	switch l.at(i + 1) {
	case '1':
		return l.suffix(i, '6')
	case '3':
		return l.suffix(i, '2')
	case '6':
		return l.suffix(i, '4')
	default:
		return 0
	}
}

// suffix is three if the suffix at i ends in that digit, else zero: see Note [Numbers].
func (l *scanner) suffix(i int, last byte) int {
	if l.at(i+2) == last {
		return 3
	}
	return 0
}
