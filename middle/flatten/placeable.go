package flatten

import (
	"slices"

	"skald/middle/core"
)

// Note [Arrays of unknown size]
//
// A kernel cannot allocate: the host makes room for the arrays of all threads
// before it starts (package expand). That works when sizes are known by then,
// or can be computed by another kernel that runs only the scalar code which
// leads to them. A SOAC for which it does not work runs as a loop on the
// host, whose body may be parallel again: slowly, but every program runs. So
// does one that calls a recursive function, as kernels call device functions alone.

// privateElems is how many elements an array of a thread may have that lives
// in the thread's own memory; operators have no other.
const privateElems = 64

// placeable reports whether all arrays that the code of a kernel makes have
// sizes that can be known before it runs.
func (f *flattener) placeable(b *core.Body) bool {
	if sizesOutside(b) {
		return true
	}
	z := core.NewSizing(nil, b)
	for _, s := range b.Stms {
		ok := true
		core.Walk(&core.Body{Stms: []*core.Stm{s}}, func(s *core.Stm) bool {
			ok = ok && f.fits(z, s)
			return ok
		})
		if !ok {
			return false
		}
		z.Add(s)
	}
	return true
}

// sizesOutside reports whether no array in a body has a size that is computed there, as in most.
func sizesOutside(b *core.Body) bool {
	var sizes core.VarSet
	add := func(ps []core.Param) {
		for _, p := range ps {
			for _, n := range p.Type.Shape {
				sizes.Add(n.Var)
			}
		}
	}
	core.Walk(b, func(s *core.Stm) bool {
		add(s.Dst)
		if e, ok := s.Exp.(*core.Loop); ok {
			add(e.Params)
		}
		return true
	})
	return len(sizes.List()) == 0 || !core.BindsAny(b, &sizes)
}

// fits reports whether the sizes of the arrays that a statement makes are known, those in its bodies apart.
func (f *flattener) fits(z *core.Sizing, s *core.Stm) bool {
	known := func(p core.Param) bool { return z.Known(p.Type.Shape) }
	all := func(ps []core.Param) bool {
		return !slices.ContainsFunc(ps, func(p core.Param) bool { return !known(p) })
	}
	switch e := core.Match(s.Exp).(type) {
	case *core.Loop:
		return all(e.Params)
	case *core.Reshape:
		// Where elements are not evenly spaced it is a copy, with as many elements as the old array has.
		return all(s.Dst) || z.Known(f.TypeOf(core.V(e.Array)).Shape)
	case *core.If, *core.Switch:
		return all(s.Dst)
	default:
		return core.Pure(s.Exp) || all(s.Dst)
	}
}

// placeableOperator reports whether the arrays that an operator makes fit the
// memory of a thread.
func placeableOperator(l *core.Lambda) bool { return ownMemory(l.Body) }

// checkPlaceable says why there is no kernel with an operator, if the arrays that it makes fit no thread's memory.
func (f *flattener) checkPlaceable(l *core.Lambda) {
	if !placeableOperator(l) {
		f.block("its operator makes an array of more than 64 elements, or of a size that is not constant")
	}
}

// ownMemory reports whether the arrays that a body makes fit the memory of a thread.
func ownMemory(b *core.Body) bool {
	ok := true
	core.Walk(b, func(s *core.Stm) bool {
		switch core.Match(s.Exp).(type) {
		case core.View, *core.Update:
		default:
			for _, p := range s.Dst {
				ok = ok && isPrivate(p.Type)
			}
		}
		return ok
	})
	return ok
}

func isPrivate(t core.Type) bool {
	n := int64(1)
	for _, size := range t.Shape {
		c, ok := size.ConstInt()
		if !ok {
			return false
		}
		n *= c
	}
	return n <= privateElems
}

// block notes why the kernels of the SOAC on the host cannot be, unless a reason is known already.
func (f *flattener) block(reason string) {
	if f.blocked == "" {
		f.blocked = reason
	}
}

// HostLoop begins the attribute of loops that run SOACs on the host; the reason follows, and a closing parenthesis.
const HostLoop = "host_loop("

// FewThreads begins the attribute of what runs in few threads on the device; in how many and why follow, and a closing parenthesis.
const FewThreads = "few_threads("

// inFewThreads runs g, which adds code that few threads run.
func (f *flattener) inFewThreads(threads, reason string, g func()) {
	outer := f.Attrs
	f.Attrs = append(slices.Clip(outer), core.Attr(FewThreads+threads+": "+reason+")"))
	g()
	f.Attrs = outer
}

// combinesArrays is why.
const combinesArrays = "its operator combines arrays"

// hostSOAC flattens a SOAC on the host, or makes a loop of it, when
// the kernels that would come of it cannot be given memory.
func (f *flattener) hostSOAC(s *core.Stm) {
	if f.inGroup {
		f.parallel(&nest{}, s, s.Dst)
		return
	}
	if attrSequentialOuter.in(s.Aux.Attrs) {
		for _, s := range f.asLoop(s) {
			f.hostStm(s)
		}
		return
	}
	outer := f.Builder
	f.Builder = outer.Nested()
	f.Where, f.Attrs, f.Certs = outer.Where, outer.Attrs, outer.Certs
	f.blocked = ""
	f.parallel(&nest{}, s, s.Dst)
	stms, reason := f.Stms(), f.blocked
	f.Builder = outer
	f.blocked = ""
	if reason == "" {
		f.Add(stms...)
		return
	}
	t := *s
	t.Aux.Attrs = append(slices.Clip(s.Aux.Attrs), core.Attr(HostLoop+reason+")"))
	for _, s := range f.asLoop(&t) {
		f.hostStm(s)
	}
}

// asLoop is a SOAC as a loop around its lambdas, which stay as they are.
func (f *flattener) asLoop(s *core.Stm) []*core.Stm {
	in := f.Nested()
	in.Where, in.Attrs, in.Certs = s.Aux.Where, s.Aux.Attrs, s.Aux.Certs
	outer := f.onHost
	f.onHost = true
	switch e := core.Match(s.Exp).(type) {
	case *core.Screma:
		f.loopOfScrema(in, s, e)
	case *core.Hist:
		f.loopOfHist(in, s, e)
	default:
	}
	f.onHost = outer
	return in.Stms()
}
