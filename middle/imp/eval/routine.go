package eval

import "skald/middle/imp"

// routine is a compiled routine. Its number says which of a thread's frames it works in.
type routine struct {
	number  int
	decl    *imp.Routine
	body    stm
	results []exp
}

// compileRoutines compiles the routines that a kernel calls.
func compileRoutines(k *imp.Kernel) map[*imp.Routine]*routine {
	out := map[*imp.Routine]*routine{}
	for i, r := range imp.Routines(k.Body) {
		c := &compiler{name: r.Name, scope: r.Scope(), routines: out}
		out[r] = &routine{number: i, decl: r, body: c.seq(r.Body), results: c.exps(r.Results)}
	}
	return out
}

// frames makes the frames of one thread.
func (k *Kernel) frames() []thread {
	fs := make([]thread, len(k.routines))
	for _, r := range k.routines {
		f := &fs[r.number]
		f.frames = fs
		f.regs = make([]uint64, max(len(r.decl.Vars), 1))
		for _, m := range r.decl.Mems {
			f.mems = append(f.mems, make([]byte, m.Count*m.Elem.Size()))
		}
	}
	return fs
}

func (c *compiler) invoke(s *imp.Invoke) stm {
	r, args := c.routines[s.Routine], c.exps(s.Args)
	params, dst := s.Routine.Params, s.Dst
	return func(t *thread) bool {
		f := &t.frames[r.number]
		f.group = t.group
		for i, a := range args {
			f.regs[params[i]] = a(t)
		}
		if !r.body(f) {
			t.dead = true
			return false
		}
		for i, e := range r.results {
			t.regs[dst[i]] = e(f)
		}
		return true
	}
}
