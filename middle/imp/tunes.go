package imp

import "slices"

// TunesOf lists the tuning parameters that runs of an entry point ask for, in their order; none if there is no such entry point.
func (p *Prog) TunesOf(entry string) []Tune {
	used := make([]bool, len(p.Tunes))
	seen := map[string]bool{}
	var visit func(fun string)
	visit = func(fun string) {
		f := p.Fun(fun)
		if f == nil || seen[fun] {
			return
		}
		seen[fun] = true
		Walk(f.Body, func(s Stm) bool {
			switch s := MatchStm(s).(type) {
			case *GetTune:
				used[s.Index] = true
			case *Call:
				visit(s.Fun)
			default:
			}
			return true
		})
	}
	if i := slices.IndexFunc(p.Entries, func(e Entry) bool { return e.Name == entry }); i >= 0 {
		visit(p.Entries[i].Fun)
	}
	var out []Tune
	for i, t := range p.Tunes {
		if used[i] {
			out = append(out, t)
		}
	}
	return out
}
