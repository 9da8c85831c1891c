// Package wire is the binary form of core IR: what an executable carries. Encode writes a program, Decode reads it; text (core.Print
// and core.Parse) is for people and tests. It must import nothing but the core IR and its leaves.
//
//	program = "SKIR" u8 version, SHA-256 of payload, payload
//	payload = stage types consts functions entries
//
// Numbers are varints: a variable is one byte in a small function, a constant its type and its bits. A string, or a place in the source,
// is written in full the first time and as its number afterwards. Expressions begin with their index in the table of variants.
//
// # Invariants
//
// Decode(Encode(p)) is p, but that empty slices may become nil. What Decode accepts holds only numbers that are in range: variables
// that their function names, and operators, types and levels that exist. That the program means something is not checked: its bytes are
// those that some Encode wrote, or the checksum is wrong.
//
// Version counts changes of the encoding, renumbered operators among them; a test holds the bytes of one program.
package wire
