package value

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"skald/runtime/prim"
)

// Reader takes values from a stream. It reads ahead, so nothing else should read from the same source meanwhile.
type Reader struct {
	src       io.Reader
	srcErr    error // what ended the source; io.EOF included
	buf       []byte
	pos, end  int   // the unread part of buf
	base      int64 // offset of buf[0] in the stream
	line      int   // of pos, from 0
	lineStart int64 // offset of that line's first byte
	want      *Type // the type of the value being read, for messages
}

const (
	bufferSize = 256 << 10
	maxToken   = 64 << 10 // bytes of one scalar
	maxRank    = 255      // as many as the binary format can say
)

// NewReader makes a reader of the values in src.
func NewReader(src io.Reader) *Reader { return &Reader{src: src, buf: make([]byte, bufferSize)} }

// NewMemoryReader makes a reader of the values in data, which has to last as long as the streams that it returns: they are parts of it. A
// bool's byte in it may be changed to 1.
func NewMemoryReader(data []byte) *Reader {
	return &Reader{srcErr: io.EOF, buf: data, end: len(data)}
}

// ReadAll reads values up to the end of src.
func ReadAll(src io.Reader) ([]Value, error) {
	r := NewReader(src)
	var vs []Value
	for {
		v, err := r.Read()
		if errors.Is(err, io.EOF) {
			return vs, nil
		}
		if err != nil {
			return vs, err
		}
		vs = append(vs, v)
	}
}

// ParseAll reads the values in a text.
func ParseAll(text string) ([]Value, error) { return ReadAll(strings.NewReader(text)) }

// Parse reads a text with exactly one value.
func Parse(text string) (Value, error) {
	r := &Reader{srcErr: io.EOF, buf: []byte(text), end: len(text)}
	v, err := r.Read()
	switch {
	case errors.Is(err, io.EOF):
		return Value{}, r.fail(io.ErrUnexpectedEOF, "there is no value")
	case err != nil:
		return Value{}, err
	}
	return v, r.End()
}

// Read takes the next value, of whatever type: in text, integers without suffix are i32 and floats are f64. The error
// is io.EOF if nothing but space and comments remains.
func (r *Reader) Read() (Value, error) {
	r.want = nil
	return r.read()
}

// ReadAs takes the next value, which must be of the given type. In text, numbers without suffix are read as numbers of
// that type. The error is io.EOF if nothing but space and comments remains.
func (r *Reader) ReadAs(want Type) (Value, error) {
	r.want = &want
	defer func() { r.want = nil }()
	return r.read()
}

// End reports an error if anything but space and comments remains.
func (r *Reader) End() error {
	r.want = nil
	switch _, err := r.skipSpace(); {
	case err == io.EOF:
		return nil
	case err != nil:
		return err
	default:
		return r.fail(nil, "there is more input after the last value")
	}
}

// Offset is the number of bytes taken so far.
func (r *Reader) Offset() int64 { return r.base + int64(r.pos) }

func (r *Reader) read() (Value, error) {
	c, err := r.skipSpace()
	if err != nil {
		return Value{}, err
	}
	start := *r // for the place of errors about the value as a whole; its buffer is not used
	var v Value
	if c == 'b' {
		v, err = r.binaryValue()
	} else {
		v, err = r.textValue(c)
	}
	if err == nil && r.want != nil && !v.Type().Matches(*r.want) {
		err = start.fail(nil, "the value is of type %s", v.Type())
	}
	if err != nil {
		return Value{}, err
	}
	return v, nil
}

// fill reads more of the source, keeping the unread part of the buffer. It reports whether there is more.
func (r *Reader) fill() bool {
	if r.srcErr != nil {
		return false
	}
	if r.pos > 0 {
		copy(r.buf, r.buf[r.pos:r.end])
		r.base += int64(r.pos)
		r.end -= r.pos
		r.pos = 0
	}
	if r.end == len(r.buf) {
		r.buf = append(r.buf, make([]byte, len(r.buf))...)
	}
	for range 100 {
		n, err := r.src.Read(r.buf[r.end:])
		r.end += n
		r.srcErr = err
		if n > 0 {
			return true
		}
		if err != nil {
			return false
		}
	}
	r.srcErr = io.ErrNoProgress
	return false
}

// peek returns the byte i places ahead; ok is false if the input ends before it.
func (r *Reader) peek(i int) (c byte, ok bool) {
	for r.pos+i >= r.end {
		if !r.fill() {
			return 0, false
		}
	}
	return r.buf[r.pos+i], true
}

// skipSpace skips white space and comments and returns the next byte, without taking it. The error is io.EOF at the end.
func (r *Reader) skipSpace() (byte, error) {
	for {
		c, ok := r.peek(0)
		if !ok {
			if r.srcErr != io.EOF {
				return 0, r.ended()
			}
			return 0, io.EOF
		}
		switch c {
		case '\n':
			r.pos++
			r.line++
			r.lineStart = r.Offset()
		case ' ', '\t', '\r', '\v', '\f':
			r.pos++
		case '-':
			if d, _ := r.peek(1); d != '-' {
				return c, nil
			}
			r.skipComment()
		default:
			return c, nil
		}
	}
}

// skipComment skips to the next newline.
func (r *Reader) skipComment() {
	for {
		c, ok := r.peek(0)
		if !ok || c == '\n' {
			return
		}
		r.pos++
	}
}

// fail makes an error at the next byte.
func (r *Reader) fail(cause error, format string, args ...any) error {
	return &SyntaxError{
		Offset: r.Offset(),
		Line:   r.line + 1,
		Column: int(r.Offset()-r.lineStart) + 1,
		Want:   r.want,
		Msg:    fmt.Sprintf(format, args...),
		Err:    cause,
	}
}

// ended makes the error for an input that stopped where a value had to go on.
func (r *Reader) ended() error {
	if r.srcErr == nil || r.srcErr == io.EOF {
		return r.fail(io.ErrUnexpectedEOF, "the input ends within a value")
	}
	return r.fail(r.srcErr, "reading failed: %v", r.srcErr)
}

// remaining returns an upper bound of the bytes that the source still has, if it can tell.
func (r *Reader) remaining() (n int64, ok bool) {
	switch src := r.src.(type) {
	case nil:
		return 0, true
	case interface{ Len() int }:
		return int64(src.Len()), true
	case *os.File:
		info, err := src.Stat()
		if err == nil && info.Mode().IsRegular() {
			return info.Size(), true
		}
	}
	return 0, false
}

// elemWanted returns the element type that a scalar read now must have, if one is known.
func (r *Reader) elemWanted() (prim.Type, bool) {
	if r.want == nil {
		return 0, false
	}
	return r.want.Elem, true
}
