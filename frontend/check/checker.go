package check

import (
	"sort"
	"strings"

	"skald/frontend/check/sizes"
	"skald/frontend/diag"
	"skald/frontend/source"
	"skald/frontend/syntax"
	"skald/frontend/types"
)

// checker is the state of checking a program: what has been defined, and where messages go.
type checker struct {
	sink     *diag.Sink
	prog     *types.Prog
	loader   Loader
	files    map[string]*loadedFile
	builtin  *scope
	internal *scope // the contents of the module `intrinsics`
	prelude  *scope
	nextID   int
	nextMeta int
	entries  []string // what the caller wants as entry points
	// mentioned hears of names, if the caller wishes to.
	mentioned func(Mention)
	// intrinsics says what a symbol of the module `intrinsics` does.
	intrinsics map[*types.Symbol]*intrinsic
	// dry is set while a functor's body is checked against its abstract parameter: its definitions are not part of
	// the program.
	dry int
	// replay counts the functor bodies being evaluated again, in which warnings have been given before.
	replay  int
	nextCon int
	// aliases says what a value seen through a module type really is.
	aliases map[*types.Symbol]*alias
	// depth counts functor applications around, to bound their nesting.
	depth int
	// moduleBody, if set, may check the declarations of a module itself; functorParam hears of what the parameter of a functor is while
	// its body is checked, and may say what it is. See Note [Declarations in modules].
	moduleBody   func(*body, *syntax.ModBody) (done bool)
	functorParam func(*syntax.ModParam, *module) *module
	// attributed are the definitions that hold expressions with attributes: see Note [What attributes reach].
	attributed []*types.Def
	// innerErrors counts the errors that moduleBody has reported elsewhere.
	innerErrors int
}

// errors counts the errors so far.
func (c *checker) errors() int { return c.sink.Errors() + c.innerErrors }

// apart begins work on something that is part of the program wherever it was mentioned first, in a functor's body too, and is done
// once. The result ends it.
func (c *checker) apart() (end func()) {
	dry, replay, depth := c.dry, c.replay, c.depth
	c.dry, c.replay, c.depth = 0, 0, 0
	return func() { c.dry, c.replay, c.depth = dry, replay, depth }
}

// silent unwinds to the enclosing declaration when an error has been reported, or is a consequence of one that was.
type silent struct{}

// attempt runs f and reports whether it went through without an error.
func (c *checker) attempt(f func()) (ok bool) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case silent:
			ok = false
		default:
			panic(r)
		}
	}()
	f()
	return true
}

func (c *checker) report(at source.Span, code, format string, args ...any) *diag.Diagnostic {
	return c.sink.Errorf(codeNamed(code), at, format, args...)
}

// fail reports an error and abandons the enclosing declaration.
func (c *checker) fail(at source.Span, code, format string, args ...any) {
	c.report(at, code, format, args...)
	panic(silent{})
}

// failSizes is fail for what sizes found.
func (c *checker) failSizes(err *sizes.Error) {
	d := c.report(err.At, err.Code, "%s", err.Msg)
	for _, n := range err.Notes {
		d.Note(n.At, "%s", n.Msg)
	}
	panic(silent{})
}

// warn reports a warning and returns it, or nil where none is given.
func (c *checker) warn(at source.Span, code, format string, args ...any) *diag.Diagnostic {
	if c.inPrelude(at) || c.replay > 0 {
		return nil
	}
	return c.sink.Warnf(codeNamed(code), at, format, args...)
}

// Warn reports a warning of the second half.
func (c *checker) Warn(at source.Span, code, msg string) { c.warn(at, code, "%s", msg) }

// NewSymbol makes a symbol for the second half.
func (c *checker) NewSymbol(name string, kind types.SymbolKind, t types.Type, at source.Span) *types.Symbol {
	return c.newSymbol(name, kind, t, at)
}

// Infix says that outside of definitions nothing is written infix.
func (c *checker) Infix(source.Span) (infix, funFirst bool) { return false, false }

func (c *checker) newSymbol(name string, kind types.SymbolKind, t types.Type, at source.Span) *types.Symbol {
	sym := &types.Symbol{Name: name, ID: c.nextID, Kind: kind, Type: t, At: at}
	c.nextID++
	return sym
}

func (c *checker) addDef(d *types.Def) {
	if c.dry == 0 {
		c.prog.Defs = append(c.prog.Defs, d)
	}
}

func (c *checker) inPrelude(at source.Span) bool {
	return at.Valid() && strings.HasPrefix(at.File.Name(), "/prelude/")
}

func sortCtors(ctors []types.Ctor) {
	sort.SliceStable(ctors, func(i, j int) bool { return ctors[i].Name < ctors[j].Name })
}

// sortedNames lists the keys of m in order.
func sortedNames[T any](m map[string]T) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

func sortFieldPats(fields []types.FieldPat) {
	sort.SliceStable(fields, func(i, j int) bool { return types.FieldLess(fields[i].Name, fields[j].Name) })
}

// body is what a module under construction has: the scope of its next declaration, and its exports.
type body struct {
	scope   *scope
	exports *scope
	// defined maps each space's names to where they were declared, to find duplicates.
	defined map[string]source.Span
	// root is set for the file that is compiled itself: its entry points count.
	root bool
	// nested is set inside a module of the file.
	nested bool
	// local is set while a local declaration is checked.
	local bool
	// path is the file in which imports are relative.
	path string
	// added, if set, hears of what a declaration brings into scope, as a function that does it again.
	added func(again func(*body))
}

// note tells whoever wishes to know what is brought into scope.
func (b *body) note(again func(*body)) {
	if b.added == nil {
		return
	}
	local := b.local
	b.added(func(b *body) {
		before := b.local
		b.local = local
		again(b)
		b.local = before
	})
}

func newBody(outer *scope, path string) *body {
	return &body{scope: outer, exports: newScope(nil), defined: map[string]source.Span{}, path: path}
}

// declare checks that a name is new in its module. space is "", "type " or "module type ".
func (c *checker) declare(b *body, space string, name syntax.Name) {
	key := space + name.Text
	if prev, ok := b.defined[key]; ok {
		c.report(name.At, "duplicate-definition",
			"Duplicate definition of %s\"%s\": it was previously defined.", space, name.Text).
			Note(prev, "It is also bound here.")
	}
	b.defined[key] = name.At
}

func (b *body) addVal(name string, v *binding) {
	b.note(func(b *body) { b.addVal(name, v) })
	b.scope = b.scope.with(name, v).merged()
	if !b.local {
		b.exports.setVal(name, v)
	}
}

func (b *body) addType(name string, t *typeBinding) {
	b.note(func(b *body) { b.addType(name, t) })
	own := newScope(b.scope)
	own.setType(name, t)
	b.scope = own.merged()
	if !b.local {
		b.exports.setType(name, t)
	}
}

func (b *body) addSig(name string, t *sigBinding) {
	b.note(func(b *body) { b.addSig(name, t) })
	own := newScope(b.scope)
	own.setSig(name, t)
	b.scope = own.merged()
	if !b.local {
		b.exports.setSig(name, t)
	}
}

// addAll brings everything that a module exports into scope.
func (b *body) addAll(m *module) {
	b.note(func(b *body) { b.addAll(m) })
	b.scope = &scope{
		outer: b.scope, vals: m.scope.vals, types: m.scope.types, sigs: m.scope.sigs,
		source: m.scope.source,
	}
	if !b.local {
		b.exports.addAll(m.scope)
	}
}
