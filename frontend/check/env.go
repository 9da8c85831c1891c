package check

import (
	"skald/frontend/source"
	"skald/frontend/syntax"
	"skald/frontend/types"
)

// Note [Merged scopes]
// ~~~~~~~~~~~~~~~~~~~~
// Each declaration of a file makes a scope, in which those after it are checked; functors and module types keep the one that they were
// declared in. So that names at the end of a chain of thousands, such as i32, are found soon, scopes of declarations are merged as
// the digits of a binary number are carried: a new one takes in those before it for as long as these have no more names than it. The chain
// is then as long as the logarithm of the number of declarations, and each name is copied as often. Merging makes new scopes; those that
// somebody keeps stay as they are. Names of a body are merged alike, since it may have thousands.

// scope maps names to what they mean. Scopes are linked from the innermost outwards and never change once something
// refers to them, except that a module's own scope grows while its declarations are checked.
type scope struct {
	outer *scope
	vals  map[string]*binding
	types map[string]*typeBinding
	sigs  map[string]*sigBinding
	// name and one are a single value binding, for the many scopes that have no other.
	name string
	one  *binding
	// names is how many names the scope of declarations has at most; 0 if it must not be merged with others.
	names int
	// source is where names come from that are made on first mention: the prelude, or a module of it.
	source lazySource
}

// lazySource finds a name that is not in the scope's tables yet; it puts what it finds there.
type lazySource interface {
	value(name string) *binding
	typ(name string) *typeBinding
	sig(name string) *sigBinding
	names() []string
}

// binding is what a name in the space of terms means: a value, an overloaded operator, or a module.
type binding struct {
	sym *types.Symbol
	op  *overload
	mod *module
	// pipe marks the prelude's |> and <|.
	pipe bool
	// arrow marks the name of a parameter in a function type.
	arrow bool
	// broken marks what was declared in error: it silences messages about its uses.
	broken bool
	// used is set by the first mention; for warnings.
	used bool
	at   source.Span
	// was is what a broken name meant when it was last right, if that is known: see Note [Parked declarations].
	was *types.Symbol
}

// typeBinding is a type abbreviation; an abstract type is an abbreviation for its constructor.
type typeBinding struct {
	params []*types.TypeParam
	ext    []*types.Symbol
	typ    types.Type
	lifted types.Liftedness
	broken bool
	at     source.Span
	// written is the definition as it was written; nil if it has type parameters, or none was.
	written *types.Written
}

// sigBinding is a named module type: its syntax, and the scope of its names.
type sigBinding struct {
	exp    syntax.ModTypeExp
	scope  *scope
	broken bool
	at     source.Span
}

// module is a module: what it exports, or what it does when applied.
type module struct {
	scope   *scope // exports; outer is nil
	functor *functor
}

// functor is a parametric module: a closure. See Note [Functors].
type functor struct {
	scope *scope
	param string
	at    source.Span // of the parameter's name
	from  syntax.ModTypeExp
	// run evaluates the body in a scope in which param is bound.
	run func(c *checker, inner *scope) *module
}

func newScope(outer *scope) *scope { return &scope{outer: outer} }

// with returns a scope in which name means b.
func (s *scope) with(name string, b *binding) *scope { return &scope{outer: s, name: name, one: b} }

// merged returns a new scope of one declaration, merged with those before it: see Note [Merged scopes].
func (s *scope) merged() *scope {
	s.names = 1
	for o := s.outer; o != nil && o.names > 0 && o.names <= s.names; o = s.outer {
		both := &scope{outer: o.outer, names: o.names + s.names}
		both.take(o)
		both.take(s)
		s = both
	}
	return s
}

// mergedUpTo is a scope inside of outer, merged with those before it where it has one name, as most of a long body have.
func (s *scope) mergedUpTo(outer *scope) *scope {
	if s == outer || s.outer != outer {
		return s
	}
	return s.merged()
}

// take makes the names of from mean the same in s.
func (s *scope) take(from *scope) {
	if from.one != nil {
		s.setVal(from.name, from.one)
	}
	for name, b := range from.vals {
		s.setVal(name, b)
	}
	for name, b := range from.types {
		s.setType(name, b)
	}
	for name, b := range from.sigs {
		s.setSig(name, b)
	}
}

func (s *scope) setVal(name string, b *binding) {
	if s.vals == nil {
		s.vals = map[string]*binding{}
	}
	s.vals[name] = b
}

func (s *scope) setType(name string, b *typeBinding) {
	if s.types == nil {
		s.types = map[string]*typeBinding{}
	}
	s.types[name] = b
}

func (s *scope) setSig(name string, b *sigBinding) {
	if s.sigs == nil {
		s.sigs = map[string]*sigBinding{}
	}
	s.sigs[name] = b
}

// ownVal looks a name up in this scope alone.
func (s *scope) ownVal(name string) *binding {
	if s.one != nil && s.name == name {
		return s.one
	}
	if b := s.vals[name]; b != nil {
		return b
	}
	if s.source != nil {
		return s.source.value(name)
	}
	return nil
}

func (s *scope) ownType(name string) *typeBinding {
	if b := s.types[name]; b != nil {
		return b
	}
	if s.source != nil {
		return s.source.typ(name)
	}
	return nil
}

func (s *scope) ownSig(name string) *sigBinding {
	if b := s.sigs[name]; b != nil {
		return b
	}
	if s.source != nil {
		return s.source.sig(name)
	}
	return nil
}

// val finds what a name means as a term, from the inside out.
func (s *scope) val(name string) *binding {
	for ; s != nil; s = s.outer {
		if b := s.ownVal(name); b != nil {
			return b
		}
	}
	return nil
}

func (s *scope) typ(name string) *typeBinding {
	for ; s != nil; s = s.outer {
		if b := s.ownType(name); b != nil {
			return b
		}
	}
	return nil
}

func (s *scope) sig(name string) *sigBinding {
	for ; s != nil; s = s.outer {
		if b := s.ownSig(name); b != nil {
			return b
		}
	}
	return nil
}

// addAll makes everything that from exports mean the same in s.
func (s *scope) addAll(from *scope) {
	s.take(from)
	if from.source != nil {
		for _, name := range from.source.names() {
			if b := from.source.value(name); b != nil {
				s.setVal(name, b)
			}
			if b := from.source.typ(name); b != nil {
				s.setType(name, b)
			}
			if b := from.source.sig(name); b != nil {
				s.setSig(name, b)
			}
		}
	}
}
