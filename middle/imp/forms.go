package imp

// mapKernels is p with its kernels rewritten by f, which may change the body and the variables of the copy that it gets. Forms of a kernel
// that differ in the sizes of arrays alone have one body, which is rewritten once, and have one body afterwards.
func mapKernels(p *Prog, f func(k *Kernel)) *Prog {
	out := *p
	out.Kernels = make([]*Kernel, len(p.Kernels))
	done := map[*Stm]*Kernel{}
	for i, k := range p.Kernels {
		n := *k
		out.Kernels[i] = &n
		if len(k.Body) == 0 {
			continue
		}
		if same := done[&k.Body[0]]; same != nil {
			n.Body, n.Vars = same.Body, same.Vars
			continue
		}
		f(&n)
		done[&k.Body[0]] = &n
	}
	return &out
}
