package flatten

import (
	"slices"

	"skald/middle/core"
)

// apart adds a scan and a reduction for a SOAC that does both (Note [Scans and reductions of one input] in middle/fuse), as kernels do one
// or the other. The reduction computes its inputs again where they are code on scalars without loops, which costs less than arrays in
// memory, or elements that only some points read; else the scan keeps them.
func apart(b *core.Builder, e *core.Screma) []core.Operand {
	ns, nr := core.Width(e.Scans), core.Width(e.Reds)
	inputs, types := e.Map.Body.Res[ns:ns+nr], e.Map.Ret[ns:ns+nr]
	scan := &core.Screma{Size: e.Size, Arrays: e.Arrays, Scans: e.Scans, Post: e.Post, Map: &core.Lambda{
		Params: e.Map.Params,
		Body:   &core.Body{Stms: e.Map.Body.Stms, Res: slices.Concat(e.Map.Body.Res[:ns], e.Map.Body.Res[ns+nr:])},
		Ret:    slices.Concat(e.Map.Ret[:ns], e.Map.Ret[ns+nr:]),
	}}
	red := &core.Screma{Size: e.Size, Reds: e.Reds}
	needs := &core.VarSet{}
	for _, x := range inputs {
		needs.Add(x.Var)
	}
	if code := core.Needed(e.Map.Body.Stms, needs); loopless(code, !inBranch) {
		l := &core.Lambda{Body: &core.Body{Stms: code, Res: inputs}, Ret: types}
		for k, p := range e.Map.Params {
			if needs.Has(p.Var) {
				red.Arrays, l.Params = append(red.Arrays, e.Arrays[k]), append(l.Params, p)
			}
		}
		red.Map = core.RenameLambda(b.Fun, l)
		b.Scope.BindLambda(red.Map)
		return append(b.LetN("red", red), b.LetN("scanned", scan)...)
	}
	own := arraysOf(scan)
	at := make([]int, nr) // which arrays of the scan hold the inputs
	for i, x := range inputs {
		if at[i] = holds(scan, x); at[i] < 0 {
			at[i] = arraysOf(scan)
			keep(b, scan, x, types[i])
		}
	}
	made := core.VarsOf(b.LetN("scanned", scan))
	for _, k := range at {
		red.Arrays = append(red.Arrays, made[k])
	}
	red.Map = b.Identity(types)
	return append(b.LetN("red", red), core.Vars(made[:own])...)
}

// inBranch says of code that only some points run it.
const inBranch = true

// loopless reports whether code is operations on scalars that cannot fail, and branches of such code, which may read elements of arrays.
func loopless(stms []*core.Stm, branch bool) bool {
	return !slices.ContainsFunc(stms, func(s *core.Stm) bool {
		if e, ok := s.Exp.(*core.If); ok {
			return !core.OnlyScalars(core.ParamTypes(s.Dst)) || !loopless(e.Then.Stms, inBranch) || !loopless(e.Else.Stms, inBranch)
		}
		_, scalar := s.Exp.(core.Scalar)
		_, reads := s.Exp.(*core.Index)
		return !scalar && !(branch && reads && s.Dst[0].Type.IsScalar()) || core.MayFail(s.Exp)
	})
}

// arraysOf is how many arrays a scan returns.
func arraysOf(scan *core.Screma) int {
	if scan.Post != nil {
		return len(scan.Post.Ret)
	}
	return len(scan.Map.Ret)
}

// holds is the array of those that a scan returns which has x, a value of its map, for each point; -1 if none has.
func holds(scan *core.Screma, x core.Operand) int {
	for k := core.Width(scan.Scans); k < len(scan.Map.Ret); k++ {
		if scan.Map.Body.Res[k] != x {
			continue
		}
		if scan.Post == nil {
			return k
		}
		p := scan.Post.Params[k].Var
		if at := slices.IndexFunc(scan.Post.Body.Res, func(r core.Operand) bool { return r.IsVar(p) }); at >= 0 {
			return at
		}
	}
	return -1
}

// keep lets a scan return x, a value of its map, for each point, as its last array.
func keep(b *core.Builder, scan *core.Screma, x core.Operand, t core.Type) {
	mapped := *scan.Map
	mapped.Body = &core.Body{Stms: mapped.Body.Stms, Res: append(slices.Clip(mapped.Body.Res), x)}
	mapped.Ret = append(slices.Clip(mapped.Ret), t)
	scan.Map = &mapped
	if scan.Post == nil {
		return
	}
	passed, post := b.Identity([]core.Type{t}), *scan.Post
	post.Params = append(slices.Clip(post.Params), passed.Params...)
	post.Body = &core.Body{Stms: post.Body.Stms, Res: append(slices.Clip(post.Body.Res), passed.Body.Res...)}
	post.Ret = append(slices.Clip(post.Ret), t)
	scan.Post = &post
}
