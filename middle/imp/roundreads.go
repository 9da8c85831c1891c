package imp

// Note [Readings of several rounds]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// A counting loop of host code that reads an element at its counter, to branch on it most often, waits in each round for what is there
// before the loop:
//
//	for i_1: i64 < n_2 {
//	  read parent_3: i32 = parents_4[i_1]
//	  ...
//
// Where no round changes the block, a run may read for several rounds together. Indices may be computed from the counter and from what no
// round changes. How many rounds that are is package eval's: see its Note [Reading for several rounds].

// RoundReads are the readings of a loop that may be done for several rounds together, given the classes of the function's blocks: see Note
// [Readings of several rounds].
func (s *For) RoundReads(class []Var) map[*ReadScalar]bool {
	var reads []*ReadScalar
	var find func(body []Stm)
	find = func(body []Stm) {
		for _, stm := range body {
			switch stm := MatchStm(stm).(type) {
			case *ReadScalar:
				reads = append(reads, stm)
			case *If:
				find(stm.Then)
				find(stm.Else)
			default:
			}
		}
	}
	if find(s.Body); len(reads) == 0 {
		return nil
	}
	changed, blocks, calls := changedIn(s.Body), map[Var]bool{}, false
	Walk(s.Body, func(stm Stm) bool {
		gone := writesItself(stm)
		switch stm := MatchStm(stm).(type) {
		case *Call:
			calls = true
		case *Launch:
			gone = stm.Blocks // They may be written: kernels are not looked at.
		case *Free:
			gone = []Var{stm.Var}
		default:
		}
		for _, b := range gone {
			blocks[class[b]] = true
		}
		return true
	})
	counter := map[Var]bool{s.Var: true}
	out := map[*ReadScalar]bool{}
	for _, r := range reads {
		index := mentions(r.Index, counter) && !mentions(r.Index, changed) && !canFail(r.Index)
		if index && !calls && !changed[r.Block] && !blocks[class[r.Block]] {
			out[r] = true
		}
	}
	return out
}
