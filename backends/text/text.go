package text

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"skald/middle/imp"
	"skald/runtime/prim"
)

// Infix lists the operators that all languages have as such, for types that registers hold as they are.
var Infix = map[prim.BinOp]string{
	prim.Add: "+", prim.Sub: "-", prim.Mul: "*", prim.And: "&", prim.Or: "|", prim.Xor: "^",
	prim.LogAnd: "&&", prim.LogOr: "||",
}

// Index prints arithmetic on indices, which all languages have as it is, with parentheses around each operator. exp prints operands. What
// adds to a sum is written behind it: text of long ones is not copied for each of their terms. ok is false for other expressions.
func Index(e *imp.Bin, exp func(imp.Exp) string) (s string, ok bool) {
	var chain []*imp.Bin
	first := imp.Exp(e)
	for {
		b, isBin := first.(*imp.Bin)
		if !isBin || b.Type != imp.Idx || b.Op != prim.Add && b.Op != prim.Sub && b.Op != prim.Mul {
			break
		}
		chain, first = append(chain, b), b.X
	}
	if len(chain) == 0 {
		return "", false
	}
	var out strings.Builder
	for range chain {
		out.WriteByte('(')
	}
	out.WriteString(exp(first))
	for _, b := range slices.Backward(chain) {
		out.WriteString(" " + Infix[b.Op] + " ")
		out.WriteString(exp(b.Y))
		out.WriteByte(')')
	}
	return out.String(), true
}

// Relations are the comparisons of all languages.
var Relations = [prim.NumCmpOps]string{"==", "!=", "<", "<=", ">", ">="}

// Words is a set of words that are separated by space.
func Words(s string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(s) {
		set[w] = true
	}
	return set
}

// What printers and the support library call their functions, types and constants: by what accesses an array or computes with words at the
// start, or vec and a number, by types at the end, with a capital at the start, or one of a few others.
var (
	functionStarts = Words("load store own word exchange atomic warp cas conv real dd w w4")
	functionEnds   = Words("bool i8 i16 i32 i64 u8 u16 u32 u64 f8 f16 f32 f64 w")
	otherFunctions = Words(
		"claim_failure note_value hidden_zero sign_extend words_from_u64 half_bits half_value pack_half over_pi sqrt_word")
)

// IsFunction reports whether a printer may call a function of its own so, and therefore no variable or array.
func IsFunction(name string) bool {
	if name != "" && 'A' <= name[0] && name[0] <= 'Z' {
		return true
	}
	first, last := strings.IndexByte(name, '_'), strings.LastIndexByte(name, '_')
	if first < 0 {
		return false
	}
	start, end := name[:first], name[last+1:]
	isVector := start != "vec" && strings.TrimRight(start, "0123456789") == "vec"
	return isVector || functionStarts[start] || functionEnds[end] || otherFunctions[name]
}

// Names assigns a name to each variable and array: its own where that is free, else one with its number behind, which for an array is
// an m and the number. Reserved words and what IsFunction knows are never names; those of accessors are no names of arrays.
func Names(vars []imp.VarDecl, mems []imp.MemDecl, accessors map[string]bool, reserved ...map[string]bool) (ofVars, ofMems []string) {
	count := make(map[string]int, len(vars)+len(mems))
	ofVars, ofMems = make([]string, len(vars)), make([]string, len(mems))
	for i := 1; i < len(vars); i++ {
		ofVars[i] = Clean(vars[i].Name)
		count[ofVars[i]]++
	}
	for i, m := range mems {
		ofMems[i] = Clean(m.Name)
		count[ofMems[i]]++
	}
	free := func(base string) bool {
		isReserved := func(words map[string]bool) bool { return words[base] }
		return count[base] == 1 && !slices.ContainsFunc(reserved, isReserved) && !IsFunction(base)
	}
	for i, b := range ofVars {
		if !free(b) {
			ofVars[i] = b + "_" + strconv.Itoa(i)
		}
	}
	for i, b := range ofMems {
		if !free(b) || accessors[b] {
			ofMems[i] = b + "_m" + strconv.Itoa(i)
		}
	}
	return ofVars, ofMems
}

// Entry is what the function of a kernel is called that is number i of a module.
func Entry(k *imp.Kernel, i int) string { return fmt.Sprintf("kernel_%s_%dk", Clean(k.Name), i) }

// Clean makes a name of letters, digits and inner underscores that ends in no
// digit after an underscore, so that a number behind it stays apart.
func Clean(name string) string {
	out := []byte(name)
	for i, c := range out {
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9') {
			out[i] = '_'
		}
	}
	s := strings.Trim(string(out), "_")
	for strings.Contains(s, "__") {
		s = strings.ReplaceAll(s, "__", "_")
	}
	if s == "" || s[0] >= '0' && s[0] <= '9' {
		s = "v" + s
	}
	if i := strings.LastIndexByte(s, '_'); i >= 0 && strings.Trim(s[i+1:], "m0123456789") == "" {
		s = s[:i] + s[i+1:]
	}
	return s
}

// Plain is a printed expression without parentheses around the whole.
func Plain(s string) string {
	if len(s) < 2 || s[0] != '(' || s[len(s)-1] != ')' {
		return s
	}
	depth := 0
	for i, c := range s {
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth == 0 && i < len(s)-1 {
			return s
		}
	}
	return s[1 : len(s)-1]
}

// Title is a comment that says where a kernel comes from.
func Title(k *imp.Kernel) string {
	if k.Where != "" {
		return fmt.Sprintf("// %s, from %s\n", k.Name, strings.ReplaceAll(k.Where, "\n", "\n//   called from "))
	}
	return fmt.Sprintf("// %s\n", k.Name)
}
