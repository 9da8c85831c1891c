package value

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"skald/runtime/prim"
)

func TestTextIsRead(t *testing.T) {
	cases := []struct{ text, want string }{
		{"1", "1i32"},
		{" -- a comment\n\t-5i8 -- another", "-5i8"},
		{"[1,2 , 3,]", "[1i32, 2i32, 3i32]"},
		{"[[1 2]\n[3 4]]", "[[1i32, 2i32], [3i32, 4i32]]"},
		{"[0i8, 32767i8]", "[0i8, -1i8]"},
		{"-300i8", "-44i8"},
		{"[0x1fu8, 2, 0b11]", "[31u8, 2u8, 3u8]"},
		{"[[1.5f32],[f32.nan]]", "[[1.5f32], [f32.nan]]"},
		{"[1.5, 2, 1e3]", "[1.5f64, 2.0f64, 1000.0f64]"},
		{"[true,\nfalse]", "[true, false]"},
		{"empty([0]i32)", "empty([0]i32)"},
		{"empty ( [2][0] [3]f32 )", "empty([2][0][3]f32)"},
		{"[empty([0]i32)]", "empty([1][0]i32)"},
		{"[[empty([0][2]i32)], [empty([0][2]i32)]]", "empty([2][1][0][2]i32)"},
		{`"hé\n\"\955\x41"`, "[104u8, 195u8, 169u8, 10u8, 34u8, 206u8, 187u8, 65u8]"},
		{`["ab", [1u8, 2u8]]`, "[[97u8, 98u8], [1u8, 2u8]]"},
		{"[-1--x]\n, 2]", "!"}, // a comment does not end a number
		{"[-1 --x]\n, 2]", "[-1i32, 2i32]"},
	}
	for _, c := range cases {
		v, err := Parse(c.text)
		if c.want == "!" {
			if err == nil {
				t.Errorf("%q was read as %s", c.text, v)
			}
			continue
		}
		if err != nil || v.String() != c.want {
			t.Errorf("%q: got %v (%v), want %s", c.text, v, err, c.want)
		}
	}
}

func TestMalformedTextIsRefusedWithItsPlace(t *testing.T) {
	cases := []struct{ text, want string }{
		{"", `1:1 (byte 0): there is no value`},
		{"x", `1:1 (byte 0): expected a value, found "x"`},
		{")", `1:1 (byte 0): expected a value, found ")"`},
		{"1 2", `1:3 (byte 2): there is more input after the last value`},
		{"[1,\n  2x]", `2:3 (byte 6): expected a value, found "2x"`},
		{"[[1,2],\n [3]]", `2:2 (byte 9): a row has 1 elements, but the rows before have 2`},
		{"[1,[2]]", `1:4 (byte 3): expected a scalar here, as in the elements before`},
		{"[[1],2]", `1:6 (byte 5): expected a row here, as in the elements before`},
		{`[[[1u8]],"a"]`, `1:10 (byte 9): expected a row here, as in the elements before`},
		{`[1,"a"]`, `1:4 (byte 3): expected a scalar here, as in the elements before`},
		{`[[1],"a"]`, `1:6 (byte 5): a string is an array of u8, not of i32`},
		{"[]", `1:1 (byte 0): an array without elements must be written like empty([0]i32)`},
		{"[1,,2]", `1:4 (byte 3): expected a value, found ","`},
		{"[1(2]", `1:3 (byte 2): expected a value, found "("`},
		{"[1", `1:3 (byte 2): the input ends within a value`},
		{"[1i8, 300]", `1:7 (byte 6): 300 is out of range for i8`},
		{"[1, 2i64]", `1:5 (byte 4): expected a value of type i32, but 2i64 is of type i64`},
		{"[empty([0]i32), empty([0]i64)]", `1:17 (byte 16): a row of type [0]i64, but the elements before are of type i32`},
		{"[[1], empty([0]i32)]", `1:7 (byte 6): a row has 0 elements, but the rows before have 1`},
		{"[1, empty([0]i32)]", `1:5 (byte 4): expected a value, found "empty"`},
		{"[empty([0]i32), [1]]", `1:17 (byte 16): a row has 1 elements, but the rows before have 0`},
		{"empty([1]i32)", `1:7 (byte 6): [1]i32 is not the type of an empty array`},
		{"empty([]i32)", `1:7 (byte 6): []i32 is not the type of an empty array`},
		{"emptying", `1:1 (byte 0): expected a value, found "emptying"`},
		{`"abc`, `1:5 (byte 4): the input ends within a value`},
		{`"\q"`, `1:2 (byte 1): unknown escape in a string`},
		{strings.Repeat("[", 300), `1:256 (byte 255): an array has more than 255 dimensions`},
	}
	for _, c := range cases {
		v, err := Parse(c.text)
		if err == nil || err.Error() != c.want {
			t.Errorf("%.20q: got %v, %v; want %s", c.text, v, err, c.want)
		}
	}
}

func TestValuesOfAKnownType(t *testing.T) {
	cases := []struct{ text, typ, want string }{
		{"1", "i64", "1i64"},
		{"[1, 2]", "[]f32", "[1.0f32, 2.0f32]"},
		{"[1, 2]", "[2]u8", "[1u8, 2u8]"},
		{"[1, 2]", "[3]u8", "!1:1 (byte 0): the value is of type [2]u8 (while reading a value of type [3]u8)"},
		{"1", "[]i32", "!1:1 (byte 0): the value is of type i32 (while reading a value of type []i32)"},
		{
			"1.5", "i32",
			"!1:1 (byte 0): expected a value of type i32, but 1.5 is of type f64 (while reading a value of type i32)",
		},
		{
			"[1i8]", "[]i32",
			"!1:2 (byte 1): expected a value of type i32, but 1i8 is of type i8 (while reading a value of type []i32)",
		},
		{"zzz", "u8", `!1:1 (byte 0): expected a u8, found "zzz" (while reading a value of type u8)`},
		{
			"b\x02\x00 i32\x01\x00\x00\x00", "i64",
			"!1:1 (byte 0): the value is of type i32 (while reading a value of type i64)",
		},
		{"b\x02\x00 i32\x01\x00\x00\x00", "i32", "1i32"},
	}
	for _, c := range cases {
		typ, err := ParseType(c.typ)
		if err != nil {
			t.Fatal(err)
		}
		v, err := NewReader(strings.NewReader(c.text)).ReadAs(typ)
		got := ""
		if err != nil {
			got = "!" + err.Error()
		} else {
			got = v.String()
		}
		if got != c.want {
			t.Errorf("%q as %s:\n got %s\nwant %s", c.text, c.typ, got, c.want)
		}
	}
}

// readers returns ways of delivering the same bytes: at once, byte by byte, with an early end.
func readers(data []byte) map[string]io.Reader {
	return map[string]io.Reader{
		"whole":     bytes.NewReader(data),
		"one byte":  iotest.OneByteReader(bytes.NewReader(data)),
		"half":      iotest.HalfReader(bytes.NewReader(data)),
		"early EOF": iotest.DataErrReader(bytes.NewReader(data)),
		"no length": io.MultiReader(bytes.NewReader(data)),
	}
}

func TestMixedTextAndBinaryReadsBack(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var stream bytes.Buffer
	var want []Value
	for _, typ := range prim.AllTypes() {
		for i, shape := range [][]int{{}, {3}, {2, 3, 2}, {0}, {2, 0, 5}, {1000}} {
			v := randomValue(rng, typ, shape...)
			want = append(want, v)
			if i%2 == 0 {
				if err := WriteBinary(&stream, v); err != nil {
					t.Fatal(err)
				}
				continue
			}
			fmt.Fprintf(&stream, " -- comment with [ and b\n")
			if err := WriteText(&stream, v); err != nil {
				t.Fatal(err)
			}
			stream.WriteString("\n")
		}
	}
	for name, src := range readers(stream.Bytes()) {
		got, err := ReadAll(src)
		if err != nil || len(got) != len(want) {
			t.Fatalf("%s: %d values of %d, error %v", name, len(got), len(want), err)
		}
		for i := range want {
			if !Equal(got[i], want[i]) {
				t.Fatalf("%s: value %d is %s, want %s", name, i, got[i], want[i])
			}
		}
	}
}

func TestInputsThatStopWithinAValueAreRefused(t *testing.T) {
	var b bytes.Buffer
	if err := WriteBinary(&b, FromSlice([]float32{1, 2, 3})); err != nil {
		t.Fatal(err)
	}
	for _, whole := range []string{b.String(), "[[1, 2], [3, 4]]", `"abc"`, "empty([0]i32)"} {
		for n := 1; n < len(whole); n++ {
			for name, src := range readers([]byte(whole[:n])) {
				if vs, err := ReadAll(src); err == nil {
					t.Fatalf("%q (%s) was read as %v", whole[:n], name, vs)
				} else if whole[0] == 'b' && !errors.Is(err, io.ErrUnexpectedEOF) {
					t.Fatalf("%q (%s): %v", whole[:n], name, err)
				}
			}
		}
	}
}

func TestErrorsOfTheSourceArePassedOn(t *testing.T) {
	broken := errors.New("cable cut")
	for _, text := range []string{"[1, 2", "", "b\x02\x01 i32\xff\x00\x00\x00\x00\x00\x00\x00abc"} {
		src := io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken))
		if _, err := ReadAll(src); !errors.Is(err, broken) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestFalseSizesDoNotAllocate(t *testing.T) {
	header := "b\x02\x01 f64\x00\x00\x00\x00\x00\x01\x00\x00" // 2^40 elements
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	input := header + "12345678"
	for _, src := range []io.Reader{strings.NewReader(input), io.MultiReader(strings.NewReader(input))} {
		if _, err := ReadAll(src); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("got %v", err)
		}
	}
	runtime.ReadMemStats(&after)
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 64<<20 {
		t.Errorf("%d bytes were allocated for 15 bytes of input", grown)
	}
	for _, bad := range []string{
		"b\x02\x01 i32\xff\xff\xff\xff\xff\xff\xff\xff",
		"b\x02\x02 i32\x00\x00\x00\x00\x00\x00\x00\x40\x00\x00\x00\x00\x00\x00\x00\x40",
		"b\x01\x00 i32\x00\x00\x00\x00",
		"b\x02\x00 i33\x00\x00\x00\x00",
	} {
		if vs, err := ReadAll(strings.NewReader(bad)); err == nil {
			t.Errorf("%q was read as %v", bad, vs)
		}
	}
}

func TestBinaryBoolsAreNormalised(t *testing.T) {
	v, err := Parse("b\x02\x01bool\x03\x00\x00\x00\x00\x00\x00\x00\x00\x01\x07")
	if err != nil || v.String() != "[false, true, true]" || v.Bytes()[2] != 1 {
		t.Errorf("got %v, %v", v, err)
	}
}

func TestQuickScalarsAgreeWithTheFullParser(t *testing.T) {
	tokens := []string{
		"1", "-1", "127i8", "128i8", "-128i8", "-129i8", "255u8", "256u8", "-0u8", "-0", "1.5", "1.", ".5", "1e5", "1e",
		"-1.5e-3f32", "1f32", "1e400", "1e39f32", "0x10", "1_0", "i32", "", "-", "123456789012345678",
		"1234567890123456789", "99999999999i32", "1i64", "--1", "1e+5", "+1", "00012", "infinity", "1f64",
	}
	for _, typ := range prim.AllTypes() {
		for _, tok := range tokens {
			w, ok := quickScalar([]byte(tok), typ)
			if !ok {
				continue
			}
			if v, err := prim.ParseValueAs(tok, typ); err != nil || v.Word() != w {
				t.Errorf("%s as %s: %#x, but the full parser returns %s, %v", tok, typ, w, v, err)
			}
		}
	}
}

func FuzzReader(f *testing.F) {
	for _, s := range []string{
		"[[1, 2], [3, 4]] true", "empty([0][2]i32)", "\"ab\\n\" -- x\n1.5f16",
		"b\x02\x01 i32\x01\x00\x00\x00\x00\x00\x00\x00abcd 5",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		vs, err := ReadAll(bytes.NewReader(data))
		slow, slowErr := ReadAll(iotest.OneByteReader(bytes.NewReader(data)))
		if len(vs) != len(slow) || (err == nil) != (slowErr == nil) || err != nil && err.Error() != slowErr.Error() {
			t.Fatalf("at once: %v, %v; byte by byte: %v, %v", vs, err, slow, slowErr)
		}
		for i, v := range vs {
			if !Equal(v, slow[i]) {
				t.Fatalf("at once %s, byte by byte %s", v, slow[i])
			}
			var b bytes.Buffer
			if err := WriteBinary(&b, v); err != nil {
				t.Fatal(err)
			}
			if again, err := ReadAll(&b); err != nil || !Equal(again[0], v) {
				t.Fatalf("%s does not come back through the binary format: %v", v, err)
			}
			if again, err := Parse(v.String()); err != nil || Compare(again, v, 0) != nil {
				t.Fatalf("%s does not come back through text: %v, %v", v, again, err)
			}
		}
	})
}

func benchmarkRead(b *testing.B, data []byte) {
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ReadAll(bytes.NewReader(data)); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkReadAndWrite(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, typ := range []prim.Type{prim.I32, prim.F32, prim.F64} {
		v := randomValue(rng, typ, 1<<20)
		b.Run("text read "+typ.String(), func(b *testing.B) { benchmarkRead(b, []byte(v.String())) })
		b.Run("text write "+typ.String(), func(b *testing.B) {
			b.SetBytes(int64(len(v.String())))
			for b.Loop() {
				if err := WriteText(io.Discard, v); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("binary read", func(b *testing.B) {
		var out bytes.Buffer
		if err := WriteBinary(&out, New(prim.F32, 1<<24)); err != nil {
			b.Fatal(err)
		}
		benchmarkRead(b, out.Bytes())
	})
}
