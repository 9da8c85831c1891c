package imp

// Note [Routines]
//
// A routine is a function that the threads of kernels call, each for itself: with scalars, none of which is an Idx, it computes
// scalars. Its only memory is private, its parameters keep their values, and it has neither barriers nor numbers of threads, so that its
// code is the same wherever it is called from, in wide kernels as well. None is recursive. Routines belong to the kernels that call them,
// directly or through others: they are printed with these, and each kernel has a copy of its own.
//
// When an assertion in a routine fails, its results mean nothing, and the thread that called it does nothing more.

// Routine is a function of kernels.
type Routine struct {
	Name   string
	Params []Var
	Vars   []VarDecl
	// Mems are private arrays.
	Mems []MemDecl
	Body []Stm
	// Results are evaluated at the end.
	Results []Exp
	// Fails says that there are assertions in Body, or in what it calls.
	Fails bool
}

// Scope is the scope of r's body.
func (r *Routine) Scope() Scope { return Scope{r.Vars, r.Mems} }

// Routines lists the routines that statements call, directly or through others, each behind those that it calls.
func Routines(body []Stm) []*Routine {
	c := collector{seen: map[*Routine]bool{}}
	c.stms(body)
	return c.found
}

type collector struct {
	seen  map[*Routine]bool
	found []*Routine
}

func (c *collector) stms(body []Stm) {
	Walk(body, func(s Stm) bool {
		if s, ok := s.(*Invoke); ok && !c.seen[s.Routine] {
			c.seen[s.Routine] = true
			c.stms(s.Routine.Body)
			c.found = append(c.found, s.Routine)
		}
		return true
	})
}
