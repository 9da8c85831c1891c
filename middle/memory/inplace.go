package memory

import (
	"slices"

	"skald/middle/core"
)

// Note [Rows made in place]
// ~~~~~~~~~~~~~~~~~~~~~~~~~
// A map whose points make arrays becomes, where one thread runs it, a loop that makes a row and copies it into the result. Such a row is
// made in the result, and nothing is copied: lowering leaves an update out whose value is in its place.
//
//	let (row: [m]f32 @tmp{0; 1}) = …
//	let (out2: [n][m]f32 @mem{0; m, 1}) = update out [i, 0:m:1] row
//
//	let (row: [m]f32 @mem{m*i; 1}) = …
//
// The row is written earlier than its update says, so nothing before it in the body may mention the array, the update must be certain (its
// certificates are from outside), and behind it the row may only be a result of the body, while nothing else overwrites the array. A row
// that is used for more than the update stays where it is faster to read: in a thread's private memory, in that of a workgroup, or in
// scratch.

// rowInPlace makes the place to which update number m of a body copies its value the target of that value, if it may be made there.
func (p *placer) rowInPlace(b *core.Body, m int) {
	e := b.Stms[m].Exp.(*core.Update)
	v := e.Value.Var
	if p.kernel == nil || p.kernel.operator || v == 0 || !p.homes.types[v].IsArray() || p.targets[v] != nil {
		return
	}
	if !definesOnly(b.Stms[:m], v, e, b.Stms[m].Aux.Certs) || !p.onlyThere(b, m, v, e.Array) {
		return
	}
	l := p.layout(e.Array).Sliced(e.Slice)
	if (mentions(b, m, v) || p.homes.depthOfReads(b, v) > 0) && (p.isPrivate(p.homes.types[v]) || !p.isScratch(l.Mem)) {
		return
	}
	p.targets[v] = l
}

// definesOnly reports whether statements define an update's value, and neither its array, its indices nor its certificates.
func definesOnly(stms []*core.Stm, v core.Var, e *core.Update, certs []core.Var) bool {
	outside := append([]core.Var{e.Array}, certs...)
	for _, d := range e.Slice {
		outside = append(outside, d.Off.Var, d.Stride.Var)
	}
	found := false
	for _, s := range stms {
		for _, q := range s.Dst {
			found = found || q.Var == v
			if slices.Contains(outside, q.Var) {
				return false
			}
		}
	}
	return found
}

// onlyThere reports whether no statement before update number m of a body mentions the array's memory, and none behind it the row's, nor
// overwrites the array's.
func (p *placer) onlyThere(b *core.Body, m int, row, array core.Var) bool {
	h := p.homes
	root := func(v core.Var) core.Var { return h.sites[h.of[v]].root }
	for i, s := range b.Stms {
		if i == m {
			continue
		}
		for _, v := range core.FreeInStm(s).List() {
			if h.of[v] != 0 && (root(v) == root(array) || i > m && root(v) == root(row)) {
				return false
			}
		}
	}
	return true
}

// mentions reports whether a body mentions a row beside its update, number m.
func mentions(b *core.Body, m int, row core.Var) bool {
	for i, s := range b.Stms {
		if i != m && core.FreeInStm(s).Has(row) {
			return true
		}
	}
	return slices.ContainsFunc(b.Res, func(o core.Operand) bool { return o.Var == row })
}

// isScratch reports whether a block is workgroup memory or scratch of the kernel's threads, where rows are as fast to read as in memory of
// their own.
func (p *placer) isScratch(mem core.Var) bool {
	return p.Scope.TypeOf(mem).Space != core.SpaceDevice
}
