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
		for _, v := range s.binds() {
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
	if len(s.bodies()) == 0 {
		return s
	}
	return s.parts(Mapper{Body: func(b []Stm) []Stm { return freeBody(f, b, map[Var]bool{}, nil) }})
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
		add(s.binds()...)
		switch s := MatchStm(s).(type) {
		case *Set:
			add(s.Var)
		case HostStm:
			add(s.blocks()...)
		default:
		}
		return true
	})
	return out
}
