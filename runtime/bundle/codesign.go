package bundle

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
)

// Numbers of a code signature, as in <kern/cs_blobs.h>. Its numbers are big-endian, unlike those of the image.
const (
	signatureMagic     = 0xfade0cc0 // Of the list of blobs.
	directoryMagic     = 0xfade0c02
	directoryVersion   = 0x20400 // The first one that says where the executable segment lies.
	directorySlot      = 0
	flagsAdhoc         = 0x2
	flagsLinkerSigned  = 0x20000
	hashSHA256         = 2
	signedPageBits     = 12
	executeMainBinary  = 1
	signatureHeader    = 12 + 8 // The list has one blob.
	directoryHeader    = 88
	signatureIdentity  = "skald.program\x00"
	textSegment        = "__TEXT"
	codeSignatureBytes = 12 // Where the load command says how long the signature is.
)

// sign replaces the signature at the end of an image by an ad-hoc one of what precedes it, and adjusts the load command and the
// segment that hold it. An image without a signature stays as it is.
func sign(image []byte) ([]byte, error) {
	commands, err := loadCommands(image)
	if err != nil {
		return nil, err
	}
	le := binary.LittleEndian
	link, linkCommand, _ := findSegment(commands, linkeditSegment)
	text, _, ok := findSegment(commands, textSegment)
	for _, c := range commands {
		if c.kind != loadCodeSignature {
			continue
		}
		limit := le.Uint32(c.data[8:])
		if !ok || limit%signatureAlignment != 0 || uint64(limit) < link.at || uint64(limit) > uint64(len(image)) {
			return nil, errors.New("the Mach-O image is damaged: its signature does not lie in __LINKEDIT")
		}
		size := signatureSize(limit)
		le.PutUint32(image[c.at+codeSignatureBytes:], size)
		bytes := uint64(limit) + uint64(size) - link.at
		le.PutUint64(image[linkCommand.at+48:], bytes)
		le.PutUint64(image[linkCommand.at+32:], (bytes+machoPage-1)/machoPage*machoPage)
		return appendSignature(image[:limit], text), nil
	}
	return image, nil
}

// signatureSize is the size of the signature of an image whose signed part has limit bytes.
func signatureSize(limit uint32) uint32 {
	return uint32(signatureHeader + directoryHeader + len(signatureIdentity) + signedPages(int(limit))*sha256.Size)
}

func signedPages(n int) int { return (n + 1<<signedPageBits - 1) >> signedPageBits }

// appendSignature appends an ad-hoc signature: a list of one blob, the code directory, which has the hash of every page.
func appendSignature(signed []byte, text segment) []byte {
	be := binary.BigEndian
	limit := uint32(len(signed))
	size := signatureSize(limit)
	out := signed
	words := func(ns ...uint32) {
		for _, n := range ns {
			out = be.AppendUint32(out, n)
		}
	}
	words(signatureMagic, size, 1, directorySlot, signatureHeader)
	hashes := uint32(directoryHeader + len(signatureIdentity))
	words(directoryMagic, size-signatureHeader, directoryVersion, flagsAdhoc|flagsLinkerSigned,
		hashes, directoryHeader, 0, uint32(signedPages(len(signed))), limit)
	out = append(out, sha256.Size, hashSHA256, 0, signedPageBits)
	words(0, 0, 0, 0) // No scattered parts, no team.
	for _, n := range []uint64{0, text.at, text.bytes, executeMainBinary} {
		out = be.AppendUint64(out, n)
	}
	out = append(out, signatureIdentity...)
	for at := 0; at < len(signed); at += 1 << signedPageBits {
		sum := sha256.Sum256(signed[at:min(at+1<<signedPageBits, len(signed))])
		out = append(out, sum[:]...)
	}
	return out
}
