// Package pipeline lists the passes on core IR, in order, as a value, and runs
// them. What comes before (the surface passes and internalise) and after
// (lowering) works on other representations and is joined to this by the root
// package.
package pipeline
