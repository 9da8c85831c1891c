// Package literate turns programs into pages: `skald literate`. Comments become text, definitions code, and directives what they show:
// values, pictures, plots, videos and sounds that the program computes.
//
// Parse reads a program as blocks. A Page runs the directives and writes Markdown; HTML makes a page of that for browsers. Expressions
// are those of tooling/script, evaluated by tooling/evaluate; files are made by tooling/media. What a directive shows is kept beside
// the pictures under a name that stands for all it depends on (Note [Kept results of directives]), so that a page that has not changed
// is made without running anything.
//
//	-- The squares:                The squares:
//	--
//	-- > map_square (iota 3)       > map_square (iota 3)
//	                               [0, 1, 4]
package literate
