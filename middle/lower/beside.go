package lower

import (
	"maps"
	"slices"

	"skald/middle/core"
	"skald/middle/imp"
	"skald/middle/pass"
)

// Note [Kernels beside host code]
//
// Most of a program is in kernels, and those of maps, whose points do not work together, need little of the host: the values and blocks of
// the variables that they mention, as they are where the kernel is launched. So such a kernel is generated while the host code behind its
// launch is, which does not look at it: with what it needs of the host in a builder of its own, and with its own sites. At the end of the
// function all are joined in their order, so that the program is the same as if each had been generated at its place: sites get their
// numbers, statements are counted, and the first kernel that cannot be says why.

// beside is a kernel that is generated while host code is.
type beside struct {
	kernel *imp.Kernel
	where  *core.Site
	l      *lowerer // has the sites of the kernel
	sites  *siteRun // their numbers
	stms   int      // in core IR
	done   chan any // gets what the generation panics with
}

// siteRun are sites that are new one after the other.
type siteRun struct{ numbers []imp.SiteID }

// manyStatements is how many statements of a kernel a statement in core IR seldom becomes more than.
const manyStatements = 8

// apart is what a map's kernel needs of the host; nil if it has to be generated at its place: where kernels are compared with others, where
// it has tuning parameters, which get numbers, or accumulators of the host, or computes what others do, too.
func (c *hostBuilder) apart(s *core.Stm) *hostBuilder {
	if c.once != nil || s.Any(func(e core.Exp) bool { _, tune := e.(*core.Tune); return tune }) {
		return nil
	}
	own := *c.l
	own.accs, own.sites, own.prog = maps.Clone(c.l.accs), map[string]imp.SiteID{}, &imp.Prog{}
	own.order = []*siteRun{{}}
	out := newHostBuilder(&own, c.fn)
	mentioned := core.FreeInStm(s)
	for _, v := range slices.Clip(mentioned.List()) {
		mentioned.AddAll(core.FreeInType(c.l.typeOf(v)))
		if e := c.l.narrowSum(v); e != nil {
			mentioned.AddAll(core.FreeInExp(e))
		}
	}
	for _, v := range mentioned.List() {
		if _, ok := c.recomputed[v]; ok || c.l.typeOf(v).Kind == core.KindAcc {
			return nil
		}
		if x, ok := c.vals[v]; ok {
			out.vals[v] = x
		}
		if p, ok := c.pending[v]; ok {
			if p.left != nil && c.vals[v].exp == nil {
				return nil
			}
			if c.vals[v].exp == nil {
				p.readByKernel()
			}
			out.pending[v] = p
		}
		if b, ok := c.blocks[v]; ok {
			out.blocks[v] = b
		}
	}
	return out
}

// beside adds a kernel, which comes from a place and from so many statements, and generates it while host code goes on.
func (l *lowerer) beside(k *imp.Kernel, where *core.Site, stms int, own *lowerer, generate func()) {
	b := &beside{k, where, own, &siteRun{}, stms, make(chan any, 1)}
	l.place(k)
	l.besides, l.unjoined = append(l.besides, b), l.unjoined+b.stms
	l.order = append(l.order, b.sites, &siteRun{})
	go func() { b.done <- pass.Caught(generate) }()
}

// join waits for the kernels that are generated beside host code.
func (l *lowerer) join() {
	all := l.besides
	l.besides, l.unjoined = nil, 0
	for _, b := range all {
		if failed := <-b.done; failed != nil {
			panic(failed)
		}
		for _, s := range b.l.prog.Sites {
			b.sites.numbers = append(b.sites.numbers, l.numberOf(s))
		}
		l.apart[b.kernel] = b.sites.numbers
		l.count(b.kernel, b.where)
	}
}

// orderSites numbers sites in the order of the code that they are in: those of kernels that were generated beside it have begun from
// zero in each, and in the program come behind all others.
func (l *lowerer) orderSites() {
	if len(l.apart) == 0 {
		return
	}
	final, n := make([]imp.SiteID, len(l.prog.Sites)), imp.SiteID(0)
	sites := make([]imp.Site, 0, len(final))
	for i := range final {
		final[i] = -1
	}
	for _, run := range l.order {
		for _, s := range run.numbers {
			if final[s] < 0 {
				final[s], sites, n = n, append(sites, l.prog.Sites[s]), n+1
			}
		}
	}
	l.prog.Sites = sites
	for _, numbers := range l.apart {
		for i, s := range numbers {
			numbers[i] = final[s]
		}
	}
	for _, f := range l.prog.Funs {
		renumberSites(f.Body, final)
	}
	pass.Each(l.prog.Kernels, func(k *imp.Kernel) struct{} {
		numbers, ok := l.apart[k]
		if !ok {
			numbers = final
		}
		renumberSites(k.Body, numbers)
		return struct{}{}
	})
}

// renumberSites puts other numbers in the place of those of sites.
func renumberSites(body []imp.Stm, numbers []imp.SiteID) {
	done := map[*imp.SiteID]bool{} // statements may be shared
	imp.Walk(body, func(s imp.Stm) bool {
		var site *imp.SiteID
		switch s := imp.MatchStm(s).(type) {
		case *imp.Assert:
			site = &s.Site
		case *imp.Call:
			site = &s.Site
		}
		if site != nil && !done[site] {
			*site, done[site] = numbers[*site], true
		}
		return true
	})
}
