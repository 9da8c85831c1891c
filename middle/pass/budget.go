package pass

import (
	"skald/frontend/diag"
	"skald/frontend/source"
)

// Note [Budgets]
// ~~~~~~~~~~~~~~
// A short program can be a long one for a device: each function calls the one before twice, functions are copied for each function that
// they take, maps are nested thirty deep and each level has versions. So what passes make of a program is bounded, and compilation ends
// with a limitation that names the place from which most of it comes, rather than after hours or when memory is full:
//
//   - a pass on core may leave MostStatements statements (package pipeline counts after each pass, package inline half as many while it
//     copies them, package flatten the variables while it makes them);
//   - definitions may be copied mostCopies times (passes monomorphise and defunctionalise, while they copy);
//   - lowering may make lowPerStatement times as many statements of the low-level program, and a kernel may have textPerStatement
//     times as many bytes of text.
//
// The largest program known to us, InterestCalib of Futhark's benchmarks, has 44,000 statements, 215,000 of them when lowered, and kernels
// of at most 100,000 bytes; poseidon 570 copies of definitions. Before a program is refused the host calls functions whose copies would be
// too many (Note [What stays a function] in package inline), and a nest has three levels of versions (Note [Versions of map bodies] in
// package flatten).

// MostStatements is how many statements of core IR a program may have after a pass.
const MostStatements = 200_000

const (
	mostCopies       = 20_000
	lowPerStatement  = 5
	textPerStatement = 40
)

// Statements is how many statements of core IR a program may have.
func (c *Context) Statements() int {
	if c.Budget > 0 {
		return c.Budget
	}
	return MostStatements
}

// LowStatements is how many statements the low-level program may have.
func (c *Context) LowStatements() int { return lowPerStatement * c.Statements() }

// KernelText is how many bytes the text of a kernel may have.
func (c *Context) KernelText() int { return textPerStatement * c.Statements() }

// Copied leaves the pass if it has made more copies of definitions than a program may have. The last one is of the definition at the place
// at.
func (c *Context) Copied(copies int, name string, at source.Span) {
	if copies > mostCopies {
		c.Limit(at, "the program takes more than %d copies of functions, one for each combination of types and functions that they are "+
			"given; the last is of %s", mostCopies, name)
	}
}

// Large is the limitation that a program gets more statements than it may have, of which those at a place are the most, or the last.
func (c *Context) Large(place, which string) *diag.Diagnostic {
	return diag.Limit(place, "compiled, the program comes to more than %d statements, %s here; "+
		"let fewer functions call others twice, nest less, or put #[sequential] before maps", c.Statements(), which)
}

// LargeLow is the limitation that kernels get too large; those that come from a place have so many statements.
func (c *Context) LargeLow(place string, here int) *diag.Diagnostic {
	return diag.Limit(place, "the program's kernels come to more than %d statements, %d of them in kernels from here; "+
		"let fewer functions call others twice, nest less, or put #[sequential] before maps", c.LowStatements(), here)
}
