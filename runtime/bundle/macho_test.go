package bundle_test

import (
	"bytes"
	"crypto/sha256"
	"debug/macho"
	"encoding/binary"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"skald/runtime/bundle"
)

// crossBuild builds a small program for a processor of macOS.
func crossBuild(t *testing.T, processor string) []byte {
	t.Helper()
	dir := t.TempDir()
	source := filepath.Join(dir, "main.go")
	if err := os.WriteFile(source, []byte("package main\n\nfunc main() { println(\"hello\") }\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "build", "-o", filepath.Join(dir, "prog"), source)
	cmd.Env = append(os.Environ(), "GOOS=darwin", "GOARCH="+processor, "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	image, err := os.ReadFile(filepath.Join(dir, "prog"))
	if err != nil {
		t.Fatal(err)
	}
	return image
}

// load returns the raw load command of a kind, nil if there is none.
func load(f *macho.File, kind uint32) []byte {
	for _, l := range f.Loads {
		if raw := l.Raw(); f.ByteOrder.Uint32(raw) == kind {
			return raw
		}
	}
	return nil
}

// verifySignature recomputes the hashes of a signature's code directory, page by page, as the kernel does.
func verifySignature(t *testing.T, image []byte) {
	t.Helper()
	f, err := macho.NewFile(bytes.NewReader(image))
	if err != nil {
		t.Fatal(err)
	}
	raw := load(f, 0x1d)
	if raw == nil {
		t.Fatal("the image has no signature")
	}
	at, size := f.ByteOrder.Uint32(raw[8:]), f.ByteOrder.Uint32(raw[12:])
	if int(at+size) != len(image) {
		t.Fatalf("the signature ends at %d of %d bytes", at+size, len(image))
	}
	be := binary.BigEndian
	list := image[at:]
	if be.Uint32(list) != 0xfade0cc0 || be.Uint32(list[4:]) != size || be.Uint32(list[8:]) != 1 || be.Uint32(list[12:]) != 0 {
		t.Fatalf("the signature is no list of one code directory: %x", list[:20])
	}
	directory := list[be.Uint32(list[16:]):]
	if be.Uint32(directory) != 0xfade0c02 || be.Uint32(directory[12:])&2 == 0 {
		t.Fatalf("no ad-hoc code directory: %x", directory[:16])
	}
	hashes, pages, limit := be.Uint32(directory[16:]), be.Uint32(directory[28:]), be.Uint32(directory[32:])
	page := uint32(1) << directory[39]
	if directory[36] != sha256.Size || directory[37] != 2 || limit != at || pages != (limit+page-1)/page {
		t.Fatalf("%d pages of %d bytes with hashes of %d do not cover the %d bytes before the signature", pages, page, directory[36], at)
	}
	for i := range pages {
		sum := sha256.Sum256(image[i*page : min((i+1)*page, limit)])
		if !bytes.Equal(sum[:], directory[hashes+i*sha256.Size:][:sha256.Size]) {
			t.Fatalf("page %d has another hash", i)
		}
	}
	text := f.Segment("__TEXT")
	if base, size := be.Uint64(directory[64:]), be.Uint64(directory[72:]); base != text.Offset || size != text.Filesz {
		t.Errorf("the executable segment is said to have %d bytes at %d", size, base)
	}
}

// verifyLayout checks what the loader asks of segments: each lies behind the one before, in the file and in memory, without gaps of its
// own making, and the last one ends the file.
func verifyLayout(t *testing.T, image []byte) *macho.File {
	t.Helper()
	f, err := macho.NewFile(bytes.NewReader(image))
	if err != nil {
		t.Fatal(err)
	}
	var file, memory, last uint64
	for _, l := range f.Loads {
		s, ok := l.(*macho.Segment)
		if !ok {
			continue
		}
		inFile := s.Name == "__PAGEZERO" || s.Offset >= file && s.Offset%4096 == 0
		inMemory := s.Addr >= memory && s.Addr%4096 == 0 && (s.Name == "__DWARF" || s.Filesz <= s.Memsz)
		if !inFile || !inMemory {
			t.Errorf("segment %s lies at %#x in the file, %#x in memory, behind %#x and %#x", s.Name, s.Offset, s.Addr, file, memory)
		}
		file, memory, last = max(file, s.Offset+s.Filesz), s.Addr+s.Memsz, s.Offset+s.Filesz
	}
	if last != uint64(len(image)) {
		t.Errorf("the last segment ends at %d of %d bytes", last, len(image))
	}
	return f
}

// A program goes into an image for macOS without a change to what the image has: the same symbols, the same contents of segments, a
// signature that holds.
func TestAProgramGoesIntoAMachOImage(t *testing.T) {
	large := bundle.Bundle{{Name: "gpu", Data: bytes.Repeat([]byte("fun main"), 5000)}, {Name: "webgpu", Data: make([]byte, 100_000)}}
	for _, processor := range []string{"arm64", "amd64"} {
		t.Run(processor, func(t *testing.T) {
			plain := crossBuild(t, processor)
			if processor == "arm64" {
				verifySignature(t, plain) // Of Go's linker: so the test knows a good one.
			}
			for _, b := range []bundle.Bundle{program, large} {
				path := write(t, string(plain), b)
				got, err := bundle.Open(path)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(b, got); diff != "" {
					t.Error(diff)
				}
				image, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				if processor == "arm64" {
					verifySignature(t, image)
				}
				compareImages(t, verifyLayout(t, plain), verifyLayout(t, image))
				if !bytes.Equal(image, mustRead(t, write(t, string(plain), b))) {
					t.Error("bundled twice, the bytes differ")
				}
			}
		})
	}
}

// compareImages compares what both images have: contents of sections, symbols, and the tables of __LINKEDIT but for the signature.
func compareImages(t *testing.T, plain, bundled *macho.File) {
	t.Helper()
	for i, s := range plain.Sections {
		const zeros = 1
		var want, got []byte
		var err1, err2 error
		if s.Flags&0xff != zeros {
			want, err1 = s.Data()
			got, err2 = bundled.Sections[i].Data()
		}
		if err := errors.Join(err1, err2); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(s.SectionHeader, bundled.Sections[i].SectionHeader); diff != "" || !bytes.Equal(want, got) {
			t.Errorf("section %s changed: %s", s.Name, diff)
		}
	}
	if diff := cmp.Diff(plain.Symtab.Syms, bundled.Symtab.Syms); diff != "" {
		t.Errorf("the symbols changed: %s", diff)
	}
	if diff := cmp.Diff(plain.Dysymtab.IndirectSyms, bundled.Dysymtab.IndirectSyms); diff != "" {
		t.Errorf("the indirect symbols changed: %s", diff)
	}
	for _, kind := range []uint32{0x80000022, 0x26, 0x29} { // Of the loader, of functions, of data in code.
		want, got := tables(t, plain, kind), tables(t, bundled, kind)
		if !bytes.Equal(want, got) {
			t.Errorf("the tables of load command %#x changed", kind)
		}
	}
	want, got := plain.Segment("__LINKEDIT"), bundled.Segment("__LINKEDIT")
	if moved := got.Offset - want.Offset; moved == 0 || moved%(1<<14) != 0 || got.Addr-want.Addr != moved {
		t.Errorf("__LINKEDIT moved by %d in the file and %d in memory", moved, got.Addr-want.Addr)
	}
}

// tables reads what a load command of pairs of offset and size points to.
func tables(t *testing.T, f *macho.File, kind uint32) (out []byte) {
	t.Helper()
	link := f.Segment("__LINKEDIT")
	raw := load(f, kind)
	for at := 8; at+8 <= len(raw); at += 8 {
		part := make([]byte, f.ByteOrder.Uint32(raw[at+4:]))
		if len(part) == 0 {
			continue
		}
		if _, err := link.ReadAt(part, int64(f.ByteOrder.Uint32(raw[at:]))-int64(link.Offset)); err != nil {
			t.Fatal(err)
		}
		out = append(out, part...)
	}
	return out
}

func mustRead(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Images that cannot take a program, or are damaged, are errors and no panics.
func TestMachOImagesThatCannotTakeAProgramAreErrors(t *testing.T) {
	plain := crossBuild(t, "arm64")
	path := filepath.Join(t.TempDir(), "prog")
	refused := func(what string, image []byte, want string) {
		t.Helper()
		if err := bundle.Write(path, image, program); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, not %q", what, err, want)
		}
	}
	refused("twice", mustRead(t, write(t, string(plain), program)), "carries a program already")
	refused("cut off", plain[:len(plain)-1], "does not end with its segment __LINKEDIT")
	refused("no load commands", plain[:40], "load command")
	crowded := bytes.Clone(plain)
	binary.LittleEndian.PutUint32(crowded[20:], 4096)
	refused("no room", crowded, "no room for another load command")
	for at := 0; at < 2560; at += 13 {
		damaged := bytes.Clone(plain)
		damaged[at] ^= 0xff
		_ = bundle.Write(path, damaged, program) // It must return, whatever it returns.
		_, _ = bundle.Open(path)
	}

	bundled := mustRead(t, write(t, string(plain), program))
	f := verifyLayout(t, bundled)
	s := f.Segment("__SKALD")
	for at := s.Offset; at < s.Offset+s.Filesz-8; at++ {
		damaged := bytes.Clone(bundled)
		damaged[at] ^= 0x40
		if err := os.WriteFile(path, damaged, 0o700); err != nil {
			t.Fatal(err)
		}
		if _, err := bundle.Open(path); err == nil || errors.Is(err, bundle.ErrNone) {
			t.Fatalf("byte %d of the program changed: error %v", at-s.Offset, err)
		}
	}
	if err := os.WriteFile(path, plain, 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := bundle.Open(path); !errors.Is(err, bundle.ErrNone) {
		t.Errorf("an image without a program: %v", err)
	}
}
