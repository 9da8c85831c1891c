package pass

import (
	"slices"
	"strings"

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
// too many (Note [What stays a function] in package inline), a nest has three levels of versions (Note [Versions of map bodies] in
// package flatten), and versions and forms are left out that others can stand in for: in package flatten those behind the first ones of a
// function, as few as are enough, in lowering those behind half of the statements, and those with a kernel that a device refuses (Note
// [Versions that a device cannot take] in package lower). Places that have fewer for it are told (Fewer).

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

// CodeFewer is the code of notes on versions that are left out.
var CodeFewer = diag.Declare(diag.Code{
	ID: "fewer-versions", Severity: diag.Remark,
	Doc: "Code for devices has fewer versions than it could have, since all of them would come to more statements than are compiled, or " +
		"the devices take no kernel like one of them. What is left runs at all sizes, but may be slower at some. The message " +
		"says what there is no version for.",
})

// Fewer tells that code at a place has fewer versions than it could have. Each is told once.
func (c *Context) Fewer(place, format string, args ...any) {
	d := diag.New(CodeFewer, source.Span{}, format, args...)
	d.Place = place
	c.mu.Lock()
	defer c.mu.Unlock()
	if !slices.ContainsFunc(c.told, func(o *diag.Diagnostic) bool { return o.Error() == d.Error() }) {
		c.told = append(c.told, d)
	}
}

// Told are the notes so far, in the order of their places.
func (c *Context) Told() []*diag.Diagnostic {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.SortedFunc(slices.Values(c.told), func(a, b *diag.Diagnostic) int { return strings.Compare(a.Error(), b.Error()) })
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
