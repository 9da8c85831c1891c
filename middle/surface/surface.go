// Package surface lists the passes from typed program to typed program, in order. They leave a program without modules (the
// checker saw to that), polymorphism, local functions and function values, which package internalise can represent.
//
// Its subpackages, one a pass, and internalise are the only part of the middle end that sees the surface language.
package surface

import (
	"skald/frontend/types"
	"skald/middle/pass"
	"skald/middle/surface/defunctionalise"
	"skald/middle/surface/lift"
	"skald/middle/surface/monomorphise"
	"skald/middle/surface/normalise"
)

// Passes are the surface passes, in order. Each says in its package comment what it needs of those before it.
var Passes = []pass.Pass[*types.Prog, *types.Prog]{
	normalise.Pass,
	monomorphise.Pass,
	lift.Pass,
	defunctionalise.Pass,
}
