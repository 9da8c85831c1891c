package consume

import (
	"skald/frontend/source"
	"skald/frontend/types"
)

// part is a part of a result: whether it is declared unique, and its aliases.
type part struct {
	unique bool
	als    set
}

func resultParts(t types.Type, v *value) []part {
	r, ok := types.Force(t).(*types.Record)
	if !ok || len(v.fields) != len(r.Fields) {
		return []part{{types.IsUnique(t), v.all()}}
	}
	var out []part
	for i, f := range r.Fields {
		out = append(out, resultParts(f.Type, v.fields[i])...)
	}
	return out
}

// checkResult checks that the parts of a result which are declared unique share memory with nothing that the caller
// keeps.
func (c *checker) checkResult(at source.Span, params []*types.Param, ret types.Type, v *value) {
	var seenUnique, seenAll set
	for _, p := range resultParts(ret, v) {
		against := seenUnique
		if p.unique {
			against = seenAll
		}
		if p.als.intersects(against) {
			c.fail(at, "unique-return-aliased", "A part of the result is unique, but aliased to some other component.")
		}
		if p.unique {
			c.notFromParams(at, params, p.als)
			seenUnique = seenUnique.union(p.als)
		}
		seenAll = seenAll.union(p.als)
	}
}

func (c *checker) notFromParams(at source.Span, params []*types.Param, als set) {
	for _, p := range params {
		for _, v := range varPats(p.Pat) {
			if consumable(v.Type) {
				continue
			}
			for a := range als {
				if a.sym == v.Sym {
					c.fail(at, "return-aliased", "Unique-typed return value is aliased to \"%s\", which is not "+
						"consumable: it is a parameter without a star.", v.Sym.Name)
					break
				}
			}
		}
	}
}

// checkGlobals rejects a function whose result shares memory with a variable at top level.
func (c *checker) checkGlobals(at source.Span, params []*types.Param, v *value) {
	if len(params) == 0 {
		return
	}
	seen := map[*types.Symbol]bool{}
	for _, a := range v.arrays().sorted() {
		if !a.free && c.vars[a.sym] == nil && !seen[a.sym] {
			seen[a.sym] = true
			c.fail(at, "alias-free-variable",
				"The result aliases the free variable \"%s\".", a.sym.Name)
		}
	}
}

// inferUnique marks those parts of a result unique that share memory only with parameters that are consumed.
func inferUnique(params []*types.Param, ret types.Type, v *value) types.Type {
	if len(params) == 0 {
		return types.WithUnique(ret, types.NotUnique)
	}
	consumed := map[*types.Symbol]bool{}
	for _, p := range params {
		for _, x := range varPats(p.Pat) {
			consumed[x.Sym] = types.IsUnique(x.Type)
		}
	}
	count := map[*types.Symbol]int{}
	countAliases(v, count)
	return inferPart(ret, v, consumed, count)
}

// countAliases counts in how many parts of a result each variable is an alias; abstract types may share with
// themselves.
func countAliases(v *value, count map[*types.Symbol]int) {
	if v.fields != nil {
		for _, f := range v.fields {
			countAliases(f, count)
		}
		return
	}
	n := 1
	switch v.typ.(type) {
	case *types.Var, *types.Con:
		n = 2
	default:
	}
	seen := map[*types.Symbol]bool{}
	for a := range v.all() {
		if !seen[a.sym] {
			seen[a.sym] = true
			count[a.sym] += n
		}
	}
}

func inferPart(t types.Type, v *value, consumed map[*types.Symbol]bool, count map[*types.Symbol]int) types.Type {
	switch t := types.Force(t).(type) {
	case *types.Record:
		if len(v.fields) == len(t.Fields) {
			fields := make([]types.Field, len(t.Fields))
			for i, f := range t.Fields {
				fields[i] = types.Field{Name: f.Name, Type: inferPart(f.Type, v.fields[i], consumed, count)}
			}
			return &types.Record{Fields: fields}
		}
	case *types.Sum:
		if len(v.ctors) == len(t.Ctors) {
			ctors := make([]types.Ctor, len(t.Ctors))
			for i, k := range t.Ctors {
				args := make([]types.Type, len(k.Args))
				for j, a := range k.Args {
					args[j] = inferPart(a, v.ctors[i][j], consumed, count)
				}
				ctors[i] = types.Ctor{Name: k.Name, Args: args}
			}
			return &types.Sum{Ctors: ctors}
		}
	default:
	}
	for a := range v.arrays() {
		if !a.free && !consumed[a.sym] {
			return types.WithUnique(t, types.NotUnique)
		}
	}
	for a := range v.all() {
		if count[a.sym] > 1 {
			return types.WithUnique(t, types.NotUnique)
		}
	}
	return types.WithUnique(t, types.MadeUnique)
}
