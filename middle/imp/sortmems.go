package imp

import "slices"

// SortMems puts the global arrays of a kernel that is being built in front of
// the others, which keeps the order among each, and renumbers all accesses.
func SortMems(k *Kernel) {
	to := make([]Mem, len(k.Mems))
	var sorted []MemDecl
	for _, global := range []bool{true, false} {
		for i, m := range k.Mems {
			if (m.Space == Global) == global {
				to[i] = Mem(len(sorted))
				sorted = append(sorted, m)
			}
		}
	}
	k.Mems = sorted
	if slices.IsSorted(to) {
		return
	}
	k.Body = newRenumber(to).stms(k.Body)
}
