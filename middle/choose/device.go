package choose

import (
	"slices"

	"skald/middle/core"
	"skald/middle/facts"
	"skald/runtime/prim"
)

// Device answers questions about the code of a program on a device.
type Device struct {
	facts.Facts
	// checks says that the program has assertions.
	checks bool
	// functions are the device functions, by name.
	functions map[string]functionCost
}

// functionCost is the cost of a device function and that of its emulated operations: Note [Cost model].
type functionCost struct{ cost, emulation int }

// NewDevice is a device with these facts, which runs a program.
func NewDevice(f facts.Facts, p *core.Prog) *Device {
	d := &Device{Facts: f.WithDefaults(), functions: map[string]functionCost{}}
	bodies := make([]*core.Body, 0, len(p.Funs)+1)
	if p.Consts != nil {
		bodies = append(bodies, p.Consts.Body)
	}
	for _, f := range p.Funs {
		bodies = append(bodies, f.Body)
		if f.DeviceFunction { // What it calls comes before.
			d.functions[f.Name] = functionCost{d.cost(f.Body), d.emulation(f.Body)}
		}
	}
	d.checks = slices.ContainsFunc(bodies, hasChecks)
	return d
}

func hasChecks(b *core.Body) bool {
	return core.Any(b, func(e core.Exp) bool { _, ok := e.(*core.Assert); return ok })
}

// sharedBytes is the workgroup memory that a value of each of these types takes.
func (d *Device) sharedBytes(types []prim.Type) int {
	bytes := 0
	for _, t := range types {
		bytes += d.SharedSize(t)
	}
	return bytes
}

// fitThreads is the largest workgroup, of at most so many threads and a power of two of them less, whose threads can hold a value of each
// of these types in workgroup memory.
func (d *Device) fitThreads(most int, types []prim.Type) int {
	for most > 1 && d.sharedBytes(types)*most > d.SharedBytes {
		most /= 2
	}
	return most
}

// saturating is how many workgroups of size threads saturate the device.
func (d *Device) saturating(size int) int { return max(1, d.Groups*d.GroupSize/size) }

// exchanges reports whether the threads of a subgroup can see each other's values of these types, in workgroups of size threads.
func (d *Device) exchanges(types []prim.Type, size int) bool {
	if d.SubgroupSize < 2 || size%d.SubgroupSize != 0 {
		return false
	}
	return !slices.ContainsFunc(types, func(t prim.Type) bool { return t.Bits() > 32 || t == prim.Bool || t == prim.F16 })
}

// joins reports whether the threads of a subgroup can join their values by shuffles. Operators then also see values that are no
// neighbours, whose result nobody uses: they must be arithmetic that cannot fail.
func (d *Device) joins(o operators, size int) bool {
	for _, op := range o.ops {
		if !straight(op.Lambda.Body) || mayFail(op.Lambda.Body) {
			return false
		}
	}
	return d.exchanges(o.types, size)
}

// mayFail reports whether a body has checks, or reads that checks stand before.
func mayFail(b *core.Body) bool {
	return core.Any(b, func(e core.Exp) bool { return core.MayFail(e) || len(core.Reads(e)) > 0 })
}

// mayAssert reports whether code of a body has checks.
func mayAssert(b *core.Body) bool { return core.Any(b, core.MayFail) }

// mostSubgroups is how many values, one a subgroup, each thread of a scan combines by itself.
const mostSubgroups = 32

// scansSubgroups reports whether subgroups scan their threads' values by shuffles.
func (d *Device) scansSubgroups(o operators, size int) bool {
	return d.exchanges(o.types, size) && size/d.SubgroupSize <= mostSubgroups
}

// Straight reports whether a body is scalar operations, reads and branches of such.
func straight(body *core.Body) bool { return straightWith(body, withoutUpdates) }

const withoutUpdates = false

// straightWith is straight, where a body may also update accumulators.
func straightWith(body *core.Body, updates bool) bool {
	for _, s := range body.Stms {
		switch e := core.Match(s.Exp).(type) {
		case *core.Un, *core.Bin, *core.Cmp, *core.Conv, *core.CallFunc, *core.Use, *core.Assert,
			*core.Index, *core.Rearrange, *core.Reshape:
		case *core.If:
			if !straightWith(e.Then, updates) || !straightWith(e.Else, updates) {
				return false
			}
		case *core.UpdateAcc:
			if !updates {
				return false
			}
		default:
			return false
		}
	}
	return true
}
