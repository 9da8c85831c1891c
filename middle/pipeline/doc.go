// Package pipeline lists the passes on core IR, in order, as values, and runs
// them. There are two lists: Front, which runs when a program is built, and
// GPU, which runs where the program runs, with what is known of the device.
// What is between them is what executables carry. What comes before (the
// surface passes and internalise) and after (lowering) works on other
// representations and is joined to this by package compiler.
package pipeline
