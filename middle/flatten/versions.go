package flatten

import (
	"fmt"
	"slices"

	"skald/middle/core"
	"skald/middle/simplify"
	"skald/runtime/prim"
)

// Note [Versions of map bodies]
//
// A map whose body would become several kernels has versions, chosen where the program runs (incremental flattening, Henriksen et al.,
// PPoPP 2019), top-down: each map decides for its whole body, and its body's maps decide again only in the versions that distribute it.
//
//   - Outer: one kernel, in which each point runs the whole body by itself. What flows from one construct of the body to the next stays
//     with the thread, in memory that points which run one after the other share (core.Space.Slot), not in arrays over the nest.
//   - Inside a workgroup: Note [Versions inside a workgroup]. Bodies with one operation in a loop or branch have it as well.
//   - Full: the body is distributed, and each of its parallel statements becomes a kernel over the nest. Where there is a version inside a
//     workgroup, and the body has parts (Note [Parts of a body] in middle/simplify), each part has the last two versions by itself:
//     what is too large for a workgroup as a whole may fit part by part.
//
// A version runs that costs less than the next one (Note [Costs of versions]), unless its threshold is set: then the outer version runs
// where there are as many points as suff_outer_par says, the one inside a workgroup where the operations inside have as many as
// suff_intra_par says. On processors suff_outer_par has a value in any case, of one of two classes: where the body comes to scalars, and
// its thread needs no more memory than its own, as many points as keep the device busy suffice, else as many as saturate it. A body of the
// former class is only distributed where points are few, and then needs no sequential versions of its statements; in others, statements of
// the distributed body have a choice of their own, to run sequentially in each point.
//
// Whatever is cheaper, the outer version runs where the device cannot hold an array that the full one would leave from one kernel for
// the next (the fact "buffer_bytes"): 1,024 matrices of 1,024 by 1,024 floats are more than WebGPU lets a buffer have.
//
// A nest has at most mostVersions such choices above each other, so that code grows with the depth of a nest, not with its square. And
// where a program with all versions would have too many statements, bodies have the full one alone once their function has a share of
// variables, and a note says so (Note [Budgets] in package pass).

// mostVersions is how many maps around a body offer an outer version at most, and how many one inside a workgroup.
const mostVersions = 3

// fewer reports whether a version is left out, as the function has got more variables than its share, and tells that.
func (f *flattener) fewer() bool {
	fewer := len(f.Fun.Names) > f.share
	if fewer {
		f.ctx.Fewer(f.Where.Outermost().Place(), "maps from here run in fewer versions than they could, as versions come to too much code: "+
			"a program may have %d statements", f.ctx.Statements())
	}
	return fewer
}

// addVersions adds the versions of a body inside n, if it has more than one.
func (f *flattener) addVersions(n *nest, b *core.Body, outs []core.Param) bool {
	if f.inGroup || n.depth() == 0 || n.settled || n.full || n.versions == mostVersions {
		return false
	}
	regular := f.splits(n, b)
	if !f.only(attrSequentialInner) && (!regular && !f.hasIrregular(n, b) || f.fewer()) {
		return false
	}
	whole, lean, ok := f.outerVersion(n, b, outs)
	if !ok {
		return false
	}
	if f.only(attrSequentialInner) {
		f.Add(whole.Stms...)
		for i, r := range whole.Res {
			f.Bind(outs[i:i+1], &core.Use{X: r})
		}
		return true
	}
	class := core.ClassSaturated
	if lean || !regular {
		class = core.ClassThreshold
	}
	limit := f.outerLimit(class)
	rest := n.with()
	rest.settled, rest.few, rest.versions = true, lean, n.versions+1
	flat := f.version(outs, func(outs []core.Param) { f.innerVersions(rest, b, outs) })
	var cond core.Operand
	if regular || !f.measures(n, b) {
		cond = f.pays(limit, f.Product(n.sizes...), whole, flat)
		if f.noWorkgroups() && f.hasControlOfPoints(n, b.Stms) {
			// Rounds of few points are launches, which the threshold knows nothing of.
			cond = f.Bin(prim.LogOr, cond, f.cheaper(whole, flat, core.Int(someTrips)))
		}
	} else {
		cond = f.enough(limit, f.Product(n.sizes...))
	}
	if bytes, ok := f.largestBetween(n, b); ok {
		limit := f.Let("limit", &core.Fact{Name: "buffer_bytes"})
		tooLarge := f.Cmp(prim.Lt, limit, f.Mul64(f.Product(n.sizes...), bytes))
		cond = f.Bin(prim.LogOr, cond, tooLarge)
	}
	f.guard(outs, cond, whole, flat)
	return true
}

// innerVersions adds the versions of a body inside n that are parallel inside of its points, too.
func (f *flattener) innerVersions(n *nest, b *core.Body, outs []core.Param) {
	v := f.workgroupVersion(n, b, outs)
	if v == nil {
		f.distribute(n, b, outs)
		return
	}
	rest := n.with()
	rest.intras++
	f.orDistributed(v, rest, b, outs)
}

// orDistributed adds a version of a body inside n, which is replaced by the distributed one where its condition does not hold, or where its
// arrays do not fit.
func (f *flattener) orDistributed(v *guarded, n *nest, b *core.Body, outs []core.Param) {
	flat := f.version(outs, func(outs []core.Param) { f.divided(n, b, outs) })
	cond := v.cond(flat)
	f.guardAs(core.Versions, outs, cond, v.body, flat)
}

// divided adds the versions that the parts of a body inside n have each by itself; the distributed body, if it is not divided.
func (f *flattener) divided(n *nest, b *core.Body, outs []core.Param) {
	parts := f.parts(b)
	if len(parts) == 0 {
		f.distribute(n, b, outs)
		return
	}
	for _, p := range parts {
		body := core.NewRenamer(f.Fun, f.Fun, nil).Body(p.Body)
		f.Scope.BindBody(body)
		f.note(body)
		var mine []core.Param
		for _, i := range p.Results {
			mine = append(mine, outs[i])
		}
		f.innerVersions(n, body, mine)
	}
}

// parts divides a body into parts that may each have a version inside a workgroup, if there are such. Those that read one array do not
// count: they have more in common than results of parallel statements; and a part must not overwrite what others may read.
func (f *flattener) parts(b *core.Body) []simplify.Part {
	parts := simplify.Parts(f.Fun, b)
	read := map[core.Var]bool{}
	for _, p := range parts {
		if !f.mayPayInside(p.Body) {
			return nil
		}
		for _, v := range core.FreeInBody(p.Body).List() {
			if t := f.TypeOf(core.V(v)); t.IsScalar() || t.Kind == core.KindCert || f.defs[v] != nil {
				continue
			}
			if read[v] || f.aliases.Consumed(v) {
				return nil
			}
			read[v] = true
		}
	}
	return parts
}

// guard binds the results of one of two versions.
func (f *flattener) guard(outs []core.Param, cond core.Operand, then, other *core.Body) {
	f.guardAs(core.Either, outs, cond, then, other)
}

// guardAs is guard, with an attribute that says which version runs where the other cannot.
func (f *flattener) guardAs(a core.Attr, outs []core.Param, cond core.Operand, then, other *core.Body) {
	e := &core.If{Cond: cond, Then: then, Else: other}
	f.guards[e] = true
	attrs := f.Attrs
	f.Attrs = append(slices.Clip(attrs), a)
	f.Bind(outs, e)
	f.Attrs = attrs
}

// outerVersion is a host body with one kernel for a whole body inside n. lean says that its threads need no arrays but small ones, and
// that each returns scalars. ok is false when there can be no such kernel.
func (f *flattener) outerVersion(n *nest, b *core.Body, outs []core.Param) (whole *core.Body, lean, ok bool) {
	whole, ok = f.unblocked(func() *core.Body {
		return f.version(outs, func(outs []core.Param) {
			f.updating(func() { f.segMap(n.binding(b.Stms...), b.Stms, b.Res, outs) })
		})
	})
	kernel, _ := whole.Stms[len(whole.Stms)-1].Exp.(*core.SegMap)
	lean = ok && !slices.ContainsFunc(kernel.Ret, core.Type.IsArray) && ownMemory(kernel.Body)
	return whole, lean, ok
}

// unblocked makes a version; ok says that its kernels can be.
func (f *flattener) unblocked(make func() *core.Body) (version *core.Body, ok bool) {
	outer := f.blocked
	f.blocked = ""
	version = make()
	ok = f.blocked == ""
	f.blocked = outer
	return version, ok
}

// guarded is a version, and what makes the condition on which to take it rather than another.
type guarded struct {
	body *core.Body
	cond func(other *core.Body) core.Operand
}

// largestBetween is the most bytes that an array between the kernels of a distributed body takes for one point of n; ok is false when
// there are no such arrays.
func (f *flattener) largestBetween(n *nest, b *core.Body) (bytes core.Operand, ok bool) {
	for _, p := range f.between(n, b) {
		mine := f.Mul64(f.Product(p.Type.Shape...), core.Int(int64(p.Type.Elem.Size())))
		if ok {
			mine = f.Bin(prim.Max, bytes, mine)
		}
		bytes, ok = mine, true
	}
	return bytes, ok
}

// between lists the arrays of a body inside n that distribution would make arrays over n of, for later kernels to read.
func (f *flattener) between(n *nest, b *core.Body) []core.Param {
	var arrays, pending []core.Param
	n = n.binding()
	lastUse := map[core.Var]int{}
	for i, s := range b.Stms {
		for _, v := range core.FreeInStm(s).List() {
			lastUse[v] = i
		}
	}
	for _, r := range b.Res {
		lastUse[r.Var] = len(b.Stms)
	}
	for i, s := range b.Stms {
		switch {
		case n.regular(s.Dst) && f.exploitable(n, s):
			for _, p := range pending {
				if lastUse[p.Var] >= i {
					arrays = append(arrays, p)
				}
			}
			pending = nil
			if i < len(b.Stms)-1 {
				arrays = append(arrays, s.Dst...)
			}
		case !f.cheap(s) && n.regular(s.Dst):
			pending = append(pending, s.Dst...)
		}
		n.bind(s)
	}
	return slices.DeleteFunc(arrays, func(p core.Param) bool {
		return !p.Type.IsArray() || slices.ContainsFunc(b.Res, func(r core.Operand) bool { return r.IsVar(p.Var) })
	})
}

// splits reports whether distribution makes more than one kernel of a body inside n. What is cheap and comes before a parallel statement is
// part of its kernel; what comes after it and is a result is not.
func (f *flattener) splits(n *nest, b *core.Body) bool {
	parallel, other := 0, 0
	n = n.binding()
	moved := n.copiedResults(b)
	for _, s := range b.Stms {
		_, copied := s.Exp.(*core.Copy)
		switch {
		case n.regular(s.Dst) && (f.exploitable(n, s) || copied && bindsFirst(s, moved)):
			parallel++
		case !f.cheap(s) && slices.ContainsFunc(s.Dst, func(p core.Param) bool { return p.Type.Kind != core.KindCert }):
			other++
		case parallel > 0 && slices.ContainsFunc(s.Dst, func(p core.Param) bool { return p.Type.IsScalar() && resultOf(b, p.Var) }):
			other++
		}
		n.bind(s)
	}
	return parallel > 1 || parallel == 1 && other > 0
}

func resultOf(b *core.Body, v core.Var) bool {
	return slices.ContainsFunc(b.Res, func(r core.Operand) bool { return r.IsVar(v) })
}

// versions makes, inside a nest, two versions of s: one sequential in each
// point, for nests with enough points, and the one that flat makes.
func (f *flattener) versions(n *nest, s *core.Stm, outs []core.Param, flat func(outs []core.Param)) {
	if f.inGroup || n.depth() == 0 || n.few || n.full {
		flat(outs)
		return
	}
	one := func(outs []core.Param) {
		f.updating(func() { f.segMap(n.binding(s), []*core.Stm{s}, core.Vars(core.ParamVars(s.Dst)), outs) })
	}
	if f.only(attrSequentialInner) {
		one(outs)
		return
	}
	if f.fewer() {
		flat(outs)
		return
	}
	then, ok := f.unblocked(func() *core.Body { return f.version(outs, one) })
	if !ok {
		flat(outs)
		return
	}
	limit := f.outerLimit(core.ClassThreshold)
	other := f.version(outs, flat)
	f.guard(outs, f.pays(limit, f.Product(n.sizes...), then, other), then, other)
}

// version is a host body with the code that make adds, which returns values like outs.
func (f *flattener) version(outs []core.Param, make func(outs []core.Param)) *core.Body {
	mine := core.FreshParams(f.Fun, outs)
	return f.builtBody(core.Vars(core.ParamVars(mine)), func() {
		f.Scope.BindAll(mine)
		make(mine)
	})
}

// limit is a tuning parameter that decides for a version.
type limit struct{ name, class string }

// outerLimit is the next threshold of the function for points of a map.
func (f *flattener) outerLimit(class string) limit {
	f.tunes++
	return limit{fmt.Sprintf("%s.suff_outer_par_%d", f.Fun.Name, f.tunes-1), class}
}

// innerLimit is the next threshold of the function for points inside of a map.
func (f *flattener) innerLimit() limit {
	f.intras++
	return limit{fmt.Sprintf("%s.suff_intra_par_%d", f.Fun.Name, f.intras-1), core.ClassIntra}
}

// enough makes the condition that there are as many points as a threshold says; unless it is set, as saturate the device.
func (f *flattener) enough(l limit, points core.Operand) core.Operand {
	least := f.Let("limit", &core.Tune{Name: l.name, Class: l.class})
	if f.noWorkgroups() {
		return f.Cmp(cmpLe, least, points)
	}
	unset := f.Cmp(prim.Eq, least, core.Int(core.TuneUnset))
	least = f.If("limit", unset, []core.Type{core.I64}, func(b *core.Builder) []core.Operand {
		return []core.Operand{b.Let("threads", &core.Fact{Name: "threads"})}
	}, func(*core.Builder) []core.Operand { return []core.Operand{least} })[0]
	return f.Cmp(cmpLe, least, points)
}

// pays makes the condition on which a version runs rather than another: that there are as many points as the threshold says; unless it is
// set, that the version costs less. On processors, whose threads are few, the threshold has a value in any case.
func (f *flattener) pays(l limit, points core.Operand, version, other *core.Body) core.Operand {
	least := f.Let("limit", &core.Tune{Name: l.name, Class: l.class})
	if f.noWorkgroups() {
		return f.Cmp(cmpLe, least, points)
	}
	set := f.Cmp(prim.Ne, least, core.Int(core.TuneUnset))
	return f.If("pays", set, []core.Type{core.ScalarType(prim.Bool)}, func(b *core.Builder) []core.Operand {
		return []core.Operand{b.Cmp(cmpLe, least, points)}
	}, func(b *core.Builder) []core.Operand {
		outer := f.Builder
		f.Builder = b
		defer func() { f.Builder = outer }()
		return []core.Operand{f.cheaper(version, other, core.Int(someTrips))}
	})[0]
}

// cheaper makes the condition that a version costs less than another, where sizes that are not known before count as a number.
func (f *flattener) cheaper(version, other *core.Body, unknown core.Operand) core.Operand {
	c := f.newCosts(version, other)
	c.unknown = unknown
	return f.Cmp(cmpLe, c.of(version), c.of(other))
}
