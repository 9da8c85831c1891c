package flatten

import (
	"slices"

	"skald/middle/core"
)

// Note [Columns of mapped rows]
//
// The rows that a reduction or scan combines as vectors are often made by a map inside the map that is fused with it:
//
//	reduce (map2 op) (replicate m e) (map (\x -> let y = … in map (\z -> g y z) zs) xs)
//
// Their columns need not be columns of an array that holds all of them: the map inside is interchanged with the reduction, too, and what it
// does for an element is done where the element is folded.
//
//	let ys = map (\x -> …) xs in map (\z -> reduce op e (map (\y -> g y z) ys)) zs
//
// What the elements of a row have in common is computed once for each row (ys), unless it is no more than some operations on scalars. Where
// the map inside goes over what belongs to a row, such as a row of a matrix, the columns of all of these are mapped over.

// columns says how a reduction or scan of rows gets at the elements of each column.
type columns struct {
	// arrays have an element for each column.
	arrays []core.Var
	// fold returns, from the elements for a column, the arrays that are folded and what is mapped over them first.
	fold func(b *core.Builder, elems []core.Operand) ([]core.Var, *core.Lambda)
}

// columnsOf are the columns of the rows that e combines, whose elements have types elems.
func (f *flattener) columnsOf(b *core.Builder, e *core.Screma, elems []core.Type) columns {
	if c, ok := f.mappedColumns(b, e); ok {
		return c
	}
	rows := core.Vars(e.Arrays)
	if !sameVars(e.Map.Params, e.Map.Body.Res) {
		rows = b.LetN("rows", &core.Screma{Size: e.Size, Arrays: e.Arrays, Map: e.Map})
	}
	var c columns
	for _, r := range rows {
		c.arrays = append(c.arrays, exchanged(b, "columns", r.Var))
	}
	c.fold = func(b *core.Builder, ps []core.Operand) ([]core.Var, *core.Lambda) { return core.VarsOf(ps), b.Identity(elems) }
	return c
}

// exchanged is an array with its outer two dimensions exchanged.
func exchanged(b *core.Builder, name string, array core.Var) core.Var {
	perm := make([]int, b.TypeOf(core.V(array)).Rank())
	for d := range perm {
		perm[d] = d
	}
	perm[0], perm[1] = 1, 0
	return b.LetVar(name, &core.Rearrange{Perm: perm, Array: array})
}

// mappedColumns are the columns of rows that one map makes for each: Note [Columns of mapped rows].
func (f *flattener) mappedColumns(b *core.Builder, e *core.Screma) (c columns, ok bool) {
	r, ok := mapOfRow(e.Map)
	if !ok {
		return c, false
	}
	// The arrays that have, for all rows, what there is for each.
	all := map[core.Var]core.Var{}
	for i, p := range e.Map.Params {
		all[p.Var] = e.Arrays[i]
	}
	body := &core.Body{Stms: slices.Concat(r.before, r.inner.Map.Body.Stms), Res: r.elems}
	if slices.ContainsFunc(r.before, func(s *core.Stm) bool { _, scalar := s.Exp.(core.Scalar); return !scalar || !f.cheap(s) }) {
		if !f.kept(b, e, r, all) {
			return c, false
		}
		body = withoutCerts(&core.Body{Stms: r.inner.Map.Body.Stms, Res: r.elems}, r.bound)
	} else if slices.ContainsFunc(r.inner.Arrays, func(a core.Var) bool { return r.bound[a] }) {
		return c, false
	}
	// What is folded: the columns of what is mapped over in a row, and what else the rows have.
	var down []int
	for i, a := range r.inner.Arrays {
		if rows, is := all[a]; is {
			down = append(down, i)
			a = exchanged(b, "columns", rows)
		}
		c.arrays = append(c.arrays, a)
	}
	var own []core.Var
	for _, v := range core.FreeInBody(body).List() {
		if _, is := all[v]; is {
			own = append(own, v)
		}
	}
	if len(down)+len(own) == 0 {
		return c, false
	}
	c.fold = func(b *core.Builder, elems []core.Operand) ([]core.Var, *core.Lambda) {
		var folded []core.Var
		for _, i := range down {
			folded = append(folded, elems[i].Var)
		}
		for _, v := range own {
			folded = append(folded, all[v])
		}
		types := make([]core.Type, len(folded))
		for i, a := range folded {
			types[i] = b.TypeOf(core.V(a)).Row(1)
		}
		return folded, b.Lambda("x", types, r.types, func(b *core.Builder, xs []core.Operand) []core.Operand {
			sub := core.Subst{}
			for i, p := range r.inner.Map.Params {
				sub[p.Var] = elems[i]
			}
			for k, i := range down {
				sub[r.inner.Map.Params[i].Var] = xs[k]
			}
			for k, v := range own {
				sub[v] = xs[len(down)+k]
			}
			return b.Splice(body, sub)
		})
	}
	return c, true
}

// mappedRow is what makes rows for an element.
type mappedRow struct {
	before []*core.Stm
	bound  map[core.Var]bool // by these
	inner  *core.Screma      // a map over scalars
	elems  []core.Operand    // of the rows, for an element of it
	types  []core.Type
}

// mapOfRow takes apart a function that returns rows which one map makes, or copies of scalars.
func mapOfRow(l *core.Lambda) (r mappedRow, ok bool) {
	var rows []core.Param
	made := map[core.Var]core.Operand{} // copies
	r.bound = map[core.Var]bool{}
	for _, s := range l.Body.Stms {
		if slices.ContainsFunc(rows, func(p core.Param) bool { return core.FreeInStm(s).Has(p.Var) }) {
			return r, false
		}
		inner, is := s.Exp.(*core.Screma)
		if is = is && slices.ContainsFunc(l.Body.Res, func(o core.Operand) bool { return o.IsVar(s.Dst[0].Var) }); is && r.inner == nil && isMapOfScalars(inner) &&
			!slices.ContainsFunc(s.Aux.Certs, func(c core.Var) bool { return !r.bound[c] }) {
			rows, r.inner = s.Dst, inner
			continue
		}
		if rep, is := s.Exp.(*core.Replicate); is && len(rep.Shape) == 1 {
			made[s.Dst[0].Var] = rep.X
		}
		r.before = append(r.before, s)
		for _, p := range s.Dst {
			r.bound[p.Var] = true
		}
	}
	if r.inner == nil {
		return r, false
	}
	for i, o := range l.Body.Res {
		if k := slices.IndexFunc(rows, func(p core.Param) bool { return o.IsVar(p.Var) }); k >= 0 {
			r.elems = append(r.elems, r.inner.Map.Body.Res[k])
		} else if x, ok := made[o.Var]; ok {
			r.elems = append(r.elems, x)
		} else {
			return r, false
		}
		r.types = append(r.types, l.Ret[i].Row(1))
	}
	return r, true
}

// isMapOfScalars reports whether e is a map whose function takes no SOAC.
func isMapOfScalars(e *core.Screma) bool {
	return len(e.Scans)+len(e.Reds) == 0 && e.Post == nil && core.OnlyScalars(e.Map.Ret) &&
		!core.Any(e.Map.Body, func(e core.Exp) bool { _, soac := e.(core.SOAC); return soac })
}

// kept computes what each row has of its own for its elements, and adds the arrays of it to all. What is asserted is then known to hold.
func (f *flattener) kept(b *core.Builder, e *core.Screma, r mappedRow, all map[core.Var]core.Var) bool {
	needed := core.FreeInExp(r.inner)
	for _, x := range r.elems {
		if !x.IsConst() {
			needed.Add(x.Var)
		}
	}
	l := &core.Lambda{Params: e.Map.Params, Body: &core.Body{Stms: r.before}}
	for _, s := range r.before {
		for _, p := range s.Dst {
			switch {
			case !needed.Has(p.Var) || p.Type.Kind == core.KindCert:
				continue
			case !p.Type.IsScalar() && !p.Type.IsArray() || slices.ContainsFunc(core.FreeInType(p.Type).List(), func(v core.Var) bool { return r.bound[v] }):
				return false
			}
			l.Ret, l.Body.Res = append(l.Ret, p.Type), append(l.Body.Res, core.V(p.Var))
		}
	}
	for i, a := range b.LetN("kept", &core.Screma{Size: e.Size, Arrays: e.Arrays, Map: l}) {
		all[l.Body.Res[i].Var] = a.Var
	}
	return true
}
