package bundle

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// Note [Programs in Mach-O images]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// macOS runs an image on Apple silicon only if the hashes of its pages are those in its signature, and signing tools want the segment
// __LINKEDIT, which ends with the signature, to end the file. So the program does not go behind the image, as elsewhere, but into a
// segment of its own, __SKALD, in front of __LINKEDIT:
//
//	before   __TEXT … __DATA            __LINKEDIT (tables, signature)
//	after    __TEXT … __DATA  __SKALD   __LINKEDIT (tables, signature)
//
// __LINKEDIT moves up, in the file and in memory, and the load commands that say where its tables lie are adjusted; nothing but its
// tables lies there, and nothing in the code refers to them. The load command of the segment fits in the room that linkers leave
// behind the others. Contents of segments stay as they are, but for the signature, which is made again: it is the ad-hoc one that Go's
// linker makes (see codesign.go), and `codesign` may replace it. An image without a signature, for Intel's processors, gets none.
//
// The layouts are those of <mach-o/loader.h>.

// Numbers of <mach-o/loader.h>.
const (
	machoMagic64 = 0xfeedfacf

	loadSymtab          = 0x2
	loadDysymtab        = 0xb
	loadSegment64       = 0x19
	loadCodeSignature   = 0x1d
	loadSegmentSplit    = 0x1e
	loadFunctionStarts  = 0x26
	loadDataInCode      = 0x29
	loadLinkerHint      = 0x2e
	loadDyldInfo        = 0x22
	loadDyldInfoOnly    = 0x80000022
	loadExportsTrie     = 0x80000033
	loadChainedFixups   = 0x80000034
	machoHeaderSize     = 32
	segmentCommandSize  = 72
	sectionSize         = 80
	protectionRead      = 1
	machoPage           = 1 << 14 // Apple silicon's; Intel's divides it.
	programSegment      = "__SKALD"
	linkeditSegment     = "__LINKEDIT"
	signatureAlignment  = 16
	maxMachoCodeAddress = 1<<32 - 1 // Offsets of tables are 32-bit numbers.
)

// tableOffsets lists, for each load command that says where tables of __LINKEDIT lie, the places of the offsets within it.
var tableOffsets = map[uint32][]int{
	loadSymtab:         {8, 16},
	loadDysymtab:       {32, 40, 48, 56, 64, 72},
	loadDyldInfo:       {8, 16, 24, 32, 40},
	loadDyldInfoOnly:   {8, 16, 24, 32, 40},
	loadCodeSignature:  {8},
	loadSegmentSplit:   {8},
	loadFunctionStarts: {8},
	loadDataInCode:     {8},
	loadLinkerHint:     {8},
	loadExportsTrie:    {8},
}

// loadCommand is one load command of an image, as it lies there.
type loadCommand struct {
	kind uint32
	at   int // Where it begins in the file.
	data []byte
}

// segment is what a segment's load command says.
type segment struct {
	name                       string
	address, memory, at, bytes uint64
}

// isMacho reports whether a file that begins so is an image for 64-bit processors.
func isMacho(start []byte) bool {
	return len(start) >= machoHeaderSize && binary.LittleEndian.Uint32(start) == machoMagic64
}

// loadCommands splits the load commands of an image, whose beginning it gets.
func loadCommands(image []byte) ([]loadCommand, error) {
	le := binary.LittleEndian
	count, at := le.Uint32(image[16:]), machoHeaderSize
	var out []loadCommand
	for range count {
		if at+8 > len(image) {
			return nil, errors.New("the Mach-O image is damaged: its load commands end behind the file")
		}
		size := le.Uint32(image[at+4:])
		if size < 8 || uint64(size) > uint64(len(image)-at) {
			return nil, errors.New("the Mach-O image is damaged: a load command ends behind the file")
		}
		out = append(out, loadCommand{le.Uint32(image[at:]), at, image[at : at+int(size)]})
		at += int(size)
	}
	return out, nil
}

// segment reads the load command of a segment.
func (c loadCommand) segment() (segment, bool) {
	if c.kind != loadSegment64 || len(c.data) < segmentCommandSize {
		return segment{}, false
	}
	le := binary.LittleEndian
	return segment{
		name:    string(bytes.TrimRight(c.data[8:24], "\x00")),
		address: le.Uint64(c.data[24:]), memory: le.Uint64(c.data[32:]), at: le.Uint64(c.data[40:]), bytes: le.Uint64(c.data[48:]),
	}, true
}

// findSegment returns the named segment of an image, and its load command.
func findSegment(commands []loadCommand, name string) (segment, loadCommand, bool) {
	for _, c := range commands {
		if s, ok := c.segment(); ok && s.name == name {
			return s, c, true
		}
	}
	return segment{}, loadCommand{}, false
}

// machoArea returns the part of an image's file that holds its program and trailer; ErrNone if there is none.
func machoArea(f io.ReaderAt) (*io.SectionReader, error) {
	header := make([]byte, machoHeaderSize)
	if _, err := f.ReadAt(header, 0); err != nil {
		return nil, err
	}
	start := make([]byte, machoHeaderSize+int64(binary.LittleEndian.Uint32(header[20:])))
	if _, err := f.ReadAt(start, 0); err != nil {
		return nil, err
	}
	commands, err := loadCommands(start)
	if err != nil {
		return nil, err
	}
	s, _, ok := findSegment(commands, programSegment)
	if !ok {
		return nil, ErrNone
	}
	return io.NewSectionReader(f, int64(s.at), int64(s.bytes)), nil
}

// intoMacho returns the image with a segment that holds the program, signed again if it was.
func intoMacho(image, program []byte) ([]byte, error) {
	commands, err := loadCommands(image)
	if err != nil {
		return nil, err
	}
	if _, _, ok := findSegment(commands, programSegment); ok {
		return nil, errors.New("the Mach-O image carries a program already")
	}
	link, linkCommand, ok := findSegment(commands, linkeditSegment)
	if !ok || link.at+link.bytes != uint64(len(image)) {
		return nil, errors.New("the Mach-O image does not end with its segment __LINKEDIT")
	}
	moved := (uint64(len(program)) + machoPage - 1) / machoPage * machoPage
	if uint64(len(image))+moved > maxMachoCodeAddress {
		return nil, fmt.Errorf("a Mach-O image of %d bytes has no room for a program of %d", len(image), len(program))
	}
	header, err := headerWithSegment(image, commands, linkCommand, segment{
		name: programSegment, address: link.address, memory: moved, at: link.at, bytes: uint64(len(program)),
	})
	if err != nil {
		return nil, err
	}
	out := make([]byte, 0, len(image)+int(moved))
	out = append(out, header...)
	out = append(out, image[len(header):link.at]...)
	out = append(out, program...)
	out = append(out, make([]byte, int(moved)-len(program))...)
	out = append(out, image[link.at:]...)
	return sign(out)
}

// headerWithSegment returns the header and load commands of an image with a segment inserted before __LINKEDIT, which it moves.
func headerWithSegment(image []byte, commands []loadCommand, link loadCommand, s segment) ([]byte, error) {
	le := binary.LittleEndian
	size := le.Uint32(image[20:])
	room := firstContent(commands)
	if machoHeaderSize+uint64(size)+segmentCommandSize > room {
		return nil, errors.New("the Mach-O image has no room for another load command; link it with -headerpad")
	}
	out := bytes.Clone(image[:machoHeaderSize])
	le.PutUint32(out[16:], uint32(len(commands)+1))
	le.PutUint32(out[20:], size+segmentCommandSize)
	for _, c := range commands {
		data := bytes.Clone(c.data)
		if c.kind == loadChainedFixups {
			return nil, errors.New("the Mach-O image has chained fixups, which number its segments; build skald with CGO_ENABLED=0")
		}
		if c.at == link.at {
			out = append(out, s.command()...)
			le.PutUint64(data[24:], le.Uint64(data[24:])+s.memory)
			le.PutUint64(data[40:], le.Uint64(data[40:])+s.memory)
		}
		for _, place := range tableOffsets[c.kind] {
			if offset := le.Uint32(data[place:]); uint64(offset) >= s.at {
				le.PutUint32(data[place:], offset+uint32(s.memory))
			}
		}
		out = append(out, data...)
	}
	return out, nil
}

// firstContent is where the contents of the sections begin: load commands may reach up to there.
func firstContent(commands []loadCommand) uint64 {
	first := uint64(maxMachoCodeAddress)
	for _, c := range commands {
		if _, ok := c.segment(); !ok {
			continue
		}
		for at := segmentCommandSize; at+sectionSize <= len(c.data); at += sectionSize {
			if offset := uint64(binary.LittleEndian.Uint32(c.data[at+48:])); offset > 0 {
				first = min(first, offset)
			}
		}
	}
	return first
}

// command returns the load command of a segment that may be read and has no sections.
func (s segment) command() []byte {
	le := binary.LittleEndian
	out := le.AppendUint32(nil, loadSegment64)
	out = le.AppendUint32(out, segmentCommandSize)
	out = append(out, append([]byte(s.name), make([]byte, 16-len(s.name))...)...)
	for _, n := range []uint64{s.address, s.memory, s.at, s.bytes} {
		out = le.AppendUint64(out, n)
	}
	for _, n := range []uint32{protectionRead, protectionRead, 0, 0} { // Greatest and first protection, sections, flags.
		out = le.AppendUint32(out, n)
	}
	return out
}
