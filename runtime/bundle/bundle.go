package bundle

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
)

// Section is one named part of a bundle.
type Section struct {
	Name string
	Data []byte
}

// Bundle is the sections of a program, in order.
type Bundle []Section

const (
	magic       = "skald/1\n"
	trailerSize = 8 + sha256.Size + len(magic)
)

// ErrNone says that an executable has no bundle behind it.
var ErrNone = errors.New("no program is bundled")

// marker is in every binary that imports this package. Write sets its last byte to 1, so that an executable whose end is cut off
// does not take itself for the plain binary. It is a variable, for a constant might stand in the binary twice or not at all.
var marker = []byte("skald: a program should stand behind this binary: 0")

// Expected reports whether the running binary was written with a bundle behind it.
func Expected() bool { return marker[len(marker)-1] == '1' }

// IsRunner reports whether a binary imports this package, so that it runs the program that follows it.
func IsRunner(binary []byte) bool { return bytes.Contains(binary, marker[:len(marker)-1]) }

// marked is where the last byte of the marker is in a binary; -1 if it has none. A skald has a whole runner among its constants, with a
// marker that comes before its own, which is a variable.
func marked(binary []byte) int {
	place := marker[:len(marker)-1]
	if i := bytes.LastIndex(binary, place); i >= 0 && i+len(place) < len(binary) {
		return i + len(place)
	}
	return -1
}

// unmarked returns binary with its marker as it is in one without a bundle.
func unmarked(binary []byte) []byte {
	i := marked(binary)
	if i < 0 || binary[i] == '0' {
		return binary
	}
	out := bytes.Clone(binary)
	out[i] = '0'
	return out
}

// Section returns the data of the named section, and whether there is one.
func (b Bundle) Section(name string) ([]byte, bool) {
	for _, s := range b {
		if s.Name == name {
			return s.Data, true
		}
	}
	return nil, false
}

// encode returns the bytes of the bundle without its trailer.
func (b Bundle) encode() []byte {
	var out bytes.Buffer
	for _, s := range b {
		out.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(s.Name))))
		out.WriteString(s.Name)
		out.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(s.Data))))
		out.Write(s.Data)
	}
	return out.Bytes()
}

// Write writes binary, without a bundle that it may have already, and then b, as an executable file. The file appears under its
// name only when it is complete.
func Write(path string, binary []byte, b Bundle) (err error) {
	f, err := os.CreateTemp(dirOf(path), ".skald-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	parts, err := split(binary, b)
	for _, part := range parts {
		if err == nil {
			_, err = f.Write(part)
		}
	}
	if err != nil {
		return errors.Join(err, f.Close())
	}
	if err = f.Close(); err != nil {
		return err
	}
	if err = os.Chmod(f.Name(), 0o755); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// Image returns the bytes of the executable that Write writes.
func Image(binary []byte, b Bundle) ([]byte, error) {
	parts, err := split(binary, b)
	return bytes.Join(parts, nil), err
}

// split returns the bytes of an executable in parts, none of which is a copy of the binary if that can be avoided.
func split(binary []byte, b Bundle) ([][]byte, error) {
	program := b.Encode()
	if isMacho(binary) {
		image, err := intoMacho(binary, program)
		return [][]byte{image}, err
	}
	plain := Strip(binary)
	if i := marked(plain); i >= 0 {
		return [][]byte{plain[:i], {'1'}, plain[i+1:], program}, nil
	}
	return [][]byte{plain, program}, nil
}

func dirOf(path string) string {
	for i := len(path) - 1; i >= 0; i-- {
		if os.IsPathSeparator(path[i]) {
			return path[:i+1]
		}
	}
	return "."
}

func trailer(data []byte) []byte {
	sum := sha256.Sum256(data)
	out := binary.LittleEndian.AppendUint64(nil, uint64(len(data)))
	return append(append(out, sum[:]...), magic...)
}

// Strip returns executable without the bundle behind it, if it has one.
func Strip(executable []byte) []byte {
	size := int64(len(executable))
	n, _, err := readTrailer(bytes.NewReader(executable), size)
	if err != nil {
		return executable
	}
	return unmarked(executable[:size-n-int64(trailerSize)])
}

// readTrailer returns the length and checksum of the bundle at the end of a file of the given size.
func readTrailer(r io.ReaderAt, size int64) (length int64, sum []byte, err error) {
	if size < int64(trailerSize) {
		return 0, nil, ErrNone
	}
	t := make([]byte, trailerSize)
	if _, err := r.ReadAt(t, size-int64(trailerSize)); err != nil {
		return 0, nil, err
	}
	if string(t[trailerSize-len(magic):]) != magic {
		return 0, nil, ErrNone
	}
	n := binary.LittleEndian.Uint64(t)
	if n > uint64(size-int64(trailerSize)) {
		return 0, nil, fmt.Errorf("the bundled program is damaged: its length is %d in a file of %d bytes", n, size)
	}
	return int64(n), t[8 : 8+sha256.Size], nil
}

// Open reads the bundle behind an executable file. The error is ErrNone if there is none.
func Open(path string) (Bundle, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // nothing was written
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not an ordinary file", path)
	}
	area := io.NewSectionReader(f, 0, info.Size())
	start := make([]byte, machoHeaderSize)
	if _, err := f.ReadAt(start, 0); err == nil && isMacho(start) {
		if area, err = machoArea(f); err != nil {
			return nil, err
		}
	}
	return read(area)
}

// Encode returns the bytes of the bundle, with its trailer: a file of them is one that Open reads.
func (b Bundle) Encode() []byte {
	data := b.encode()
	return append(data, trailer(data)...)
}

// Decode reads what Encode returned.
func Decode(data []byte) (Bundle, error) {
	return read(io.NewSectionReader(bytes.NewReader(data), 0, int64(len(data))))
}

// read reads the bundle at the end of an area.
func read(area *io.SectionReader) (Bundle, error) {
	n, sum, err := readTrailer(area, area.Size())
	if err != nil {
		return nil, err
	}
	data := make([]byte, n)
	if _, err := area.ReadAt(data, area.Size()-int64(trailerSize)-n); err != nil {
		return nil, err
	}
	if got := sha256.Sum256(data); !bytes.Equal(got[:], sum) {
		return nil, errors.New("the bundled program is damaged: its checksum is wrong")
	}
	return decode(data)
}

// decode reads the sections of a bundle.
func decode(data []byte) (Bundle, error) {
	damaged := errors.New("the bundled program is damaged: a section ends behind the bundle")
	take := func(n uint64) ([]byte, bool) {
		if n > uint64(len(data)) {
			return nil, false
		}
		part := data[:n]
		data = data[n:]
		return part, true
	}
	var b Bundle
	for len(data) > 0 {
		n, ok := take(4)
		if !ok {
			return nil, damaged
		}
		name, ok := take(uint64(binary.LittleEndian.Uint32(n)))
		if !ok {
			return nil, damaged
		}
		if n, ok = take(8); !ok {
			return nil, damaged
		}
		body, ok := take(binary.LittleEndian.Uint64(n))
		if !ok {
			return nil, damaged
		}
		b = append(b, Section{string(name), body})
	}
	return b, nil
}
