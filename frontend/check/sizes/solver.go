package sizes

import (
	"fmt"

	"skald/frontend/source"
	"skald/frontend/types"
)

// Ascription is the name of the attribute that marks ascriptions; see Note [Ascriptions].
const Ascription = ":"

// Error is why a definition was rejected.
type Error struct {
	At   source.Span
	Code string
	Msg  string
	// Notes say where what the message names arises, where its names do not tell that.
	Notes []Note
}

// Note is a remark about a place.
type Note struct {
	At  source.Span
	Msg string
}

func (e *Error) Error() string { return e.Msg }

// Host makes symbols and takes warnings.
type Host interface {
	NewSymbol(name string, kind types.SymbolKind, t types.Type, at source.Span) *types.Symbol
	Warn(at source.Span, code, msg string)
	// Infix says whether the application at a place was written infix, so that its parts are evaluated from left to
	// right, and whether the function is the first of these.
	Infix(at source.Span) (infix, funFirst bool)
}

// varKind says what is known about a size symbol; see Note [Size variables].
type varKind uint8

const (
	flexible varKind = iota // to be found, or found if link is set
	instance                // as flexible, from the instantiation of a parameter
	absorbed                // an instance that turned out to be existential
	unknown                 // computed somewhere by an expression
	param                   // a variable of the program
	binder                  // the parameter of a function type that was made by instantiation, or another's if link is set
)

type sizeVar struct {
	kind   varKind
	level  int
	link   types.Size
	lifted types.Liftedness // of an instance: what it may absorb
	usage  string           // what made a flexible size, for messages
	at     source.Span
	source *types.Symbol // of an absorbed size: what it absorbed
	// computed says that an absorbed size stands for one that is computed at computedAt.
	computed bool
	// callers says that a flexible size is one that a parameter's type leaves out: no branch decides on it.
	callers bool
	// value is what an unknown size is, where that is too long to be repeated: Note [Long sizes].
	value      types.Size
	mentions   []*types.Symbol // in it
	computedAt source.Span
}

// solver is the state of inference for one definition.
type solver struct {
	host  Host
	vars  map[*types.Symbol]*sizeVar
	made  []*types.Symbol // the keys of vars, in order
	bound []*types.Symbol // local variables, whose types are normalised in the end
	// binders are the parameters of function types that sizes of instances may be linked to.
	binders map[*types.Symbol]bool
	// equated are the names of long sizes that were found to be equal.
	equated map[[2]*types.Symbol]bool
	level   int
	because func() string // the first line of the next mismatch
	self    *types.Symbol
	// selfOpen is set while self's type is not known, within a definition without declared result.
	selfOpen bool
}

func newSolver(host Host) *solver {
	return &solver{host: host, vars: map[*types.Symbol]*sizeVar{}, binders: map[*types.Symbol]bool{}}
}

// fail ends the inference of the current definition.
func (s *solver) fail(at source.Span, code, format string, args ...any) {
	panic(&Error{At: at, Code: code, Msg: fmt.Sprintf(format, args...)})
}

// failMatch is fail with the reason why the two types should match in front.
func (s *solver) failMatch(at source.Span, code, format string, args ...any) {
	panic(s.mismatch(at, code, format, args...))
}

// mismatch is the error of failMatch.
func (s *solver) mismatch(at source.Span, code, format string, args ...any) *Error {
	msg := fmt.Sprintf(format, args...)
	if s.because != nil {
		msg = s.because() + "\n" + msg
	}
	return &Error{At: at, Code: code, Msg: msg}
}

// explain runs f; a mismatch in it begins with the line that why returns.
func (s *solver) explain(why func() string, f func()) {
	old := s.because
	s.because = why
	f()
	s.because = old
}

func (s *solver) add(sym *types.Symbol, v *sizeVar) *types.Symbol {
	v.level = s.level
	s.vars[sym] = v
	s.made = append(s.made, sym)
	return sym
}

func (s *solver) flex(name, usage string, at source.Span) *types.Symbol {
	sym := s.host.NewSymbol(name, types.ExtSize, types.I64, at)
	return s.add(sym, &sizeVar{kind: flexible, usage: usage, at: at})
}

func (s *solver) inst(name, usage string, lifted types.Liftedness, at source.Span) *types.Symbol {
	sym := s.host.NewSymbol(name, types.ExtSize, types.I64, at)
	return s.add(sym, &sizeVar{kind: instance, lifted: lifted, usage: usage, at: at})
}

func (s *solver) unknown(name string, at source.Span) *types.Symbol {
	sym := s.host.NewSymbol(name, types.ExtSize, types.I64, at)
	return s.add(sym, &sizeVar{kind: unknown, at: at})
}

// unknownFrom makes an unknown size and says what it is, for messages.
func (s *solver) unknownFrom(name string, at source.Span, what string) *types.Symbol {
	sym := s.unknown(name, at)
	s.vars[sym].usage = what
	return sym
}

// bind makes a variable known at the current level, with its sized type.
func (s *solver) bind(sym *types.Symbol, t types.Type) {
	sym.Type = t
	s.bound = append(s.bound, sym)
	s.add(sym, &sizeVar{kind: param, at: sym.At})
}

// deeper runs f one level down.
func (s *solver) deeper(f func()) {
	s.level++
	f()
	s.level--
}

func nameSize(sym *types.Symbol) types.Size { return &types.SizeName{Sym: sym} }

// size replaces what has been found in d.
func (s *solver) size(d types.Size) types.Size {
	switch d := d.(type) {
	case *types.SizeName:
		v := s.vars[d.Sym]
		if v == nil || v.link == nil {
			return d
		}
		v.link = s.size(v.link)
		return v.link
	case *types.SizeExp:
		if !s.solvedIn(d.Exp) {
			return d
		}
		return types.ExpToSize(s.sizeExp(d.Exp))
	default:
		return d
	}
}

// solvedIn reports whether e mentions a size variable that has been found.
func (s *solver) solvedIn(e types.Exp) bool {
	found := false
	for _, sym := range expSymbols(e, withArgs) {
		if v := s.vars[sym]; v != nil && v.link != nil {
			found = true
		}
	}
	return found
}

func (s *solver) sizeExp(e types.Exp) types.Exp {
	if ref, ok := e.(*types.Ref); ok && len(ref.Args) == 0 {
		if v := s.vars[ref.Sym]; v != nil && v.link != nil {
			return types.SizeToExp(s.size(ref2size(ref)), ref.At)
		}
		return e
	}
	return types.MapExp(e, types.Mapper{Exp: s.sizeExp, Type: s.norm, Size: s.size})
}

func ref2size(ref *types.Ref) types.Size { return &types.SizeName{Sym: ref.Sym} }

// norm replaces the sizes that have been found in t, and the parameters of function types that turned out to be others'.
func (s *solver) norm(t types.Type) types.Type { return sizeMapper{s.size, s.binder}.typ(t) }

// binder is the symbol that sym, the parameter of a function type or nil, turned out to be.
func (s *solver) binder(sym *types.Symbol) *types.Symbol {
	if v := s.vars[sym]; v == nil || v.kind != binder || v.link == nil {
		return sym
	}
	return s.size(nameSize(sym)).(*types.SizeName).Sym
}

func (s *solver) typeOf(e types.Exp) types.Type { return s.norm(e.Base().Type) }
