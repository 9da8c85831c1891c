package migrate

import (
	"slices"

	"skald/middle/core"
	"skald/middle/functions"
	"skald/middle/pass"
)

// Pass is the migration of scalars.
var Pass = pass.Pass[*core.Prog, *core.Prog]{
	Name: "migrate",
	Doc:  "compute scalars on the device that only the device needs, so that the host does not wait for them",
	Run: func(ctx *pass.Context, p *core.Prog) *core.Prog {
		return functions.MapHost(p, func(f *core.Fun) *core.Fun { return function(ctx, f) })
	},
}

// function rewrites a function, if anything in it is to move.
func function(ctx *pass.Context, f *core.Fun) *core.Fun {
	f = carry(ctx, f)
	a := analyse(f)
	if len(a.moved) == 0 {
		return f
	}
	g := *f
	g.Names = slices.Clip(f.Names)
	w := &writer{analysis: a, Builder: core.NewBuilder(&g, core.ScopeOf(f)), uses: map[core.Var]int{}}
	g.Body = w.body(f.Body)
	return &g
}
