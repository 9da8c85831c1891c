package server

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	"skald/runtime/host"
	"skald/runtime/manifest"
	"skald/runtime/value"
)

// Arguments of mapFile.
const (
	toWrite = true
	toRead  = false
)

// Note [Files of values]
// ~~~~~~~~~~~~~~~~~~~~~~
// A file has values one behind the other, each as its parts in the binary format. Ordinary files are mapped: restore brings arrays to the
// device from the mapping, and store has the device write into it, so that no copy is made in between. What cannot be mapped, such as a
// pipe, is read and written as a stream.

// restore reads values from a file: see Note [Files of values].
func (s *Server) restore(args []string) error {
	if len(args)%2 == 0 {
		return errors.New("restore takes a file and pairs of a variable and a type")
	}
	var names []string
	var types []*manifest.Type
	for i := 1; i < len(args); i += 2 {
		t, err := s.typeNamed(args[i+1])
		if err != nil {
			return err
		}
		names, types = append(names, args[i]), append(types, t)
	}
	if err := s.vacant(names...); err != nil {
		return err
	}
	f, err := os.Open(args[0])
	if err != nil {
		return fmt.Errorf("cannot open the file: %w", err)
	}
	defer f.Close() //nolint:errcheck // nothing was written
	r, unmap := readerOf(f)
	defer unmap()
	made := make([]*variable, len(types))
	for i, t := range types {
		if made[i], err = s.readVariable(r, t); err != nil {
			err = fmt.Errorf("cannot restore variable %s of type %s from %s: %w", names[i], t.Name, args[0], err)
			break
		}
	}
	if err == nil {
		if err = r.End(); err != nil {
			err = fmt.Errorf("after %d values in %s: %w", len(types), args[0], err)
		}
	}
	for i, v := range made {
		switch {
		case v == nil:
		case err != nil:
			s.drop(v.parts)
		default:
			s.vars[names[i]] = v
		}
	}
	return err
}

// readerOf returns the values in a file, and what to call when all are read.
func readerOf(f *os.File) (*value.Reader, func()) {
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() && info.Size() > 0 {
		if data, err := mapFile(f, int(info.Size()), toRead); err == nil {
			return value.NewMemoryReader(data), func() { _ = unmapFile(data) }
		}
	}
	return value.NewReader(f), func() {}
}

// readVariable reads the parts of a value.
func (s *Server) readVariable(r *value.Reader, t *manifest.Type) (v *variable, err error) {
	v = &variable{typ: t}
	known := map[int]int{}
	for _, part := range t.Parts {
		var h host.Held
		var st *value.Stream
		st, err = r.Stream(value.ArrayType(part.Elem, part.Rank()))
		if err == nil {
			err = fits(part, st.Type(), known)
		}
		if err == nil {
			h, err = s.p.Hold(st)
		}
		if errors.Is(err, io.EOF) {
			err = errors.New("the file ends before the value")
		}
		if err != nil {
			s.drop(v.parts)
			return nil, err
		}
		v.parts = append(v.parts, h)
	}
	return v, nil
}

// fits says what is wrong with the sizes of a part. known are those of the parts before.
func fits(part manifest.Part, t value.Type, known map[int]int) error {
	for i, n := range t.Dims {
		size := part.Sizes[i]
		if size >= 0 {
			known[size] = size
		} else if _, ok := known[size]; !ok {
			known[size] = n
		}
		if known[size] != n {
			return fmt.Errorf("an array has %d elements where the type has %d", n, known[size])
		}
	}
	return nil
}

// store writes values to a file: see Note [Files of values].
func (s *Server) store(args []string) error {
	var parts []host.Held
	for _, name := range args[1:] {
		v, err := s.lookup(name)
		if err != nil {
			return err
		}
		parts = append(parts, v.parts...)
	}
	_, missing := os.Lstat(args[0])
	f, err := os.OpenFile(args[0], os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o666)
	if errors.Is(err, os.ErrPermission) && missing == nil { // such as a pipe that is only written
		f, err = os.OpenFile(args[0], os.O_WRONLY|os.O_TRUNC, 0)
	}
	if err != nil {
		return fmt.Errorf("cannot open the file: %w", err)
	}
	err = errors.Join(s.writeParts(f, parts), f.Close())
	if err == nil {
		return nil
	}
	if missing != nil {
		_ = os.Remove(args[0])
	} else {
		_ = os.Truncate(args[0], 0)
	}
	return fmt.Errorf("cannot write %s: %w", args[0], err)
}

// writeParts writes parts to an open file.
func (s *Server) writeParts(f *os.File, parts []host.Held) error {
	size := int64(0)
	for _, h := range parts {
		size += int64(len(value.BinaryHeader(h.Type()))) + h.Bytes()
	}
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() || size == 0 {
		return s.streamParts(f, parts)
	}
	if err := allocate(f, size); err != nil {
		return err
	}
	data, err := mapFile(f, int(size), toWrite)
	if err != nil {
		return s.streamParts(f, parts)
	}
	rest := data
	for _, h := range parts {
		rest = rest[copy(rest, value.BinaryHeader(h.Type())):]
		n := int(h.Bytes())
		if err == nil {
			err = s.ctx.Err()
		}
		if err == nil {
			err = s.p.Fetch(h, rest[:n])
		}
		rest = rest[n:]
	}
	return errors.Join(err, unmapFile(data))
}

// streamParts writes parts to what cannot be mapped.
func (s *Server) streamParts(f *os.File, parts []host.Held) error {
	w := bufio.NewWriter(f)
	for _, h := range parts {
		v := value.New(h.Type().Elem, h.Type().Dims...)
		if err := s.p.Fetch(h, v.Bytes()); err != nil {
			return err
		}
		if err := value.WriteBinary(w, v); err != nil {
			return err
		}
	}
	return w.Flush()
}
