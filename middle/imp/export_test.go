package imp

// Parts is what code is copied by.
func Parts(s Stm, m Mapper) Stm { return s.parts(m) }

// ExpParts is Parts of an expression.
func ExpParts(e Exp, m Mapper) Exp { return e.parts(m) }
