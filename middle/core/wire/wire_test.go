package wire

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"golang.org/x/tools/txtar"

	"skald/middle/core"
	"skald/runtime/prim"
)

// samples are the programs of the core IR's own tests, which have every kind of expression, and those of the passes' golden tests.
func samples(t testing.TB) map[string]*core.Prog {
	t.Helper()
	out := map[string]*core.Prog{}
	add := func(name, text string) {
		p, err := core.Parse(text)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		out[name] = p
	}
	plain, err := filepath.Glob("../testdata/*.core")
	golden, err2 := filepath.Glob("../../*/testdata/*.txtar")
	if err := errors.Join(err, err2); err != nil || len(plain) == 0 || len(golden) == 0 {
		t.Fatalf("no samples: %v", err)
	}
	for _, file := range plain {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		add(file, string(text))
	}
	for _, file := range golden {
		ar, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range ar.Files {
			if strings.HasPrefix(string(f.Data), "stage ") {
				add(file+":"+f.Name, string(f.Data))
			}
		}
	}
	return out
}

// same tells how two programs differ. To look for differences takes a hundred times as long as to see that there are none.
func same(p, q *core.Prog) string {
	if reflect.DeepEqual(p, q) {
		return ""
	}
	return cmp.Diff(p, q, cmpopts.EquateEmpty(), cmpopts.EquateComparable(prim.Value{}))
}

func TestWhatIsWrittenIsReadBack(t *testing.T) {
	met := map[reflect.Type]bool{}
	programs := samples(t)
	programs["one"] = one(t)
	for name, p := range programs {
		data := Encode(p)
		q, err := Decode(data)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if d := same(p, q); d != "" {
			t.Errorf("%s: read back differently:\n%s", name, d)
		}
		if !bytes.Equal(data, Encode(q)) {
			t.Errorf("%s: written again, the bytes differ", name)
		}
		for _, f := range p.Funs {
			core.Walk(f.Body, func(s *core.Stm) bool { met[reflect.TypeOf(s.Exp)] = true; return true })
		}
	}
	for _, v := range variants {
		if !met[reflect.TypeOf(v)] {
			t.Errorf("no sample has a %T", v)
		}
	}
}

// one is a program whose bytes are held by a test.
func one(t testing.TB) *core.Prog {
	t.Helper()
	p, err := core.Parse(`stage soacs
type "t" ([-1]f32)

fun main (n_1: i64, xs_2: *[n_1]f32): (r_6: f32) = {
  let (s_5: f32) = index xs_2[-1i64] at "a.fut:1:2-3" from "a.fut:4:5-6"
  let (k_4: i64) = fact "lanes"
  in (s_5)
}
`)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// What is nested too deeply to be read is not written.
func TestWhatIsTooDeepIsNotWritten(t *testing.T) {
	p := one(t)
	body := p.Funs[0].Body
	for range maxDepth {
		s := &core.Stm{Exp: &core.If{Cond: core.Int(0), Then: body, Else: &core.Body{}}}
		body = &core.Body{Stms: []*core.Stm{s}}
	}
	p.Funs[0].Body = body
	if data := Encode(p); data != nil {
		t.Errorf("%d bytes are written", len(data))
	}
}

// When this fails the encoding has changed: then Version is to be counted up.
func TestTheEncodingIsThatOfItsVersion(t *testing.T) {
	got := Encode(one(t))
	if !bytes.HasPrefix(got, append([]byte(magic), Version)) {
		t.Errorf("header % x", got[:headerSize])
	}
	want := strings.Join([]string{
		"00 01 00 01 74 01 09 01 01 00 00 00 00 00 00",             // SOACs; the type t; no constants
		"01 00 04 6d 61 69 6e 00 00",                               // a function, main, without attributes, no device function
		"07 02 00 01 6e 00 02 78 73 02 00 01 6b 00 01 73 00 01 72", // names
		"02 01 00 00 03 02 01 01 09 01 01 00",                      // parameters
		"01 06 00 00 09 00",                                        // results; no globals
		"02 01 05 00 00 09 0c 02 01 01 00 03 01",                   // s_5 = index
		"01 01 00 00 0b 61 2e 66 75 74 3a 34 3a 35 2d 36",          // a place: its caller
		"00 0b 61 2e 66 75 74 3a 31 3a 32 2d 33 00 00",             // and itself; no attributes, no certificates
		"01 04 00 00 03 1e 00 05 6c 61 6e 65 73 00 00 00 01 05",    // k_4 = fact
		"00", // no entry points
	}, " ")
	if d := cmp.Diff(want, fmt.Sprintf("% x", got[headerSize:])); d != "" {
		t.Error(d)
	}
}

func TestDamageIsNoticed(t *testing.T) {
	whole := Encode(one(t))
	for i := range whole {
		damaged := bytes.Clone(whole)
		damaged[i] ^= 0x10
		if _, err := Decode(damaged); err == nil {
			t.Errorf("byte %d changed: no error", i)
		}
		_, err := Decode(whole[:i])
		if !errors.Is(err, ErrTruncated) && !errors.Is(err, ErrDamaged) {
			t.Errorf("cut off at %d: %v", i, err)
		}
	}
}

func TestVersionsAreTold(t *testing.T) {
	for _, c := range []struct {
		change func([]byte) []byte
		want   error
		text   string
	}{
		{
			func(b []byte) []byte { b[4] = Version + 1; return b }, ErrNewer,
			fmt.Sprintf("newer version of skald: its format is %d, and this one reads %d", Version+1, Version),
		},
		{func(b []byte) []byte { b[4] = 0; return b }, ErrOlder, "older version of skald: its format is 0"},
		{func([]byte) []byte { return []byte("stage memory") }, ErrForeign, "not a compiled program"},
		{func(b []byte) []byte { return b[:20] }, ErrTruncated, "cut off: it has 20 bytes"},
		{func(b []byte) []byte { return b[:len(b)-1] }, ErrDamaged, "checksum"},
		{func(b []byte) []byte { return seal(b[headerSize : len(b)-1]) }, ErrTruncated, "in the middle of a number"},
		{func(b []byte) []byte { return seal(append(b[headerSize:], 0)) }, ErrDamaged, "1 bytes follow its end"},
	} {
		_, err := Decode(c.change(Encode(one(t))))
		if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%v, wanted %v with %q", err, c.want, c.text)
		}
	}
}

// FuzzDecode reads payloads that no Encode wrote: they are refused, or they are programs that can be written again.
func FuzzDecode(f *testing.F) {
	for _, p := range samples(f) {
		f.Add(Encode(p)[headerSize:])
	}
	f.Fuzz(func(t *testing.T, payload []byte) {
		p, err := Decode(seal(payload))
		if err != nil {
			return
		}
		q, err := Decode(Encode(p))
		if err != nil {
			t.Fatalf("written again it cannot be read: %v", err)
		}
		if d := same(p, q); d != "" {
			t.Error(d)
		}
	})
}

func BenchmarkRead(b *testing.B) {
	var p *core.Prog
	for _, q := range samples(b) {
		if p == nil || len(core.Print(q)) > len(core.Print(p)) {
			p = q
		}
	}
	text, data := core.Print(p), Encode(p)
	b.Run("text", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			if _, err := core.Parse(text); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("binary", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		for b.Loop() {
			if _, err := Decode(data); err != nil {
				b.Fatal(err)
			}
		}
	})
}
