package value_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"skald/runtime/prim"
	"skald/runtime/value"
)

// large is an array of more than two pieces.
func large() value.Value {
	xs := make([]uint32, (2*value.PieceBytes+value.PieceBytes/2)/4)
	for i := range xs {
		xs[i] = uint32(i)
	}
	return value.FromSlice(xs, 2, len(xs)/2)
}

func TestALargeArrayIsReadInPieces(t *testing.T) {
	want := large()
	var file bytes.Buffer
	if err := value.WriteBinary(&file, want); err != nil {
		t.Fatal(err)
	}
	file.WriteString(" 7i32")
	r := value.NewReader(&file)
	s, err := r.Stream(value.ArrayType(prim.U32, 2))
	if err != nil {
		t.Fatal(err)
	}
	var got []byte
	for pieces := 0; ; pieces++ {
		piece, err := s.Next()
		if err == io.EOF {
			if pieces != 3 {
				t.Errorf("%d pieces", pieces)
			}
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, piece...)
	}
	if !bytes.Equal(got, want.Bytes()) {
		t.Error("the pieces are not the array")
	}
	s, err = r.Stream(value.ArrayType(prim.I32, 0))
	if err != nil {
		t.Fatal(err)
	}
	if v, err := s.Value(); err != nil || v.String() != "7i32" || r.End() != nil {
		t.Errorf("behind the array: %v, %v", v, err)
	}
}

func TestAStreamIsWrittenAsTheValueIs(t *testing.T) {
	want := large()
	at := 0
	s, err := value.NewStream(want.Type(), func(n int) ([]byte, error) {
		at += n
		return bytes.Clone(want.Bytes()[at-n : at]), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	var streamed, whole bytes.Buffer
	if err := errors.Join(s.WriteText(&streamed), value.WriteText(&whole, want)); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(streamed.Bytes(), whole.Bytes()) {
		t.Error("the texts differ")
	}
	back, err := value.Parse(whole.String())
	if err != nil || !bytes.Equal(back.Bytes(), want.Bytes()) {
		t.Errorf("the text does not read back: %v", err)
	}
}

func TestAStreamThatBreaksOff(t *testing.T) {
	broken := errors.New("broken")
	next := func(int) ([]byte, error) { return nil, broken }
	typ := value.Type{Elem: prim.I32, Dims: []int{3}}
	for name, take := range map[string]func(s *value.Stream) error{
		"value":  func(s *value.Stream) error { _, err := s.Value(); return err },
		"text":   func(s *value.Stream) error { return s.WriteText(io.Discard) },
		"binary": func(s *value.Stream) error { return s.WriteBinary(io.Discard) },
	} {
		s, err := value.NewStream(typ, next)
		if err != nil {
			t.Fatal(err)
		}
		if err := take(s); !errors.Is(err, broken) {
			t.Errorf("%s: %v", name, err)
		}
	}
	r := value.NewReader(strings.NewReader("b\x02\x01 i32\x03\x00\x00\x00\x00\x00\x00\x00abcd"))
	s, err := r.Stream(value.ArrayType(prim.I32, 1))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Next(); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("an array that is too short: %v", err)
	}
	if _, err := value.NewReader(strings.NewReader("[1u8]")).Stream(value.ArrayType(prim.I32, 1)); err == nil {
		t.Error("an array of another type is taken")
	}
	if _, err := value.NewReader(strings.NewReader(" ")).Stream(value.ArrayType(prim.I32, 1)); err != io.EOF {
		t.Errorf("no value: %v", err)
	}
}
