package imp

// Note [Device functions]
//
// A device function is a function that the threads of kernels call, each for itself: with scalars, none of which is an Idx, it computes
// scalars. Its only memory is private, its parameters keep their values, and it has neither barriers nor numbers of threads, so that its
// code is the same wherever it is called from, in wide kernels as well. None is recursive. Device functions belong to the kernels that
// call them,
// directly or through others: they are printed with these, and each kernel has a copy of its own.
//
// When an assertion in a device function fails, its results mean nothing, and the thread that called it does nothing more.

// DeviceFunction is a function of kernels.
type DeviceFunction struct {
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
func (r *DeviceFunction) Scope() Scope { return Scope{r.Vars, r.Mems} }

// Kernel is a kernel of r's name, variables, arrays and body, for what looks at kernels.
func (r *DeviceFunction) Kernel() *Kernel {
	return &Kernel{Name: r.Name, Vars: r.Vars, Mems: r.Mems, Body: r.Body}
}

// DeviceFunctions lists the device functions that statements call, directly or through others, each behind those that it calls.
func DeviceFunctions(body []Stm) []*DeviceFunction {
	c := collector{seen: map[*DeviceFunction]bool{}}
	c.stms(body)
	return c.found
}

type collector struct {
	seen  map[*DeviceFunction]bool
	found []*DeviceFunction
}

func (c *collector) stms(body []Stm) {
	Walk(body, func(s Stm) bool {
		if s, ok := s.(*Invoke); ok && !c.seen[s.DeviceFunction] {
			c.seen[s.DeviceFunction] = true
			c.stms(s.DeviceFunction.Body)
			c.found = append(c.found, s.DeviceFunction)
		}
		return true
	})
}
