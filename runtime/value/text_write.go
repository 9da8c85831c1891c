package value

import (
	"io"
	"slices"
)

// String gives the value as text that reads back as the same value. For large values prefer WriteText.
func (v Value) String() string {
	var w textWriter
	w.value(v)
	return string(w.buf)
}

// WriteText writes a value as text, without a newline.
func WriteText(dst io.Writer, v Value) error {
	w := textWriter{dst: dst, buf: make([]byte, 0, flushAt+4096)}
	w.value(v)
	w.flush()
	return w.err
}

const flushAt = 64 << 10

// textWriter gathers text and passes it on in large pieces; without a destination it only gathers.
type textWriter struct {
	dst io.Writer
	buf []byte
	err error
}

func (w *textWriter) flush() {
	if w.err == nil {
		_, w.err = w.dst.Write(w.buf)
	}
	w.buf = w.buf[:0]
}

func (w *textWriter) value(v Value) {
	switch {
	case v.IsScalar() && len(v.data) == 0:
		w.buf = append(w.buf, "<no value>"...) // the zero Value
	case v.IsScalar():
		w.buf = v.At(0).AppendText(w.buf)
	case slices.Contains(v.shape, 0):
		w.buf = append(append(append(w.buf, "empty("...), v.Type().String()...), ')')
	default:
		w.rows(v, v.shape, 0)
	}
}

// rows writes the subarray with the given shape whose first element has flat index i, and gives the index after it.
func (w *textWriter) rows(v Value, shape []int, i int) int {
	w.buf = append(w.buf, '[')
	for k := range shape[0] {
		if k > 0 {
			w.buf = append(w.buf, ", "...)
		}
		if len(shape) > 1 {
			i = w.rows(v, shape[1:], i)
			continue
		}
		w.buf = v.At(i).AppendText(w.buf)
		i++
		if w.dst != nil && len(w.buf) >= flushAt {
			w.flush()
		}
	}
	w.buf = append(w.buf, ']')
	return i
}
