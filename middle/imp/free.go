package imp

// Note [Blocks are counted]
//
// Host variables of type Block hold references: what binds or sets one
// takes a reference and drops the one it held before, Free drops it, and the
// end of a function drops all but the results'. So Free only says when a
// variable is dead, and a block that two variables name lives as long as either.

// InsertFrees adds a Free behind the last use of each block variable that a
// body of f binds, unless the function's results mention it.
func InsertFrees(f *Fun) {
	live := map[Var]bool{}
	for _, e := range f.Results {
		WalkExp(e, func(e Exp) {
			if v, ok := e.(*VarExp); ok {
				live[v.Var] = true
			}
		})
	}
	f.Body = freeBody(f, f.Body, live, f.Params)
}

// freeBody frees what body binds, and the extra variables, when they are
// dead; live ones stay.
func freeBody(f *Fun, body []Stm, live map[Var]bool, extra []Var) []Stm {
	mine := map[Var]bool{}
	for _, v := range extra {
		mine[v] = f.Vars[v].Type == Block
	}
	for _, s := range body {
		for _, v := range binds(s) {
			if f.Vars[v].Type == Block {
				mine[v] = true
			}
		}
	}
	freed := make([][]Stm, len(body))
	for i := len(body) - 1; i >= 0; i-- {
		used := usedVars(body[i])
		for _, v := range used {
			if mine[v] && !live[v] {
				live[v] = true
				freed[i] = append(freed[i], &Free{v})
			}
		}
	}
	var out []Stm
	for i, s := range body {
		out = append(out, freeInner(f, s))
		out = append(out, freed[i]...)
	}
	return out
}

// freeInner does the same in the bodies of s. What they bind dies in them.
func freeInner(f *Fun, s Stm) Stm {
	switch s := s.(type) {
	case *If:
		return &If{s.Cond, freeBody(f, s.Then, map[Var]bool{}, nil), freeBody(f, s.Else, map[Var]bool{}, nil)}
	case *For:
		return &For{s.Var, s.Bound, freeBody(f, s.Body, map[Var]bool{}, nil)}
	case *While:
		return &While{s.Cond, freeBody(f, s.Body, map[Var]bool{}, nil)}
	default:
	}
	return s
}

// binds lists the variables that s itself binds.
func binds(s Stm) []Var {
	switch s := s.(type) {
	case *Let:
		return []Var{s.Var}
	case *Alloc:
		return []Var{s.Var}
	case *Data:
		return []Var{s.Var}
	case *GetConst:
		return []Var{s.Var}
	case *Call:
		return s.Dst
	default:
	}
	return nil
}

// usedVars lists the variables that s mentions at any depth, in order of
// appearance.
func usedVars(s Stm) []Var {
	var out []Var
	seen := map[Var]bool{}
	add := func(vs ...Var) {
		for _, v := range vs {
			if v != 0 && !seen[v] {
				seen[v] = true
				out = append(out, v)
			}
		}
	}
	Walk([]Stm{s}, func(s Stm) bool {
		for _, e := range Exps(s) {
			WalkExp(e, func(e Exp) {
				if v, ok := e.(*VarExp); ok {
					add(v.Var)
				}
			})
		}
		add(binds(s)...)
		switch s := s.(type) {
		case *Set:
			add(s.Var)
		case *Copy:
			add(s.Dst, s.Src)
		case *Fill:
			add(s.Block)
		case *ReadScalar:
			add(s.Block)
		case *WriteScalar:
			add(s.Block)
		case *Launch:
			add(s.Blocks...)
		default:
		}
		return true
	})
	return out
}
