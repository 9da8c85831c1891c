package value

import (
	"encoding/binary"
	"io"
	"math"

	"skald/runtime/prim"
)

// Note [Binary format]
//
//	'b'  version (1 byte, 2)  rank (1 byte)  type (4 bytes)  rank extents (u64 each)  elements
//
// Everything is little-endian. The type is a primitive type's name, padded with spaces on the left to four bytes.

const (
	binaryVersion = 2
	binaryHeader  = 7 // bytes before the extents

	// A buffer for elements begins with at most this size, unless the source tells that it has more.
	firstChunk = 16 << 20
)

// binaryValue reads a value in the binary format; the next byte is its first.
func (r *Reader) binaryValue() (Value, error) {
	t, err := r.binaryHeader()
	if err != nil {
		return Value{}, err
	}
	size, _ := byteSize(t.Elem, t.Dims)
	data, err := r.take(size)
	if err != nil {
		return Value{}, err
	}
	canonicalBools(t.Elem, data)
	return Value{elem: t.Elem, shape: t.Dims, data: data}, nil
}

// canonicalBools makes bytes that stand for true 1, if the elements are bools.
func canonicalBools(elem prim.Type, data []byte) {
	if elem != prim.Bool {
		return
	}
	for i, b := range data {
		if b > 1 {
			data[i] = 1
		}
	}
}

// binaryHeader reads what precedes the elements of a value in the binary format; the next byte is its first. A value of the type that
// it states fits in memory. See Note [Binary format].
func (r *Reader) binaryHeader() (none Type, err error) {
	if _, ok := r.peek(binaryHeader - 1); !ok {
		return none, r.ended()
	}
	header := r.buf[r.pos : r.pos+binaryHeader]
	if header[1] != binaryVersion {
		return none, r.fail(nil, "version %d of the binary format is not supported", header[1])
	}
	rank := int(header[2])
	elem, ok := binaryType([4]byte(header[3:7]))
	if !ok {
		return none, r.fail(nil, "%q is not a type of the binary format", header[3:7])
	}
	if r.want != nil && (elem != r.want.Elem || rank != len(r.want.Dims)) {
		return none, r.fail(nil, "the value is of type %s", ArrayType(elem, rank))
	}
	r.pos += binaryHeader
	shape := make([]int, rank)
	for i := range shape {
		if _, ok := r.peek(7); !ok {
			return none, r.ended()
		}
		dim := binary.LittleEndian.Uint64(r.buf[r.pos:])
		if dim > math.MaxInt {
			return none, r.fail(nil, "dimension %d is too large: %d", i, dim)
		}
		shape[i] = int(dim)
		r.pos += 8
	}
	t := Type{elem, shape}
	if _, ok := byteSize(elem, shape); !ok {
		return none, r.fail(nil, "a value of type %s does not fit in memory", t)
	}
	return t, nil
}

// take reads exactly n bytes. Unless the source says how much it has, the buffer grows with what has arrived, so a
// false size costs no more memory than a small multiple of the input.
func (r *Reader) take(n int) ([]byte, error) {
	limit := int64(firstChunk)
	if have, ok := r.remaining(); ok {
		limit = max(limit, have+int64(r.end-r.pos))
	}
	data := alignedBytes(int(min(int64(n), limit)))
	got := 0
	for {
		m := copy(data[got:], r.buf[r.pos:r.end])
		r.pos += m
		got += m
		if got < len(data) {
			if err := r.takeDirect(data[got:]); err != nil {
				return nil, err
			}
			got = len(data)
		}
		if got == n {
			return data, nil
		}
		grown := alignedBytes(min(n, 2*len(data)))
		copy(grown, data)
		data = grown
	}
}

// into reads exactly len(data) bytes.
func (r *Reader) into(data []byte) error {
	m := copy(data, r.buf[r.pos:r.end])
	r.pos += m
	if m == len(data) {
		return nil
	}
	return r.takeDirect(data[m:])
}

// takeDirect reads from the source into data, when the buffer is empty.
func (r *Reader) takeDirect(data []byte) error {
	if r.srcErr != nil {
		return r.ended()
	}
	r.base += int64(r.pos)
	r.pos, r.end = 0, 0
	m, err := io.ReadFull(r.src, data)
	r.base += int64(m)
	if err != nil {
		r.srcErr = err
		if err == io.ErrUnexpectedEOF {
			r.srcErr = io.EOF
		}
		return r.ended()
	}
	return nil
}

// binaryName is a type's name in the binary format.
func binaryName(t prim.Type) (name [4]byte) {
	copy(name[:], "    ")
	s := t.String()
	copy(name[4-len(s):], s)
	return name
}

func binaryType(name [4]byte) (prim.Type, bool) {
	for i := range prim.NumTypes {
		if t := prim.Type(i); binaryName(t) == name {
			return t, true
		}
	}
	return 0, false
}

// WriteBinary writes a value in the binary format.
func WriteBinary(w io.Writer, v Value) error { return v.Stream().WriteBinary(w) }

// BinaryHeader returns what precedes the elements of a value of type t in the binary format: see Note [Binary format].
func BinaryHeader(t Type) []byte {
	header := make([]byte, 0, binaryHeader+8*len(t.Dims))
	name := binaryName(t.Elem)
	header = append(header, 'b', binaryVersion, byte(len(t.Dims)))
	header = append(header, name[:]...)
	for _, d := range t.Dims {
		header = binary.LittleEndian.AppendUint64(header, uint64(d))
	}
	return header
}

// WriteBinary writes the value in the binary format as it comes.
func (s *Stream) WriteBinary(w io.Writer) error {
	if _, err := w.Write(BinaryHeader(s.typ)); err != nil {
		return err
	}
	for {
		piece, err := s.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if _, err := w.Write(piece); err != nil {
			return err
		}
	}
}
