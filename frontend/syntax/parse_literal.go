package syntax

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// literal parses a literal.
func (p *parser) literal() Exp {
	t := p.next()
	n, text := Node{p.at(t)}, p.str(t)
	switch t.Kind {
	case NatLit:
		return &IntLit{Node: n, Text: text}
	case IntNumber:
		text, suffix := splitSuffix(text)
		return &IntLit{Node: n, Text: text, Suffix: suffix}
	case FloatNumber:
		text, suffix := splitSuffix(text)
		return &FloatLit{Node: n, Text: text, Suffix: suffix}
	case wordTrue, wordFalse:
		return &BoolLit{Node: n, Value: t.Kind == wordTrue}
	case CharText:
		value := p.unescape(t)
		r, _ := utf8.DecodeRuneInString(value)
		return &CharLit{Node: n, Value: r}
	case StringText:
		return &StringLit{Node: n, Value: p.unescape(t)}
	default:
		p.pos--
		p.unexpected("a literal")
		return nil
	}
}

// splitSuffix splits a number's text into the number and its type suffix.
func splitSuffix(s string) (number, suffix string) {
	i := strings.LastIndexAny(s, "iuf")
	if hex := len(s) > 1 && s[1]|0x20 == 'x'; hex && i >= 0 && s[i] == 'f' {
		// A digit, unless it is behind the exponent.
		if p := strings.IndexAny(s, "pP"); p < 0 || i < p {
			return s, ""
		}
	}
	if i < 0 {
		return s, ""
	}
	return s[:i], s[i:]
}

// Note [Escapes]
//
// Strings and characters are read as Haskell reads them: a backslash is
// before a letter (\n), a code point in decimal (\955), octal (\o17) or
// hexadecimal (\x3bb), a control character (\^A), or the ASCII name of one
// (\ESC). \& stands for nothing, and so ends a number before a digit.

// unescape returns what the string or character of a token stands for: see Note [Escapes].
func (p *parser) unescape(t Token) string {
	text := p.str(t)
	body := text[1 : len(text)-1]
	if strings.IndexByte(body, '\\') < 0 {
		return body
	}
	var b strings.Builder
	for i := 0; i < len(body); {
		if body[i] != '\\' {
			b.WriteByte(body[i])
			i++
			continue
		}
		r, n := escape(body[i+1:])
		if n == 0 {
			at := p.at(t)
			at.Start += int32(i) + 1
			_, size := utf8.DecodeRuneInString(body[i+1:])
			at.End = at.Start + 1 + int32(size)
			p.fail(codeEscape, at, "%s is no escape", quoteText(at.Text()))
		}
		if r >= 0 {
			b.WriteRune(r)
		}
		i += 1 + n
	}
	return b.String()
}

// asciiNames are the names of the control characters that escapes may use, by
// code; space and delete come last.
var asciiNames = []string{
	"NUL", "SOH", "STX", "ETX", "EOT", "ENQ", "ACK", "BEL", "BS", "HT", "LF", "VT", "FF", "CR", "SO", "SI",
	"DLE", "DC1", "DC2", "DC3", "DC4", "NAK", "SYN", "ETB", "CAN", "EM", "SUB", "ESC", "FS", "GS", "RS", "US",
	"SP",
}

// escape decodes the text after a backslash: a rune (negative for none) and how
// many bytes it takes, zero if there is no such escape.
func escape(s string) (r rune, n int) {
	if s == "" {
		return 0, 0
	}
	if i := strings.IndexByte("abfnrtv\\\"'", s[0]); i >= 0 {
		return rune("\a\b\f\n\r\t\v\\\"'"[i]), 1
	}
	switch c := s[0]; {
	case c == '&':
		return -1, 1
	case c == '^' && len(s) > 1 && '@' <= s[1] && s[1] <= '_':
		return rune(s[1] - '@'), 2
	case c == 'o':
		return codePoint(s, 1, 8)
	case c == 'x' || c == 'X':
		return codePoint(s, 1, 16)
	case class[c]&classDigit != 0:
		return codePoint(s, 0, 10)
	}
	if strings.HasPrefix(s, "DEL") {
		return 127, 3
	}
	best := -1
	for code, name := range asciiNames {
		if strings.HasPrefix(s, name) && (best < 0 || len(name) > len(asciiNames[best])) {
			best = code
		}
	}
	if best < 0 {
		return 0, 0
	}
	return rune(best), len(asciiNames[best])
}

// codePoint decodes digits of a base from the offset on.
func codePoint(s string, from, base int) (r rune, n int) {
	end := from
	for end < len(s) {
		d, err := strconv.ParseUint(s[end:end+1], 16, 8)
		if err != nil || int(d) >= base {
			break
		}
		end++
	}
	v, err := strconv.ParseUint(s[from:end], base, 32)
	if err != nil || v > utf8.MaxRune {
		return 0, 0
	}
	return rune(v), end
}
