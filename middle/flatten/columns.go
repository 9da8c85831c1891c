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
	c.fold = func(b *core.Builder, ps []core.Operand) ([]core.Var, *core.Lambda) {
		return core.VarsOf(ps), b.Identity(elems)
	}
	return c
}

// exchanged is an array with its outer two dimensions exchanged.
func exchanged(b *core.Builder, name string, array core.Var) core.Var {
	return b.LetVar(name, &core.Rearrange{Perm: core.Transposition(b.TypeOf(core.V(array)).Rank()), Array: array})
}

// mappedColumns are the columns of rows that one map makes for each: Note [Columns of mapped rows].
func (f *flattener) mappedColumns(b *core.Builder, e *core.Screma) (c columns, ok bool) {
	r, ok := f.mapOfRow(e.Map, e.Map.Body.Res)
	if !ok || r.nested() {
		return c, false
	}
	all := map[core.Var]core.Var{}
	for i, p := range e.Map.Params {
		all[p.Var] = e.Arrays[i]
	}
	if !r.again {
		once := &core.Lambda{Params: e.Map.Params, Body: &core.Body{Stms: r.before}}
		r.keep(once)
		for i, a := range b.LetN("kept", &core.Screma{Size: e.Size, Arrays: e.Arrays, Map: once}) {
			all[r.kept[i].Var] = a.Var
		}
	}
	// What is folded: the columns of what is mapped over in a row, and what else each row has.
	var down []int
	for i, a := range r.inner.Arrays {
		if rows, is := all[a]; is {
			down = append(down, i)
			a = exchanged(b, "columns", rows)
		}
		c.arrays = append(c.arrays, a)
	}
	own := r.own(all)
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
		return folded, b.Lambda("x", b.Rows(folded), r.types, func(b *core.Builder, xs []core.Operand) []core.Operand {
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
			return b.Splice(r.elem, sub)
		})
	}
	return c, true
}

// mappedRow is what makes rows for an element of other arrays.
type mappedRow struct {
	before []*core.Stm
	inner  *core.Screma // a map whose function returns scalars
	// elem makes an element of each row, of these types, for an element of the arrays that inner maps over. It does what comes before again,
	// or needs what is kept of it.
	elem  *core.Body
	types []core.Type
	again bool
	kept  []core.Param
}

// mapOfRow takes apart a function among whose results are rows, if one map makes them, and copies of scalars.
func (f *flattener) mapOfRow(l *core.Lambda, rows []core.Operand) (r mappedRow, ok bool) {
	var dst []core.Param
	copied := map[core.Var]core.Operand{}
	bound := map[core.Var]bool{}
	isBound := func(v core.Var) bool { return bound[v] }
	for _, s := range l.Body.Stms {
		if slices.ContainsFunc(dst, func(p core.Param) bool { return core.FreeInStm(s).Has(p.Var) }) {
			return r, false
		}
		if inner, is := s.Exp.(*core.Screma); is && r.inner == nil && onlyMaps(inner) && core.OnlyScalars(inner.Map.Ret) &&
			slices.ContainsFunc(s.Dst, func(p core.Param) bool { return slices.Contains(rows, core.V(p.Var)) }) &&
			!slices.ContainsFunc(s.Aux.Certs, func(c core.Var) bool { return !bound[c] }) {
			dst, r.inner = s.Dst, inner
			continue
		}
		if rep, is := s.Exp.(*core.Replicate); is && len(rep.Shape) == 1 {
			copied[s.Dst[0].Var] = rep.X
		}
		r.before = append(r.before, s)
		for _, p := range s.Dst {
			bound[p.Var] = true
		}
	}
	if r.inner == nil {
		return r, false
	}
	r.elem = &core.Body{Stms: r.inner.Map.Body.Stms}
	for _, o := range rows {
		k := slices.IndexFunc(dst, func(p core.Param) bool { return o.IsVar(p.Var) })
		x, is := copied[o.Var]
		if k >= 0 {
			x = r.inner.Map.Body.Res[k]
		} else if !is {
			return r, false
		}
		r.elem.Res, r.types = append(r.elem.Res, x), append(r.types, f.TypeOf(o).Row(1))
	}
	needed := core.FreeInBody(r.elem)
	for _, a := range r.inner.Arrays {
		needed.Add(a)
	}
	r.again = !slices.ContainsFunc(r.before, func(s *core.Stm) bool { _, scalar := s.Exp.(core.Scalar); return !scalar || !f.cheap(s) })
	if r.again {
		r.elem.Stms = slices.Concat(r.before, r.elem.Stms)
		return r, !slices.ContainsFunc(r.inner.Arrays, isBound)
	}
	r.elem = withoutCerts(r.elem, bound) // What is asserted before holds.
	for _, s := range r.before {
		for _, p := range s.Dst {
			switch {
			case !needed.Has(p.Var) || p.Type.Kind == core.KindCert:
			case p.Type.IsScalar(), p.Type.IsArray() && !slices.ContainsFunc(core.FreeInType(p.Type).List(), isBound):
				r.kept = append(r.kept, p)
			default:
				return r, false
			}
		}
	}
	return r, true
}

// nested reports whether making an element takes SOACs.
func (r *mappedRow) nested() bool {
	return core.Any(r.inner.Map.Body, func(e core.Exp) bool { _, soac := e.(core.SOAC); return soac })
}

// keep adds what is kept to the results of a function that does what comes before.
func (r *mappedRow) keep(l *core.Lambda) {
	for _, p := range r.kept {
		l.Ret, l.Body.Res = append(l.Ret, p.Type), append(l.Body.Res, core.V(p.Var))
	}
}

// own are the variables that an element needs of its row, of those that all has arrays of.
func (r *mappedRow) own(all map[core.Var]core.Var) (own []core.Var) {
	for _, v := range core.FreeInBody(r.elem).List() {
		if _, is := all[v]; is {
			own = append(own, v)
		}
	}
	return own
}
