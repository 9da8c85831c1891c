package functions

import (
	"slices"

	"skald/middle/core"
	"skald/middle/facts"
	"skald/middle/pass"
)

// Map applies f to the constants and to each function of a program, several at a time.
func Map(p *core.Prog, f func(*core.Fun) *core.Fun) *core.Prog {
	out := *p
	if p.Consts != nil {
		out.Consts = f(p.Consts)
	}
	out.Funs = pass.Each(p.Funs, f)
	return &out
}

// MapHost applies f to the constants and to each function that the host calls. Device functions stay as they are.
func MapHost(p *core.Prog, f func(*core.Fun) *core.Fun) *core.Prog {
	return Map(p, func(g *core.Fun) *core.Fun {
		if g.DeviceFunction {
			return g
		}
		return f(g)
	})
}

// MapForGPU is MapHost where the device of the context is a GPU; for others the program stays as it is. The device is only asked for by
// programs that f changes, so that those which it does not change are the same for all devices. f returns the function itself where it
// changes nothing.
func MapForGPU(ctx *pass.Context, p *core.Prog, f func(*core.Fun) *core.Fun) *core.Prog {
	out := MapHost(p, f)
	if out.Consts == p.Consts && slices.Equal(out.Funs, p.Funs) {
		return p
	}
	if pass.Ask(ctx, func(f facts.Facts) bool { return f.HasTasks() || f.Software }) {
		return p
	}
	return out
}
