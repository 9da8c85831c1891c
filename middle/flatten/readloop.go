package flatten

import "skald/middle/core"

// Note [Loops that read arrays]
//
// The host has to wait for the device to read an element of an array. A loop of scalars that does so in its iterations, and nothing
// that is the host's business, is therefore run by one thread of the device: the host waits once, for the results.

// onlyReads reports whether a loop on the host passes on scalars only, reads arrays, and does nothing that one thread of a
// kernel could not, or should not, do.
func onlyReads(e *core.Loop) bool {
	reads, ok := false, true
	scalarsOf := func(ps []core.Param) {
		for _, p := range ps {
			ok = ok && p.Type.Kind == core.KindScalar
		}
	}
	scalarsOf(e.Params)
	core.Walk(e.Body, func(s *core.Stm) bool {
		switch inner := core.Match(s.Exp).(type) {
		case *core.Use, *core.Un, *core.Bin, *core.Cmp, *core.Conv, *core.CallFunc, *core.If, *core.Switch:
			scalarsOf(s.Dst)
		case *core.Loop:
			scalarsOf(inner.Params)
		case *core.Index:
			reads = true
			scalarsOf(s.Dst)
		case *core.Assert:
		default:
			ok = false
		}
		return ok
	})
	return ok && reads
}
