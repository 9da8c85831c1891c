package main

import (
	"regexp"
	"strings"
	"testing"

	"skald/runtime/prim"
	"skald/shaders"
)

// infix reports whether the languages write an operator at a type without our help, in a dialect that lacks the type's
// native form if words is set.
func infix(op prim.BinOp, t prim.Type, words bool) bool {
	switch op {
	case prim.Add, prim.Sub, prim.Mul:
		return !words
	case prim.And, prim.Or, prim.Xor:
		return !words
	case prim.Div:
		return t.IsFloat() && !words
	case prim.LogAnd, prim.LogOr:
		return true
	default:
		return t == prim.Bool
	}
}

func TestEveryOperatorAndFunctionOfFutharkIsThere(t *testing.T) {
	for _, d := range []shaders.Dialect{
		shaders.Portable, shaders.Native,
		{Language: shaders.WGSL, Int64: true},
		{Language: shaders.CUDA},
		{Language: shaders.C},
	} {
		want := func(name string) {
			if _, ok := shaders.Lookup(d, name); !ok {
				t.Errorf("%+v: no %s", d, name)
			}
		}
		for _, typ := range prim.AllTypes() {
			for f := range prim.Func(prim.NumFuncs) {
				if f.Accepts(typ) {
					want(f.String() + "_" + typ.String())
				}
			}
			isWGSL := d.Language == shaders.WGSL
			words := isWGSL && (typ == prim.I64 || typ == prim.U64) && !d.Int64 ||
				isWGSL && typ == prim.F64 && !d.Float64 || typ == prim.F16 && !d.Float16
			for op := range prim.BinOp(prim.NumBinOps) {
				if op.Accepts(typ) && !infix(op, typ, words) {
					want(op.String() + "_" + typ.String())
				}
			}
		}
	}
}

// commented are dialects that have all functions between them.
var commented = []shaders.Dialect{shaders.Portable, shaders.Native, {Language: shaders.CUDA}, {Language: shaders.C}}

// A comment says what the result is, its error bound, where the algorithm comes from, and what NaN, infinities, zeros
// and numbers outside the domain give.
var commentOfInexact = regexp.MustCompile(`^\w+\([^)]*\) is .+, within \d+ ulp, by (.+?)\. [A-Z0-9-].+\.$`)

func TestCommentsOfInexactFunctionsAreComplete(t *testing.T) {
	for _, d := range commented {
		_, _, loose := public(d)
		for _, x := range loose {
			name := x.sig.Name
			f, _ := shaders.Lookup(d, name)
			m := commentOfInexact.FindStringSubmatch(oneLine(f.Doc))
			if m == nil {
				t.Errorf("%+v: the comment of %s is incomplete: %s", d, name, oneLine(f.Doc))
				continue
			}
			text, err := shaders.Library(d, []string{name})
			if err != nil {
				t.Fatal(err)
			}
			for _, used := range originsIn(m[1]) {
				if !regexp.MustCompile(`\b` + used + `\(`).MatchString(text) {
					t.Errorf("%+v: %s does not use %s", d, name, used)
				}
			}
			if most := mostULP(name); x.bound < 1 || x.bound > most {
				t.Errorf("%+v: the bound of %s is %g, not within 1 and %g", d, name, x.bound, most)
			}
		}
	}
}

// originsIn lists the functions that an origin names: ours have an underscore, others an owner.
func originsIn(origin string) []string {
	name := regexp.MustCompile(`\b(?:C|CUDA)'s (\w+)|\b(\w+_\w*[a-z]\w*)\b`)
	var names []string
	for _, m := range name.FindAllStringSubmatch(origin, -1) {
		if name := m[1] + m[2]; name != "e_logf" { // A file whose method was taken.
			names = append(names, name)
		}
	}
	return names
}

// mostULP is the largest bound that is acceptable.
func mostULP(name string) float64 {
	switch strings.TrimSuffix(name, "_f64") {
	case "gamma", "lgamma", "erfc":
		return 4
	default:
		return 2
	}
}

func TestCommentsOfExactFunctionsHaveNoBound(t *testing.T) {
	for _, d := range commented {
		exact, _, _ := public(d)
		for _, s := range exact {
			if f, _ := shaders.Lookup(d, s.Name); boundInComment.MatchString(oneLine(f.Doc)) {
				t.Errorf("%+v: %s", d, f.Doc)
			}
		}
	}
}
