package wire

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"

	"skald/middle/core"
)

// Version is the version of the encoding that Encode writes and Decode reads.
const Version = 6

const (
	magic      = "SKIR"
	headerSize = len(magic) + 1 + sha256.Size
)

// The errors of Decode, which it wraps.
var (
	// ErrForeign says that the bytes are no program at all.
	ErrForeign = errors.New("this is not a compiled program")
	// ErrNewer says that the program is in a version of the encoding that this package does not know yet.
	ErrNewer = errors.New("the program was compiled by a newer version of skald")
	// ErrOlder says that the program is in a version of the encoding that is no longer read.
	ErrOlder = errors.New("the program was compiled by an older version of skald")
	// ErrTruncated says that the program ends early.
	ErrTruncated = errors.New("the program is cut off")
	// ErrDamaged says that the program is not what was written.
	ErrDamaged = errors.New("the program is damaged")
)

// Encode returns the binary form of a program. Equal programs give equal bytes: see Note [One description for both directions].
// It is nil if nodes are nested too deeply to be read again.
func Encode(p *core.Prog) []byte {
	c := &codec{numbers: map[string]int{}, places: map[place]int{}}
	c.prog(p)
	if c.err != nil {
		return nil
	}
	return seal(c.out)
}

// seal puts the header in front of a payload.
func seal(payload []byte) []byte {
	sum := sha256.Sum256(payload)
	out := make([]byte, 0, headerSize+len(payload))
	out = append(append(out, magic...), Version)
	return append(append(out, sum[:]...), payload...)
}

// Decode reads the binary form of a program. The error is one of those above, with what was found.
func Decode(data []byte) (*core.Prog, error) {
	if err := Check(data); err != nil {
		return nil, err
	}
	return decodePayload(data[headerSize:])
}

// Check returns the error of Decode for bytes that Encode did not write, without reading the program.
func Check(data []byte) error {
	if n := min(len(data), len(magic)); string(data[:n]) != magic[:n] {
		return ErrForeign
	}
	if len(data) <= len(magic) {
		return fmt.Errorf("%w: it has %d bytes", ErrTruncated, len(data))
	}
	switch v := int(data[len(magic)]); {
	case v > Version:
		return fmt.Errorf("%w: its format is %d, and this one reads %d; build it again, or use that skald", ErrNewer, v, Version)
	case v < Version:
		return fmt.Errorf("%w: its format is %d, and this one reads %d; build it again", ErrOlder, v, Version)
	case len(data) < headerSize:
		return fmt.Errorf("%w: it has %d bytes", ErrTruncated, len(data))
	}
	payload := data[headerSize:]
	if sum := sha256.Sum256(payload); !bytes.Equal(sum[:], data[len(magic)+1:headerSize]) {
		return fmt.Errorf("%w: its checksum is wrong; build it again", ErrDamaged)
	}
	return nil
}

func decodePayload(payload []byte) (*core.Prog, error) {
	c := &codec{reading: true, in: payload}
	p := &core.Prog{}
	c.prog(p)
	if c.err == nil && len(c.in) > 0 {
		c.fail("%d bytes follow its end", len(c.in))
	}
	if c.err != nil {
		return nil, c.err
	}
	return p, nil
}
