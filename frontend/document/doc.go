// Package document makes HTML pages of the documentation comments in programs.
//
// It is beside the checker: its input is syntax trees, with what the checker knows of them if it was run, and its
// output is text. It imports frontend/syntax and frontend/source, and knows nothing of the checker or of files.
//
// Each file has one page, which lists what the file exports in the order of the source: values with their types, types,
// modules and module types with their contents. Of a module that is not written out (an application, a name, a module seen through a
// named type) the checker says what it exports. Every declaration has a link to its line in a second page, the file's text. An index
// page lists files and names. A file whose comment is the one word "ignore" has no pages.
//
// Comments are Markdown, by goldmark; HTML in them is text. A name in backticks with its space behind it, `reduce`@term, is a link to
// where that is documented. Code is highlighted by chroma (Note [Highlighting]). The runner of executables has none of this.
//
// # Example
//
//	-- | The sum of an array.
//	def sum (xs: []i32) = reduce (+) 0 xs
//
// becomes, unless it is the first comment of its file, which is about the file,
//
//	<pre id="term-sum">val sum [d] : [d]i32 -&gt; i32</pre> (with classes for colours)
//	<p>The sum of an array.</p>
package document
