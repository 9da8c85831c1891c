package syntax_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"skald/frontend/diag"
	"skald/frontend/source"
	"skald/frontend/syntax"
)

// sexp writes a tree as nested lists, without places and without parentheses,
// so that texts that mean the same give the same.
func sexp(node any) string {
	var b strings.Builder
	writeSexp(&b, reflect.ValueOf(node))
	return b.String()
}

func writeSexp(b *strings.Builder, v reflect.Value) {
	switch x := v.Interface().(type) {
	case source.Span, syntax.Node:
		return
	case syntax.QualName:
		b.WriteString(x.String())
		return
	case syntax.Name:
		b.WriteString(x.Text)
		return
	case *syntax.Parens:
		writeSexp(b, reflect.ValueOf(x.Body))
		return
	case *syntax.TypeParens:
		writeSexp(b, reflect.ValueOf(x.Body))
		return
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			b.WriteString("-")
		} else {
			writeSexp(b, v.Elem())
		}
	case reflect.Slice:
		b.WriteString("[")
		for i := range v.Len() {
			if i > 0 {
				b.WriteString(" ")
			}
			writeSexp(b, v.Index(i))
		}
		b.WriteString("]")
	case reflect.Struct:
		b.WriteString("(" + v.Type().Name())
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if f.Name == "Node" || f.Name == "At" || f.Name == "Uniform" {
				continue
			}
			b.WriteString(" ")
			writeSexp(b, v.Field(i))
		}
		b.WriteString(")")
	default:
		fmt.Fprintf(b, "%v", v.Interface())
	}
}

// exp parses an expression that must parse.
func exp(t *testing.T, text string) syntax.Exp {
	t.Helper()
	var sink diag.Sink
	e := syntax.ParseExp(source.NewFile("exp", text), &sink)
	if sink.HasErrors() {
		t.Errorf("%s: %v", text, sink.All()[0])
	}
	return e
}

func TestExpressionsGroup(t *testing.T) {
	for _, c := range []struct{ text, grouped string }{
		{"a + b * c", "a + (b * c)"},
		{"a - b - c", "(a - b) - c"},
		{"a ** b ** c", "(a ** b) ** c"},
		{"-a ** b", "(-a) ** b"},
		{"-f x + y", "(-(f x)) + y"},
		{"!a && b", "(!a) && b"},
		{"- -a", "-(-a)"},
		{"a || b && c == d | e << f + g * h ** i", "a || (b && (c == (d | (e << (f + (g * (h ** i)))))))"},
		{"a & b | c ^ d", "((a & b) | c) ^ d"},
		{"a // b %% c / d % e", "(((a // b) %% c) / d) % e"},
		{"xs |> f |> g", "(xs |> f) |> g"},
		{"f <| g <| x", "f <| (g <| x)"},
		{"x |> f <| y", "x |> (f <| y)"},
		{"a |> b || c", "a |> (b || c)"},
		{"a <+> b < c", "(a <+> b) < c"},
		{"a +^ b * c", "a +^ (b * c)"},
		{"a !% b + c", "a !% (b + c)"},
		{"a =+ b * c", "a =+ (b * c)"},
		{"a m.+ b m.n.* c", "a m.+ (b m.n.* c)"},
		{"a `f` b + c", "a `f` (b + c)"},
		{"a `f` b `m.g` c", "(a `f` b) `m.g` c"},
		{"a `f` b with [i] = c", "a `f` (b with [i] = c)"},
		{"a...b+1", "a...(b+1)"},
		{"a..b..<c `f` d", "a..b..<(c `f` d)"},
		{"a + b with [i] = c + d", "(a + b) with [i] = (c + d)"},
		{"a with [i] = b with [j] = c", "(a with [i] = b) with [j] = c"},
		{"a with f[i].0 = b", "a with .f[i].0 = b"},
		{"a + b : t", "(a + b) : t"},
		{"a...b : t :> u", "((a...b) : t) :> u"},
		{"a + if b then c else d + e", "a + (if b then c else (d + e))"},
		{"if a then b else if c then d else e : t", "if a then b else (if c then d else (e : t))"},
		{"a + let x = b in c : t", "a + (let x = b in (c : t))"},
		{"let x = a let y = b in c", "let x = a in (let y = b in c)"},
		{`f x \y -> z : t`, `f x (\y -> (z : t))`},
		{`a + \x -> x + y`, `a + (\x -> (x + y))`},
		{"assert a[0] b + c", "assert (a[0]) (b + c)"},
		{"#[unsafe] a + b : t", "#[unsafe] ((a + b) : t)"},
		{"a + #[unsafe] b + c", "a + (#[unsafe] (b + c))"},
		{"f a.b c.0 d[0] (e).g", "f (a.b) (c.0) (d[0]) ((e).g)"},
		{"#foo #bar x", "#foo (#bar) x"},
		{"loop x = a + b for i < n - 1 do x + i : t", "loop x = (a + b) for i < (n - 1) do ((x + i) : t)"},
		{"match a case x -> match b case y -> c case z -> d", "match a case x -> (match b case y -> c case z -> d)"},
		{"f [a] [b]", "f ([a]) ([b])"},
		{"(a +) b", "((a +)) b"},
		{"(+ a * b)", "(+ (a * b))"},
		{"(a * b +)", "((a * b) +)"},
		{"a - -1", "a - (-1)"},
		{"[a : t, b]", "[(a : t), b]"},
		{"a[b+c:d:-1]", "a[(b+c):d:(-1)]"},
	} {
		if got, want := sexp(exp(t, c.text)), sexp(exp(t, c.grouped)); got != want {
			t.Errorf("%s\n is %s\n not %s", c.text, got, want)
		}
	}
}

func TestSpacingDecides(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"a[0]", "(Index (Var a) [(DimIndex (IntLit 0 ) - - -)])"},
		{"a [0]", "(Apply (Var a) [(ArrayLit [(IntLit 0 )])])"},
		{"(a)[0]", "(Index (Var a) [(DimIndex (IntLit 0 ) - - -)])"},
		{"a[0][1]", "(Index (Index (Var a) [(DimIndex (IntLit 0 ) - - -)]) [(DimIndex (IntLit 1 ) - - -)])"},
		{"a -1", "(BinOp - false (Var a) (IntLit 1 ))"},
		{"(-1)", "(Negate (IntLit 1 ))"},
		{"(-)", "(Section - false)"},
		{"(a-)", "(LeftSection (Var a) - false)"},
		{"t.0.1", "(Project (Project (Var t) 0) 1)"},
		{"a.b.c", "(Var a.b.c)"},
		{"m.(a.b)", "(OpenIn m (Var a.b))"},
		{"(`f` x)", "(RightSection f true (Var x))"},
		{"(`f`)", "(Section f true)"},
		{"(x `m.f`)", "(LeftSection (Var x) m.f true)"},
		{"(.a.b[i])", "(PathSection [(StepField a) (StepField b) (StepIndex [(DimIndex (Var i) - - -)])])"},
		{"(.[i].a)", "(PathSection [(StepIndex [(DimIndex (Var i) - - -)]) (StepField a)])"},
		{"f'x' 'x'", "(Apply (Var f'x') [(CharLit 120)])"},
		{"1i8 1f16 1.5f32 0x1f32 1e3 0b11u8 0rXIV 1_000", "(Apply (IntLit 1 i8) [(FloatLit 1 f16) (FloatLit 1.5 f32) " +
			"(IntLit 0x1f32 ) (FloatLit 1e3 ) (IntLit 0b11 u8) (IntLit 0rXIV ) (IntLit 1_000 )])"},
		{"0x1.8p3f64", "(FloatLit 0x1.8p3 f64)"},
		{"let f x = x in f", "(LetFun f [] [(PatName x)] - (Var x) (Var f))"},
		{"let f [n] (x: t) = x in f", "(LetFun f [(TypeParam n true )] " +
			"[(PatParens (PatAscript (PatName x) (TypeVar t)))] - (Var x) (Var f))"},
		{"let a[n] = x in a", "(LetWith a [(StepIndex [(DimIndex (Var n) - - -)])] (Var x) (Var a))"},
		{"let [n][m] x = y in z", "(LetPat [n m] (PatName x) (Var y) (Var z))"},
		{"{a, b = c, 0 = d,}", "(RecordLit [(RecordField a (Var a) true) " +
			"(RecordField b (Var c) false) (RecordField 0 (Var d) false)])"},
		{"a[:,1:,:2,::3]", "(Index (Var a) [(DimIndex - - - -) (DimIndex - (IntLit 1 ) - -) " +
			"(DimIndex - - (IntLit 2 ) -) (DimIndex - - - (IntLit 3 ))])"},
		{"x + ???", "(BinOp + false (Var x) (Hole))"},
		{"()", "(TupleLit [])"},
	} {
		if got := sexp(exp(t, c.text)); got != c.want {
			t.Errorf("%s\n is %s\n not %s", c.text, got, c.want)
		}
	}
}

func TestTypesGroup(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"a -> b -> c", "(TypeArrow  (TypeVar a) (TypeArrow  (TypeVar b) (TypeVar c)))"},
		{"(x: a) -> [x]b", "(TypeArrow x (TypeVar a) (TypeArray (SizeExp (Var x)) (TypeVar b)))"},
		{"[n]t a", "(TypeArray (SizeExp (Var n)) (TypeApply (TypeVar t) [(TypeArg - (TypeVar a))]))"},
		{"t [n] a", "(TypeApply (TypeVar t) [(TypeArg (SizeExp (Var n)) -) (TypeArg - (TypeVar a))])"},
		{"t [n][] m.a", "(TypeApply (TypeVar t) [(TypeArg (SizeExp (Var n)) -) " +
			"(TypeArg (SizeExp -) -) (TypeArg - (TypeVar m.a))])"},
		{"*[]a", "(TypeUnique (TypeArray (SizeExp -) (TypeVar a)))"},
		{"?[n][m].[n][m]a", "(TypeExists [n m] (TypeArray (SizeExp (Var n)) (TypeArray (SizeExp (Var m)) (TypeVar a))))"},
		{"#a b c | #d", "(TypeSum [(TypeClause a [(TypeVar b) (TypeVar c)]) (TypeClause d [])])"},
		{"#a [n]b | #d", "(TypeSum [(TypeClause a [(TypeArray (SizeExp (Var n)) (TypeVar b))]) (TypeClause d [])])"},
		{"{0: a, b: c,}", "(TypeRecord [(TypeField 0 (TypeVar a)) (TypeField b (TypeVar c))])"},
		{"(a, b)", "(TypeTuple [(TypeVar a) (TypeVar b)])"},
		{"[n+1](a -> b)", "(TypeArray (SizeExp (BinOp + false (Var n) (IntLit 1 ))) (TypeArrow  (TypeVar a) (TypeVar b)))"},
	} {
		var sink diag.Sink
		typ := syntax.ParseTypeExp(source.NewFile("type", c.text), &sink)
		if sink.HasErrors() {
			t.Errorf("%s: %v", c.text, sink.All()[0])
		} else if got := sexp(typ); got != c.want {
			t.Errorf("%s\n is %s\n not %s", c.text, got, c.want)
		}
	}
}

func TestPatternsGroup(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"#c (a, _) -1 #d", "(PatConstr c [(PatTuple [(PatName a) (PatWild)]) (PatLit true (IntLit 1 )) (PatConstr d [])])"},
		{"{a, b = c, d: t}", "(PatRecord [(RecordPatField a (PatName a) true) (RecordPatField b (PatName c) false) " +
			"(RecordPatField d (PatAscript (PatName d) (TypeVar t)) true)])"},
		{"#[a(b, 1)] x : t", "(PatAttr (Attr a - [(Attr b - [] false) (Attr  (IntLit 1 ) [] false)] true) " +
			"(PatAscript (PatName x) (TypeVar t)))"},
		{"(+)", "(PatName +)"},
		{"'a'", "(PatLit false (CharLit 97))"},
	} {
		var sink diag.Sink
		pat := syntax.ParsePat(source.NewFile("pat", c.text), &sink)
		if sink.HasErrors() {
			t.Errorf("%s: %v", c.text, sink.All()[0])
		} else if got := sexp(pat); got != c.want {
			t.Errorf("%s\n is %s\n not %s", c.text, got, c.want)
		}
	}
}

func TestLiteralsHaveTheirValues(t *testing.T) {
	for text, want := range map[string]uint64{
		"0": 0, "1_000": 1000, "0xfF_f": 0xfff, "0b1_01": 5, "0rMCMXLIV": 1944, "0rXIV": 14,
		"18446744073709551615": 1<<64 - 1,
	} {
		lit := exp(t, text).(*syntax.IntLit)
		if got := lit.Big(); !got.IsUint64() || got.Uint64() != want {
			t.Errorf("%s is %v", text, got)
		}
	}
	big := exp(t, "18446744073709551616").(*syntax.IntLit)
	if big.Big().String() != "18446744073709551616" {
		t.Error("a literal that does not fit is read wrong")
	}
	for text, want := range map[string]float64{"1.5": 1.5, "1_0e-1": 1, "0x1.8p3": 12, "3f64": 3, "0x0.1p-2": 1.0 / 64} {
		if got := exp(t, text).(*syntax.FloatLit).Float64(); got != want {
			t.Errorf("%s is %v", text, got)
		}
	}
	for text, want := range map[string]string{
		`"a\n\t\"\\"`: "a\n\t\"\\", `"\955\&1"`: "λ1", `"\x3bb\o101"`: "λA", `"ø"`: "ø",
		`"\ESC\SO\&H\SOH\^A"`: "\x1b\x0eH\x01\x01",
	} {
		if got := exp(t, text).(*syntax.StringLit).Value; got != want {
			t.Errorf("%s is %q", text, got)
		}
	}
	for text, want := range map[string]rune{
		`'a'`: 'a', `'\n'`: '\n', `'\''`: '\'', `'\955'`: 'λ', `'ø'`: 'ø', `' '`: ' ',
	} {
		if got := exp(t, text).(*syntax.CharLit).Value; got != want {
			t.Errorf("%s is %q", text, got)
		}
	}
}

func TestUniformArraysAreMarked(t *testing.T) {
	for text, want := range map[string]bool{
		"[1, 2, 3]": true, "[1, 2, 3, 4, 5, 6, 7, 8, 9]": true, "[1, 2, 3, 4, 5, 6, 7, 8, x]": false,
		"[1.0f32, 2f32]": true, "[1, 2i8]": false, "[true, false]": true, "[-1]": false, "[]": false,
		"[1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5f32]": false,
	} {
		if got := exp(t, text).(*syntax.ArrayLit).Uniform; got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

func TestNodesKnowTheirPlaces(t *testing.T) {
	const text = "-- | Doc.\n\n-- | Of f.\n#[inline] local def f (x: i32) : i32 = x + g.y x\n"
	tree, sink := parse("a.fut", text)
	if sink.HasErrors() {
		t.Fatal(sink.All()[0])
	}
	if tree.Doc == nil || tree.Doc.Text != "Doc." {
		t.Errorf("the file's comment is %v", tree.Doc)
	}
	local := tree.Decs[0].(*syntax.LocalDec)
	if local.Doc == nil || local.Doc.Text != "Of f." || len(local.Attrs) != 1 {
		t.Errorf("the declaration's header is %+v", local.DecHeader)
	}
	f := local.Dec.(*syntax.ValDec)
	body := f.Body.(*syntax.BinOp)
	for _, c := range []struct {
		at   source.Span
		want string
	}{
		{local.Span(), "#[inline] local def f (x: i32) : i32 = x + g.y x"},
		{f.Span(), "def f (x: i32) : i32 = x + g.y x"},
		{f.Name.At, "f"},
		{f.Params[0].Span(), "(x: i32)"},
		{f.Result.Span(), "i32"},
		{body.Span(), "x + g.y x"},
		{body.Op.Span(), "+"},
		{body.Right.Span(), "g.y x"},
		{body.Right.(*syntax.Apply).Fun.(*syntax.Var).Name.Quals[0].At, "g"},
	} {
		if got := c.at.Text(); got != c.want {
			t.Errorf("place of %q is %q", c.want, got)
		}
	}
}
