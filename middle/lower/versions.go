package lower

import (
	"slices"

	"skald/middle/core"
	"skald/middle/imp"
)

// Note [Versions that a device cannot take]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// Whether a device takes a kernel is known when the kernel is printed: its text is too long, its loops are nested too deeply, it has more
// arrays than the device binds. A kernel of a version that another can stand in for (core.Either, core.Versions) need not be refused with
// the program: whoever has printed it leaves the version out and lowers again. So Versions remembers of which versions a kernel is part.

// Versions are those of a program that a device has kernels of, and those that are left out.
type Versions struct {
	of  map[string][]version // by the names of kernels: outermost first
	out map[version]bool
}

// version is an alternative of a branch: Then, or Else.
type version struct {
	branch *core.If
	other  bool
}

// LeaveOut leaves out the smallest version that a kernel is part of and that another can stand in for, from the next lowering of the same
// program on. It reports whether there is one.
func (v *Versions) LeaveOut(k *imp.Kernel) bool {
	in := v.of[k.Name]
	if len(in) == 0 {
		return false
	}
	if v.out == nil {
		v.out = map[version]bool{}
	}
	v.out[in[len(in)-1]] = true
	return true
}

// choice generates a branch that chooses between versions, or the version that is left; others are left to whoever asks.
func (c *hostBuilder) choice(s *core.Stm, e *core.If) bool {
	either, fitting := slices.Contains(s.Aux.Attrs, core.Either), slices.Contains(s.Aux.Attrs, core.Versions)
	switch out := c.l.versions.out; {
	case !either && !fitting:
		return false
	case out[version{e, false}]:
		c.alone(s, e.Else)
	case out[version{e, true}]:
		c.alone(s, e.Then)
	case fitting:
		c.ifVersions(s, e)
	default:
		c.ifOf(s, e, func(b *core.Body) []value { return c.version(e, b) })
	}
	return true
}

// version generates an alternative of a branch, whose kernels are part of it.
func (c *hostBuilder) version(e *core.If, b *core.Body) []value {
	outer := c.l.in
	c.l.in = append(slices.Clip(outer), version{e, b == e.Else})
	vals := c.body(b)
	c.l.in = outer
	return vals
}

// alone generates the only version that is left of a statement.
func (c *hostBuilder) alone(s *core.Stm, b *core.Body) {
	c.stms(b.Stms)
	for i, r := range b.Res {
		c.stm(&core.Stm{Dst: s.Dst[i : i+1], Exp: &core.Use{X: r}, Aux: s.Aux})
	}
}
