// Package document makes HTML pages of the documentation comments in programs.
//
// It is beside the checker: its input is syntax trees, with the types that the checker found if there are any, and its
// output is text. It imports frontend/syntax and frontend/source, and knows nothing of the checker or of files.
//
// Each file has one page, which lists what the file exports in the order of the source: values with their types, types,
// modules and module types with their contents. An index page lists files and names. A file whose comment is the one word "ignore"
// has no page.
//
// Comments are written in a small part of Markdown: paragraphs, headings, lists, code (indented, fenced, or in backticks), emphasis
// and links. A name in backticks with its space behind it, `reduce`@term, is a link to where that is documented.
//
// # Example
//
//	-- | The sum of an array.
//	def sum (xs: []i32) = reduce (+) 0 xs
//
// becomes, unless it is the first comment of its file, which is about the file,
//
//	<pre id="term-sum">val sum [d] : [d]i32 -&gt; i32</pre>
//	<p>The sum of an array.</p>
package document
