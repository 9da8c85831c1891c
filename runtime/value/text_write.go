package value

import (
	"io"
	"slices"
)

// String returns the value as text that reads back as the same value. For large values prefer WriteText.
func (v Value) String() string {
	if v.IsScalar() && len(v.data) == 0 {
		return "<no value>" // the zero Value
	}
	w := textWriter{from: v.Stream()}
	w.value()
	return string(w.buf)
}

// WriteText writes a value as text, without a newline.
func WriteText(dst io.Writer, v Value) error { return v.Stream().WriteText(dst) }

// WriteText writes the value as text as it comes, without a newline.
func (s *Stream) WriteText(dst io.Writer) error {
	w := textWriter{dst: dst, from: s, buf: make([]byte, 0, flushAt+4096)}
	w.value()
	w.flush()
	return w.err
}

const flushAt = 64 << 10

// textWriter gathers text and passes it on in large pieces; without a destination it only gathers.
type textWriter struct {
	dst   io.Writer
	buf   []byte
	from  *Stream
	piece Value // elements of the stream, as one row
	at    int   // the next element of the piece
	err   error
}

func (w *textWriter) flush() {
	if w.err == nil {
		_, w.err = w.dst.Write(w.buf)
	}
	w.buf = w.buf[:0]
}

func (w *textWriter) value() {
	t := w.from.typ
	switch {
	case len(t.Dims) == 0:
		w.element()
	case slices.Contains(t.Dims, 0):
		w.buf = append(append(append(w.buf, "empty("...), t.String()...), ')')
	default:
		w.rows(t.Dims)
	}
}

// rows writes the subarray with the given shape that begins with the next element.
func (w *textWriter) rows(shape []int) {
	w.buf = append(w.buf, '[')
	for k := range shape[0] {
		if w.err != nil {
			return
		}
		if k > 0 {
			w.buf = append(w.buf, ", "...)
		}
		if len(shape) > 1 {
			w.rows(shape[1:])
			continue
		}
		w.element()
		if w.dst != nil && len(w.buf) >= flushAt {
			w.flush()
		}
	}
	w.buf = append(w.buf, ']')
}

// element writes the next element.
func (w *textWriter) element() {
	if w.at*w.from.typ.Elem.Size() == len(w.piece.data) {
		data, err := w.from.Next()
		if err != nil {
			w.err = err
			return
		}
		w.piece, w.at = Value{elem: w.from.typ.Elem, data: data}, 0
	}
	w.buf = w.piece.At(w.at).AppendText(w.buf)
	w.at++
}
