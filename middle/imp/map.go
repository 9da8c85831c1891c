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
