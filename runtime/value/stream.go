package value

import (
	"fmt"
	"io"
)

// Stream is a value whose elements come piece by piece, in the layout of [Value.Bytes], so that a large one need not lie in memory
// as a whole.
type Stream struct {
	typ  Type
	left int // bytes that have not been taken
	next func(n int) ([]byte, error)
}

// PieceBytes is how many bytes a piece of a stream has at most; all pieces but the last have as many.
const PieceBytes = 16 << 20

// NewStream makes a stream of a value of type t. It calls next for each piece in turn, with the number of bytes that this must have;
// what next returns need only last until its next call. The error says that a value of this type does not fit in memory.
func NewStream(t Type, next func(n int) ([]byte, error)) (*Stream, error) {
	size, ok := byteSize(t.Elem, t.Dims)
	if !ok {
		return nil, fmt.Errorf("a value of type %s does not fit in memory", t)
	}
	return &Stream{typ: t, left: size, next: next}, nil
}

// Stream returns the value as a stream; the pieces are parts of it.
func (v Value) Stream() *Stream {
	rest := v.data
	return &Stream{typ: v.Type(), left: len(v.data), next: func(n int) ([]byte, error) {
		piece := rest[:n]
		rest = rest[n:]
		return piece, nil
	}}
}

// Type is the type of the value, with its shape.
func (s *Stream) Type() Type { return s.typ }

// Bytes is how many bytes of the value are still to come.
func (s *Stream) Bytes() int64 { return int64(s.left) }

// Next returns the next piece, which lasts until the next call. The error is io.EOF after the last one.
func (s *Stream) Next() ([]byte, error) {
	if s.left == 0 {
		return nil, io.EOF
	}
	piece, err := s.next(min(s.left, PieceBytes))
	if err != nil {
		s.left = 0
		return nil, err
	}
	s.left -= len(piece)
	return piece, nil
}

// Value takes the whole value into memory. Nothing may have been taken before.
func (s *Stream) Value() (Value, error) {
	v := New(s.typ.Elem, s.typ.Dims...)
	at := 0
	for {
		piece, err := s.Next()
		if err == io.EOF {
			return v, nil
		}
		if err != nil {
			return Value{}, err
		}
		at += copy(v.data[at:], piece)
	}
}

// Stream takes the next value, which must be of the given type, as a stream. It must be taken to its end before the next value.
// An array in the binary format is read piece by piece; a text is read at once. The error is io.EOF if nothing but space and
// comments remains.
func (r *Reader) Stream(want Type) (*Stream, error) {
	r.want = &want
	defer func() { r.want = nil }()
	c, err := r.skipSpace()
	if err != nil {
		return nil, err
	}
	if c != 'b' {
		v, err := r.read()
		return v.Stream(), err
	}
	start := *r // for the place of errors about the value as a whole; its buffer is not used
	t, err := r.binaryHeader()
	if err != nil {
		return nil, err
	}
	if !t.Matches(want) {
		return nil, start.fail(nil, "the value is of type %s", t)
	}
	var piece []byte
	return NewStream(t, func(n int) ([]byte, error) {
		if r.src == nil && n <= r.end-r.pos { // memory, which need not be copied
			piece := r.buf[r.pos : r.pos+n]
			r.pos += n
			canonicalBools(t.Elem, piece)
			return piece, nil
		}
		if len(piece) < n {
			piece = alignedBytes(n)
		}
		r.want = &want
		err := r.into(piece[:n])
		r.want = nil
		canonicalBools(t.Elem, piece[:n])
		return piece[:n], err
	})
}
