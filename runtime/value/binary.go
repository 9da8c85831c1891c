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
	if _, ok := r.peek(binaryHeader - 1); !ok {
		return Value{}, r.ended()
	}
	header := r.buf[r.pos : r.pos+binaryHeader]
	if header[1] != binaryVersion {
		return Value{}, r.fail(nil, "version %d of the binary format is not supported", header[1])
	}
	rank := int(header[2])
	elem, ok := binaryType([4]byte(header[3:7]))
	if !ok {
		return Value{}, r.fail(nil, "%q is not a type of the binary format", header[3:7])
	}
	if r.want != nil && (elem != r.want.Elem || rank != len(r.want.Dims)) {
		return Value{}, r.fail(nil, "the value is of type %s", ArrayType(elem, rank))
	}
	r.pos += binaryHeader
	shape := make([]int, rank)
	for i := range shape {
		if _, ok := r.peek(7); !ok {
			return Value{}, r.ended()
		}
		dim := binary.LittleEndian.Uint64(r.buf[r.pos:])
		if dim > math.MaxInt {
			return Value{}, r.fail(nil, "dimension %d is too large: %d", i, dim)
		}
		shape[i] = int(dim)
		r.pos += 8
	}
	size, ok := byteSize(elem, shape)
	if !ok {
		return Value{}, r.fail(nil, "a value of type %s does not fit in memory", Type{elem, shape})
	}
	data, err := r.take(size)
	if err != nil {
		return Value{}, err
	}
	if elem == prim.Bool {
		for i, b := range data {
			if b > 1 {
				data[i] = 1
			}
		}
	}
	return Value{elem: elem, shape: shape, data: data}, nil
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
func WriteBinary(w io.Writer, v Value) error {
	header := make([]byte, 0, binaryHeader+8*len(v.shape))
	name := binaryName(v.elem)
	header = append(header, 'b', binaryVersion, byte(len(v.shape)))
	header = append(header, name[:]...)
	for _, d := range v.shape {
		header = binary.LittleEndian.AppendUint64(header, uint64(d))
	}
	if _, err := w.Write(header); err != nil {
		return err
	}
	_, err := w.Write(v.data)
	return err
}
