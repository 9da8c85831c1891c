package interp

import (
	"fmt"

	"skald/frontend/source"
	"skald/frontend/types"
)

// scope is the compile-time side of a frame: it assigns a slot to each variable of one function. A variable of an
// enclosing function gets a slot too, and is copied into it at each call: closures keep values, not frames.
type scope struct {
	m      *machine
	outer  *scope
	slots  map[*types.Symbol]int
	params map[*types.TypeParam]int
	n      int
	// captured are the slots here of captured variables, and captures those in outer.
	captured, captures []int
	// bound are the variables of this function that are in scope where the compiler is, in order of binding.
	bound []*types.Symbol
	// self is the recursive local function that this is the scope of, if it is one, and code its code.
	self *types.Symbol
	code *code
}

func (m *machine) newScope(outer *scope) *scope {
	return &scope{
		m: m, outer: outer,
		slots: map[*types.Symbol]int{}, params: map[*types.TypeParam]int{},
	}
}

// slot makes a new slot.
func (s *scope) slot() int {
	s.n++
	return s.n - 1
}

// bind assigns a slot to sym.
func (s *scope) bind(sym *types.Symbol) int {
	if i, ok := s.slots[sym]; ok {
		return i
	}
	i := s.slot()
	s.setSlot(sym, i)
	return i
}

// setSlot says that sym has a slot, and is in scope from now on.
func (s *scope) setSlot(sym *types.Symbol, slot int) {
	s.slots[sym] = slot
	s.bound = append(s.bound, sym)
}

// find looks sym up here and in the enclosing functions.
func (s *scope) find(sym *types.Symbol) (int, bool) {
	if i, ok := s.slots[sym]; ok {
		return i, true
	}
	if s.self == sym && sym != nil {
		s.code.self = s.bind(sym)
		return s.code.self, true
	}
	if s.outer == nil {
		return 0, false
	}
	from, ok := s.outer.find(sym)
	if !ok {
		return 0, false
	}
	i := s.capture(from)
	s.slots[sym] = i
	return i, true
}

func (s *scope) capture(from int) int {
	i := s.slot()
	s.captured = append(s.captured, i)
	s.captures = append(s.captures, from)
	return i
}

// typeSlot is the slot of a type parameter.
func (s *scope) typeSlot(p *types.TypeParam) int {
	if i, ok := s.params[p]; ok {
		return i
	}
	if s.outer == nil {
		panic(fmt.Sprintf("interp: type parameter %s is not in scope", p.Name))
	}
	i := s.capture(s.outer.typeSlot(p))
	s.params[p] = i
	return i
}

// site makes a place for run-time errors.
func (s *scope) site(at source.Span) *site { return &site{at} }

// fail returns a function that stops the program with an error at a place.
func (s *scope) fail(at source.Span) func(f *frame, format string, args ...any) {
	return func(f *frame, format string, args ...any) { f.m.fail(at, format, args...) }
}
