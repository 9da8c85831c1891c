package core

import "slices"

// Exp is what a statement computes. Its methods are the questions that every node answers, in the file where the node is: what is said of
// one node is in one place, and a node that leaves a question open does not compile. Note [Three forms] says where else code may look
// at nodes. Bodies and lambdas are apart unless a method says otherwise.
//
//	exp ::= scalar | view | memory | control | soac | seg
//
//sumtype:decl
type Exp interface {
	// parts rebuilds the node with its direct parts mapped: operands before binders, binders before the bodies that see them.
	parts(m Mapper) Exp
	// binders are the parameters that the node binds for its bodies, those of its lambdas apart.
	binders() []Param
	// types returns the types of the results, layouts left out; ok is false when only the statement says them: see Scope.Infer.
	types(s *Scope) (ts []Type, ok bool)
	// reads lists the arrays whose elements the node looks at.
	reads() []Var
	// consumes lists the arrays that the node may overwrite, or give to who may.
	consumes() []Var
	// aliases tells which parameters, of those that the node binds and of dst, its results, may share memory with which operands. What
	// the statements of bodies share is told by these.
	aliases(dst []Param, may func(p Param, x Operand))
	// mayFail reports whether the program may stop at the node.
	mayFail() bool
	// pure reports whether the node does nothing but give results, or stop the program: it makes no array, overwrites none, and calls
	// nothing that may.
	pure() bool
	// parallel reports whether the node runs its bodies at many points at once.
	parallel() bool
	// allowed reports whether the node may stand in code of this kind.
	allowed(at place) bool
	// print writes the text form.
	print(p *printer)
	// verify checks operands and bodies against the node's meaning. Statement s holds the node.
	verify(v *verifier, s *Stm)
}

// place is a kind of code: at what stage, whether one thread of a kernel runs it, and whether it is in a workgroup's kernel, where
// all threads of the workgroup run what is not one thread's.
type place struct {
	stage  Stage
	kernel bool
	group  bool
}

// segmented reports whether a segmented operation of a level may stand here.
func (at place) segmented(l Level) bool {
	return at.stage != StageSOACS && !at.kernel && (l == LevelInGroup) == at.group
}

// Scalar nodes compute a scalar from scalars alone.
//
//sumtype:decl
type Scalar interface {
	Exp
	isScalar()
}

// View nodes give what is there already: a value, or an array that may share memory with another.
//
//sumtype:decl
type View interface {
	Exp
	isView()
}

// Memory nodes make arrays, or overwrite them, or make the memory that arrays lie in. They have no bodies.
//
//sumtype:decl
type Memory interface {
	Exp
	isMemory()
}

// Control nodes decide what runs: branches, loops, calls and assertions.
//
//sumtype:decl
type Control interface {
	Exp
	isControl()
}

// SOAC nodes are the second-order array combinators, and the updates of the accumulators that one of them makes.
//
//sumtype:decl
type SOAC interface {
	Exp
	isSOAC()
}

// Seg nodes are the segmented operations: kernels.
//
//sumtype:decl
type Seg interface {
	Exp
	// SpaceOf returns the index space whose points the operation runs at.
	SpaceOf() Space
	// choice is how a device runs the operation, nil if that is not chosen yet.
	choice() *Choice
}

// Pattern is a node as rules see it: Note [Three forms].
type Pattern interface{ print(p *printer) }

// Match passes e to a rule, which says what it does with some nodes and leaves the others as they are: Note [Three forms].
func Match(e Exp) Pattern { return e }

// SizeOf is over how many elements a SOAC goes; ok is false of what goes over none.
func SizeOf(e Exp) (size Operand, ok bool) {
	switch e := Match(e).(type) {
	case *Screma:
		return e.Size, true
	case *Hist:
		return e.Size, true
	case *FlatMap:
		return e.Size, true
	default:
		return size, false
	}
}

// Reads lists the arrays whose elements e looks at, bodies apart.
func Reads(e Exp) []Var { return e.reads() }

// Consumes lists the arrays that e may overwrite, bodies apart: for a call, which may do so where its function says, all arguments.
func Consumes(e Exp) []Var { return e.consumes() }

// MayShare tells which variables that s binds, for its bodies too, may share memory with which operands. What the statements in these
// bodies bind is not among them.
func MayShare(s *Stm, may func(p Param, x Operand)) { s.Exp.aliases(s.Dst, sharing(may)) }

// sharing is may for what has memory.
func sharing(may func(p Param, x Operand)) func(p Param, x Operand) {
	return func(p Param, x Operand) {
		if p.Type.Kind != KindScalar && x.Var != 0 {
			may(p, x)
		}
	}
}

// MayFail reports whether e may stop the program, bodies apart.
func MayFail(e Exp) bool { return e.mayFail() }

// Pure reports whether e, bodies apart, makes no array, overwrites none and calls nothing that may; it may fail all the same.
func Pure(e Exp) bool { return e.pure() }

// Parallel reports whether e runs its bodies at many points at once.
func Parallel(e Exp) bool { return e.parallel() }

// Any reports whether f holds of the node of a statement of b, at any depth.
func Any(b *Body, f func(Exp) bool) bool {
	found := false
	Walk(b, func(s *Stm) bool {
		found = found || f(s.Exp)
		return !found
	})
	return found
}

// Any reports whether f holds of a node of the program.
func (p *Prog) Any(f func(Exp) bool) bool {
	in := func(g *Fun) bool { return Any(g.Body, f) }
	return p.Consts != nil && in(p.Consts) || slices.ContainsFunc(p.Funs, in)
}

// Any reports whether f holds of the statement's node, or of one in its bodies.
func (s *Stm) Any(f func(Exp) bool) bool { return Any(&Body{Stms: []*Stm{s}}, f) }

// ComputesScalars reports whether a statement computes scalars from scalars and nothing else, and cannot fail.
func ComputesScalars(s *Stm) bool {
	ok := len(s.Aux.Certs) == 0 && OnlyScalars(ParamTypes(s.Dst))
	switch e := Match(s.Exp).(type) {
	case *Use, *Un, *Cmp, *Conv, *CallFunc:
		return ok
	case *Bin:
		return ok && NeverFails(e)
	case *If, *Switch, *Loop:
		MapBodies(s.Exp, func(b *Body) *Body {
			ok = ok && !slices.ContainsFunc(b.Stms, func(in *Stm) bool { return !ComputesScalars(in) })
			return b
		})
		return ok
	default:
	}
	return false
}

// NeverFails reports whether an operation has a result for all operands that it may get.
func NeverFails(e *Bin) bool {
	return !e.Op.CanFail(e.Type) || e.Y.IsConst() && !e.Y.Const.IsZero() && !e.Y.Const.IsNegative()
}
