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
	f.Body, _ = freeBody(f, f.Body, live, f.Params)
}

// freeBody frees what body binds, and the extra variables, when they are
// dead; live ones stay. used are the blocks that body mentions at any depth, in
// order of appearance.
func freeBody(f *Fun, body []Stm, live map[Var]bool, extra []Var) (out []Stm, used []Var) {
	mine := map[Var]bool{}
	for _, v := range extra {
		mine[v] = f.Vars[v].Type == Block
	}
	for _, s := range body {
		eachBound(s, func(v Var) {
			if f.Vars[v].Type == Block {
				mine[v] = true
			}
		})
	}
	inner, uses := make([]Stm, len(body)), make([]blocks, len(body))
	for i, s := range body {
		inner[i] = freeInner(f, s, &uses[i])
	}
	freed := make([][]Stm, len(body))
	for i := len(body) - 1; i >= 0; i-- {
		for _, v := range uses[i].list {
			if mine[v] && !live[v] {
				live[v] = true
				freed[i] = append(freed[i], &Free{v})
			}
		}
	}
	var all blocks
	for i, s := range inner {
		out = append(append(out, s), freed[i]...)
		all.add(f, uses[i].list...)
	}
	return out, all.list
}

// freeInner does the same in the bodies of s, and adds the blocks that s mentions at any depth to used. What the bodies
// bind dies in them.
func freeInner(f *Fun, s Stm, used *blocks) Stm {
	WalkExps(s, func(e Exp) {
		if v, ok := e.(*VarExp); ok {
			used.add(f, v.Var)
		}
	})
	used.add(f, s.binds()...)
	switch s := MatchStm(s).(type) {
	case *Set:
		used.add(f, s.Var)
	case HostStm:
		used.add(f, s.blocks()...)
	default:
	}
	return mapBodies(s, func(b []Stm) []Stm {
		out, inside := freeBody(f, b, map[Var]bool{}, nil)
		used.add(f, inside...)
		return out
	})
}

// blocks is a set of variables of blocks, in order of insertion.
type blocks struct {
	list []Var
	has  map[Var]bool
}

// add adds those of vs that are blocks.
func (b *blocks) add(f *Fun, vs ...Var) {
	for _, v := range vs {
		if v == 0 || f.Vars[v].Type != Block || b.has[v] {
			continue
		}
		if b.has == nil {
			b.has = map[Var]bool{}
		}
		b.has[v] = true
		b.list = append(b.list, v)
	}
}
