package cfamily

import (
	"strings"

	"skald/middle/imp"
	"skald/runtime/prim"
	"skald/shaders"
)

// Language is what differs between languages of the family.
type Language struct {
	// Dialect is that of the support library.
	Dialect shaders.Dialect
	// Reserved are words that a variable may not be called by, beside those of C and of this package.
	Reserved map[string]bool
	// Idx is the type of index arithmetic, i32 or i64.
	Idx prim.Type
	// HalfBits says that a register holds an f16 as a type of its own, of 16 bits, and not as an f32.
	HalfBits bool
	// Wraps says that signed integers wrap around when they overflow.
	Wraps bool
	// Inline and Function stand before small functions of the printer's own, and before device functions.
	Inline, Function string
	// Align is the text, with a place for a number, that aligns a struct to so many bytes.
	Align string
	// Once is the helper that loads 16 bytes which nobody reads again, a template of the type; empty where that is like any other access.
	Once string
	// SinePair is the type of a sine and a cosine, x and y, where one function of the support library computes both; empty for none.
	SinePair string
	// Prelude follows the support library in every module.
	Prelude string
	// Serial says that one thread after the other runs: a barrier of a workgroup of one thread is nothing, and larger workgroups cannot
	// have any.
	Serial bool
	// Lanes is how many iterations of a parallel loop are run together where that lets the compiler vectorise, if not zero: see
	// Note [Lanes]. Parallel precedes loops whose iterations are independent.
	Lanes    int
	Parallel string
	// Pragma is the macro for directives of OpenMP, where compilers know those about prefixes: Note [Prefixes in C].
	Pragma string
	// Rolled precedes loops that the compiler is not to unroll: Note [Rolled loops] of package text. Empty where there is no word for it.
	Rolled string
	// Held is text that uses variables: Note [Loads before calls] of package text. Nil where compilers leave loads in place.
	Held func(vars []imp.VarDecl) string
	// Stop is a condition that ends a kernel which runs for long; empty for none.
	Stop string
	// Helpers are declarations that kernels may need: functions that the printer names, such as cas_16. They are printed in this order.
	Helpers []Helper
	// Atomic returns the function that does an atomic operation on elements of a type, which takes a pointer to type of; empty if the
	// language has none.
	Atomic func(op imp.AtomicOp, elem prim.Type) (name, of string)
	// Barrier waits for the threads of the workgroup; AnyFailed does so, too, and tells whether a condition holds of any of them.
	Barrier   string
	AnyFailed func(condition string) string
	// Subgroup returns the value of a subgroup operation; lane is empty if the operation has none.
	Subgroup func(p *Printer, s *imp.Subgroup, x, lane string) string
	// Frame prints the kernel around its body.
	Frame func(p *Printer, b *strings.Builder)
}

// Helper is a declaration of a language's own. Uses names others that it needs.
type Helper struct {
	Name, Text string
	Uses       []string
}
