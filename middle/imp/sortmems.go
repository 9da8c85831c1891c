package imp

// SortMems puts the global arrays of a kernel that is being built in front of
// the others, which keeps the order among each, and renumbers all accesses in
// place.
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
	done := map[*Load]bool{} // expressions may be shared
	Walk(k.Body, func(s Stm) bool {
		for _, e := range Exps(s) {
			WalkExp(e, func(e Exp) {
				if l, ok := e.(*Load); ok && !done[l] {
					done[l], l.Mem = true, to[l.Mem]
				}
			})
		}
		switch s := s.(type) {
		case *Store:
			s.Mem = to[s.Mem]
		case *LoadVec:
			s.Mem = to[s.Mem]
		case *StoreVec:
			s.Mem = to[s.Mem]
		case *Atomic:
			s.Mem = to[s.Mem]
		case *AtomicUpdate:
			s.Mem = to[s.Mem]
		default:
		}
		return true
	})
}
