// Package text is what the printers of all languages share: names of variables
// that read well and mean one thing, and expressions without parentheses around
// the whole.
//
// It sees middle/imp alone. For example, of two variables called x the one with
// number 3 becomes x_3, and `plain` makes `a + b` of `(a + b)`.
package text
