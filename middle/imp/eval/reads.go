package eval

import (
	"slices"

	"skald/middle/imp"
)

// Note [Waiting once]
//
// Read-backs that follow one another wait together, and so do those between which host code only computes, if they need nothing of that:
// what is between is done behind them.

// reads compiles read-backs that follow one another to one wait, for what may have begun.
func (c *compiler) reads(ss []*imp.ReadScalar, begun *earlyRead) stm {
	index := c.places(ss)
	var f *fun
	known := c.known()
	if known != nil {
		f = c.ending.fun
	}
	return func(t *thread) bool {
		var words []uint64
		var err error
		switch {
		case begun != nil && t.begun[begun.slot]:
			t.begun[begun.slot] = false
			words, err = t.host.(EarlyReader).Finish()
		case len(t.fetched.places) > 0 && slices.Equal(t.fetched.places, index(t)):
			words = t.fetched.words
		default:
			words, err = t.read(index(t), f, known)
		}
		t.fetched = fetched{}
		must(err)
		for i, s := range ss {
			t.regs[s.Var] = words[i]
		}
		return !t.host.Failure().Failed()
	}
}

// places compiles what read-backs read.
func (c *compiler) places(ss []*imp.ReadScalar) func(*thread) []Place {
	index := make([]exp, len(ss))
	for i, s := range ss {
		index[i] = c.exp(s.Index)
	}
	return func(t *thread) []Place {
		places := make([]Place, len(ss))
		for i, s := range ss {
			places[i] = Place{s.Elem, t.regs[s.Block], int64(index[i](t))}
		}
		return places
	}
}

// Note [Early reads]
//
// What host code reads is often there long before it reads it: of the sums, conditions and sizes that a round of a loop computes, other
// kernels of the round go on using the arrays. So a read-back begins behind the last statement that may write the blocks, if kernels are
// launched between: the host then waits for what lies before, records the next round while these kernels run, and the device has no pause.
// Which statements may write a block is known by name: variables of blocks that are ever assigned from one another are taken for one. The
// kernels' code is not looked at, which may not have been read yet: all of a launch's blocks may be written. What is the last wait of a
// run does not begin early, as it brings results, too.

// EarlyReader is a Host that can begin to read before it waits.
type EarlyReader interface {
	// Begin begins to read elements, and reports whether it has. If so, Finish is called once before the next Read and Trace, unless the
	// run ends before, or Drop is called. Two readings may be under way.
	Begin(places []Place) (bool, error)
	// Finish waits for the elements of the reading that began first.
	Finish() ([]uint64, error)
	// Drop ends the readings that are under way, whose elements are not needed.
	Drop()
}

// earlyRead is a run of read-backs that begins early.
type earlyRead struct {
	reads []*imp.ReadScalar
	slot  int // which of the function's
}

// earlyReads are the runs of read-backs of a body that begin early, by the statement that they begin before and by their own.
type earlyReads struct {
	begin map[int][]*earlyRead
	of    map[int]*earlyRead
}

// earlyReads finds the read-backs of a body that begin early: see Note [Early reads].
func (c *compiler) earlyReads(body []imp.Stm, quiet int) earlyReads {
	out := earlyReads{map[int][]*earlyRead{}, map[int]*earlyRead{}}
	for i := 0; i < len(body); {
		reads, _, n := imp.ReadRun(body[i:])
		if len(reads) == 0 {
			i++
			continue
		}
		last := c.ending.quiet && i+n >= len(body)-quiet || c.forRounds(reads)
		if at := c.lastWrite(body[:i], reads); !last && launches(body[at:i]) {
			r := &earlyRead{reads, c.ending.fun.early}
			out.begin[at], out.of[i] = append(out.begin[at], r), r
			c.ending.fun.early++
		}
		i += n
	}
	return out
}

// begin compiles the beginning of a read-back.
func (c *compiler) begin(e *earlyRead) stm {
	places := c.places(e.reads)
	return func(t *thread) bool {
		r, ok := t.host.(EarlyReader)
		if !ok {
			return true
		}
		begun, err := r.Begin(places(t))
		must(err)
		t.begun[e.slot] = begun
		return true
	}
}

// launches reports whether statements launch kernels.
func launches(body []imp.Stm) bool {
	return imp.Any(body, func(s imp.Stm) bool { _, ok := s.(*imp.Launch); return ok })
}

// blockClasses are the classes of blocks of the function that is compiled: see Note [Early reads].
func (c *compiler) blockClasses() []imp.Var {
	f := c.ending.fun
	if f.blocks == nil {
		f.blocks = imp.BlockClasses(f.decl)
	}
	return f.blocks
}

// lastWrite is behind the last of some statements that may write what is read, or bind what says where that is, or that may wait or end
// the run.
func (c *compiler) lastWrite(body []imp.Stm, reads []*imp.ReadScalar) int {
	class := c.blockClasses()
	var blocks, vars []imp.Var
	for _, r := range reads {
		blocks, vars = append(blocks, class[r.Block]), append(vars, r.Block)
		imp.WalkExp(r.Index, func(e imp.Exp) {
			if v, ok := e.(*imp.VarExp); ok {
				vars = append(vars, v.Var)
			}
		})
	}
	writes := func(vs ...imp.Var) bool {
		return slices.ContainsFunc(vs, func(v imp.Var) bool { return slices.Contains(blocks, class[v]) })
	}
	stops := func(s imp.Stm) bool {
		if slices.ContainsFunc(imp.Binds(s), func(v imp.Var) bool { return slices.Contains(vars, v) }) {
			return true
		}
		switch s := imp.MatchStm(s).(type) {
		case *imp.Let, *imp.Free, *imp.Comment, *imp.Alloc, *imp.If, *imp.For, *imp.GetConst, *imp.GetTune:
			return false
		case *imp.Set:
			return slices.Contains(vars, s.Var)
		case *imp.Launch:
			return writes(s.Blocks...)
		case *imp.Copy:
			return writes(s.Dst)
		case *imp.Fill:
			return writes(s.Block)
		case *imp.WriteScalar:
			return writes(s.Block)
		default:
			return true
		}
	}
	at := len(body)
	for at > 0 && !imp.Any(body[at-1:at], stops) {
		at--
	}
	return at
}
