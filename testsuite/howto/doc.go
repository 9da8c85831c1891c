// Package howto tests the pages of docs that say how the compiler is extended. Each page has a worked example, testdata/NAME.txtar,
// which is
// applied to a copy of the tree: with it everything builds and programs that use it run; without any one file of it a build, a check of
// the code's text or a test fails.
//
// The comment of an archive says what is added, then how that is tried:
//
//	$ COMMAND                what follows, up to an empty line or the next command, is what it prints
//	without FILE: COMMAND => TEXT
//	                         COMMAND, which succeeds with the whole example, fails without FILE, and prints TEXT, if that is there
//
// A section's name is a path; the section is the file. With " (edit)" behind the path it is a change of a file that is there: parts of it
// with lines that stay (a space before them), go (-) and come (+), each part behind a line @@. A line that would begin a section
// has a backslash in front.
//
// Only tests are here.
package howto
