// Package language holds one program for each part of the language, with expectations worked out by hand, and programs that must be
// rejected; its tests run them in the interpreter. It has no code of its own.
package language
