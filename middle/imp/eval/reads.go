package eval

import "skald/middle/imp"

// Note [Waiting once]
//
// Read-backs that follow one another wait together, and so do those between which host code only computes, if they need nothing of that:
// what stands between is done behind them.

// readRun takes the read-backs at the start of body that can wait together, and what stands among them and can come later; n is how many
// statements that is. See Note [Waiting once].
func readRun(body []imp.Stm) (reads []*imp.ReadScalar, later []imp.Stm, n int) {
	if _, ok := imp.MatchStm(body[0]).(*imp.ReadScalar); !ok {
		return nil, nil, 0
	}
	changed := map[imp.Var]bool{} // by what comes before the statement at hand
	var among []imp.Stm           // since the last read-back
	for i, stm := range body {
		switch s := imp.MatchStm(stm).(type) {
		case *imp.Free, *imp.Comment:
			among = append(among, stm)
		case *imp.Let:
			changed[s.Var] = true
			among = append(among, stm)
		case *imp.Set:
			changed[s.Var] = true
			among = append(among, stm)
		case *imp.ReadScalar:
			depends := changed[s.Block]
			imp.WalkExp(s.Index, func(e imp.Exp) {
				v, ok := e.(*imp.VarExp)
				depends = depends || ok && changed[v.Var]
			})
			if depends {
				return reads, later, n
			}
			changed[s.Var] = true
			reads, later, among, n = append(reads, s), append(later, among...), nil, i+1
		default:
			return reads, later, n
		}
	}
	return reads, later, n
}
