package imp

// Mapper says what to do with the parts of statements and expressions; nil fields leave parts as they are. Statements are copied with it,
// and expressions of which a part changes.
type Mapper struct {
	Exp func(Exp) Exp
	// Mem renumbers arrays of a kernel.
	Mem func(Mem) Mem
	// Index maps an index of an array, which has its old number here; when nil, an index is an expression like any other.
	Index func(Mem, Exp) Exp
	Body  func([]Stm) []Stm
	// Var renames the variables that statements of kernels bind and set; those in expressions are Exp's.
	Var func(Var) Var
}

func (m Mapper) exp(e Exp) Exp {
	if m.Exp == nil {
		return e
	}
	return m.Exp(e)
}

func (m Mapper) exps(es []Exp) []Exp {
	out := make([]Exp, len(es))
	for i, e := range es {
		out[i] = m.exp(e)
	}
	return out
}

func (m Mapper) mem(a Mem) Mem {
	if m.Mem == nil {
		return a
	}
	return m.Mem(a)
}

func (m Mapper) index(a Mem, e Exp) Exp {
	if m.Index == nil {
		return m.exp(e)
	}
	return m.Index(a, e)
}

func (m Mapper) body(b []Stm) []Stm {
	if m.Body == nil {
		return b
	}
	return m.Body(b)
}

// variable renames what a statement binds or sets; zero is none.
func (m Mapper) variable(v Var) Var {
	if m.Var == nil || v == 0 {
		return v
	}
	return m.Var(v)
}

func (m Mapper) variables(vs []Var) []Var {
	if m.Var == nil {
		return vs
	}
	out := make([]Var, len(vs))
	for i, v := range vs {
		out[i] = m.variable(v)
	}
	return out
}

// renaming copies statements and expressions with other names for some variables. What is set of it later holds for all parts, too.
func renaming(names map[Var]Var) *Mapper {
	m := &Mapper{}
	m.Var = func(v Var) Var {
		if n, ok := names[v]; ok {
			return n
		}
		return v
	}
	m.Exp = func(e Exp) Exp {
		if v, ok := e.(*VarExp); ok {
			if n := m.Var(v.Var); n != v.Var {
				return &VarExp{n}
			}
			return e
		}
		return e.parts(*m)
	}
	m.Body = func(b []Stm) []Stm {
		out := make([]Stm, len(b))
		for i, s := range b {
			out[i] = s.parts(*m)
		}
		return out
	}
	return m
}
