package check

import (
	"strings"
	"sync"

	"skald/frontend/prelude"
	"skald/frontend/source"
	"skald/frontend/syntax"
)

// lazyDecs is a list of declarations that are parsed and checked when they are first mentioned; see Note [Lazy
// prelude].
type lazyDecs struct {
	c     *checker
	outer *scope
	// byName lists the declarations of each name, in order.
	byName map[string][]int
	decs   []*lazyDec
	order  []string
	// ordered says that a declaration sees only those before it, as in a module.
	ordered bool
}

// lazyDec is one declaration: what it defines, once it has been checked.
type lazyDec struct {
	entry   syntax.IndexEntry
	started bool
	val     *binding
	typ     *typeBinding
	sig     *sigBinding
}

// newPrelude makes the scope of the prelude, of which nothing is checked yet.
func newPrelude(c *checker) lazySource {
	l := &lazyDecs{c: c, outer: c.builtin, byName: map[string][]int{}}
	l.index(preludeIndex())
	return l
}

// preludeIndex is the index of the prelude's sources, which all checkers of a process share: to lex them takes milliseconds.
var preludeIndex = sync.OnceValue(func() []syntax.IndexEntry {
	var entries []syntax.IndexEntry
	for _, f := range prelude.Files() {
		entries = append(entries, syntax.IndexFile(source.NewFile(f.Name, f.Text))...)
	}
	return entries
})

func (l *lazyDecs) index(entries []syntax.IndexEntry) {
	for _, e := range entries {
		if e.Name == "" {
			continue
		}
		if l.byName[e.Name] == nil {
			l.order = append(l.order, e.Name)
		}
		l.byName[e.Name] = append(l.byName[e.Name], len(l.decs))
		l.decs = append(l.decs, &lazyDec{entry: e})
	}
}

func (l *lazyDecs) names() []string { return l.order }

func (l *lazyDecs) value(name string) *binding { return l.before(len(l.decs)).value(name) }

func (l *lazyDecs) typ(name string) *typeBinding { return l.before(len(l.decs)).typ(name) }

func (l *lazyDecs) sig(name string) *sigBinding { return l.before(len(l.decs)).sig(name) }

func (l *lazyDecs) before(limit int) lazyView { return lazyView{l, limit} }

// lazyView is the declarations before one of them.
type lazyView struct {
	*lazyDecs
	limit int
}

func (v lazyView) value(name string) *binding {
	if d := v.find(name, syntax.IndexVal, syntax.IndexModule); d != nil {
		return d.val
	}
	return nil
}

func (v lazyView) typ(name string) *typeBinding {
	if d := v.find(name, syntax.IndexType, syntax.IndexType); d != nil {
		return d.typ
	}
	return nil
}

func (v lazyView) sig(name string) *sigBinding {
	if d := v.find(name, syntax.IndexModuleType, syntax.IndexModuleType); d != nil {
		return d.sig
	}
	return nil
}

// find returns the last declaration of a name of one of two kinds, checked. One that is being checked is not seen: it
// is an operator's own definition, which means the operator that is built in.
func (v lazyView) find(name string, a, b syntax.IndexKind) *lazyDec {
	places := v.byName[name]
	for i := len(places) - 1; i >= 0; i-- {
		d := v.decs[places[i]]
		if places[i] >= v.limit || d.entry.Kind != a && d.entry.Kind != b {
			continue
		}
		if !d.started {
			d.started = true
			v.force(places[i], d)
		}
		return d
	}
	return nil
}

// force checks a declaration. Its definitions are part of the program whoever mentions them first.
func (l *lazyDecs) force(i int, d *lazyDec) {
	defer l.c.apart()()
	scope := &scope{outer: l.outer, source: l}
	if l.ordered {
		scope.source = l.before(i)
	}
	if d.entry.Kind == syntax.IndexModule && d.entry.Body.Valid() {
		inner := &lazyDecs{c: l.c, outer: scope, byName: map[string][]int{}, ordered: true}
		inner.index(d.entry.Decs)
		d.val = &binding{mod: &module{scope: newLazyScope(inner)}, at: d.entry.At}
		return
	}
	dec := syntax.ParseDec(d.entry.At, l.c.sink)
	if dec == nil {
		d.val = &binding{broken: true}
		return
	}
	b := newBody(scope, "/prelude")
	l.c.dec(b, dec)
	d.val, d.typ, d.sig = b.exports.vals[d.entry.Name], b.exports.types[d.entry.Name], b.exports.sigs[d.entry.Name]
	if d.val != nil && (d.entry.Name == "|>" || d.entry.Name == "<|") {
		d.val.pipe = true
	}
}

func newLazyScope(l *lazyDecs) *scope { return &scope{source: l} }

// preludeFile returns the module of the whole prelude for an import of one of its files, or nil.
func (c *checker) preludeFile(name string) *module {
	if strings.HasPrefix(name, "/prelude/") {
		return &module{scope: &scope{source: c.prelude.source}}
	}
	return nil
}
