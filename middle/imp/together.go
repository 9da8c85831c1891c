package imp

import "slices"

// Note [Reading together]
// ~~~~~~~~~~~~~~~~~~~~~~~
// Lowering reads a scalar where host code first computes with it, and again in each branch that does. Each reading waits for the device,
// but for those that follow one another, which wait once (Note [Waiting once] in package eval). So readings move to others:
//
//	if empty_1 {                              read sum_5: i32 = sums_6[0]
//	  m_2 = 0                                 read x_3: i64 = sizes_4[0]
//	} else {                                  if empty_1 {
//	  read x_3: i64 = sizes_4[0]                m_2 = 0
//	  m_2 = x_3                               } else {
//	}                                           m_2 = x_3
//	assert ok_7 site 0 ()                     }
//	read sum_5: i32 = sums_6[0]               assert ok_7 site 0 ()
//
// Up, to one that waits anyway, if nothing is launched in between that writes the block, out of branches, too, and past checks: what is
// read before it is known to be needed must be there, so its index is a constant, below that of the elements that the block was made with.
// Where the first of them is in a branch, another must be under no condition, or under the same, or on both sides of one: else a run in
// which no branch needs one would wait. An element that is read twice is read once.
//
// A reading in a branch that asks first whether there are elements at all is under no condition: where there are none it reads the first
// one, whatever that is, for which its block is made with one element at least (the last element of a scan, most often).
//
// Out of a loop, if no round changes what is read, and it is there before: else each round waits for it. If there is no round, one wait is
// in vain.
//
// And down, to the next one, past what does not need what is read, if that launches nothing that writes the block, checks nothing and waits
// for nothing; what computes with it comes along, and so does a branch that reads and else computes.

// Together is p where host code reads together what it can: see Note [Reading together].
func Together(p *Prog) *Prog {
	out := *p
	out.Funs = make([]*Fun, len(p.Funs))
	for i, f := range p.Funs {
		t := &togetherFinder{prog: p, class: BlockClasses(f), sizes: map[Var]int64{}}
		Walk(f.Body, func(s Stm) bool {
			if a, ok := s.(*Alloc); ok {
				if n, ok := a.Count.(*Const); ok {
					t.sizes[a.Var] = n.Value.Int()
				}
			}
			return true
		})
		n := *f
		n.Body = t.body(unguarded(f.Body))
		out.Funs[i] = &n
	}
	return &out
}

// togetherFinder moves readings of a function.
type togetherFinder struct {
	prog  *Prog
	class []Var         // see BlockClasses
	sizes map[Var]int64 // of blocks that are made with a constant number of elements
}

// body moves readings of a body, and of those in it.
func (t *togetherFinder) body(body []Stm) []Stm {
	out := make([]Stm, 0, len(body))
	for _, s := range body {
		if len(s.bodies()) > 0 {
			s = s.parts(Mapper{Body: t.body})
		}
		switch MatchStm(s).(type) {
		case *For, *While:
			reads, loop := t.outOf(s)
			out = append(append(out, reads...), loop)
		default:
			out = append(out, s)
		}
	}
	for i := 0; i < len(out); {
		out = t.up(out, i)
		moved := false
		if out, moved = t.down(out, i); !moved {
			i++
		}
	}
	return out
}

// outOf takes the readings out of a loop, but for those in its branches, of elements that are there before it and that it does not change.
func (t *togetherFinder) outOf(loop Stm) (reads []Stm, rest Stm) {
	w := newWayUp(t)
	w.pass(loop)
	w.checked = true
	var body []Stm
	for _, s := range loop.bodies()[0] {
		if r, ok := s.(*ReadScalar); ok && w.movable(r) {
			reads = append(reads, s)
		} else {
			body = append(body, s)
		}
	}
	if len(reads) == 0 {
		return nil, loop
	}
	return reads, loop.parts(Mapper{Body: func([]Stm) []Stm { return body }})
}

// moving is a reading that may move up, and the outermost branch that it is in, if there is one; alone says that it is in no other.
type moving struct {
	read  *ReadScalar
	under *If
	alone bool
}

// within is how many statements behind a reading are looked at for others: what compiling takes grows with the program.
const within = 256

// readsWithin reports whether a branch reads, as far as it is looked at.
func readsWithin(branch Stm) bool {
	left, found := within, false
	var look func(body []Stm)
	look = func(body []Stm) {
		for _, s := range body {
			if left--; left < 0 || found {
				return
			}
			if found = isRead(s); !found {
				if b, ok := s.(*If); ok {
					look(b.Then)
					look(b.Else)
				}
			}
		}
	}
	look([]Stm{branch})
	return found
}

// up moves readings behind statement i to it, if it reads, and those in it and behind it to the front of it, if it is a branch.
func (t *togetherFinder) up(body []Stm, i int) []Stm {
	_, branch := body[i].(*If)
	if !branch && (!isRead(body[i]) || i > 0 && isRead(body[i-1])) || branch && !readsWithin(body[i]) {
		return body
	}
	w := newWayUp(t)
	w.find(body[i:])
	if len(w.found) < 2 || branch && !w.waits(body[i]) || !branch && w.inARow(body[i:]) {
		return body
	}
	var reads, again []Stm
	for n, m := range w.found {
		if j := slices.IndexFunc(w.found[:n], func(o moving) bool { return sameElement(o.read, m.read) }); j >= 0 {
			again = append(again, &Let{m.read.Var, &VarExp{w.found[j].read.Var}})
		} else {
			reads = append(reads, m.read)
		}
	}
	return slices.Concat(body[:i], reads, again, w.without(body[i:]))
}

// inARow reports whether a body starts with the readings that may move.
func (w *wayUp) inARow(body []Stm) bool {
	return len(w.found) <= len(body) && Stm(w.found[len(w.found)-1].read) == body[len(w.found)-1]
}

// wayUp is what lies between the place that readings move up to and the statement at hand.
type wayUp struct {
	*togetherFinder
	bound   map[Var]bool // or set
	written map[Var]bool // classes of blocks
	under   []*If        // branches that the statement is in
	checked bool         // something has been checked
	left    int          // how many statements are still looked at
	found   []moving     // readings that may move
	changed map[*If]bool // branches that they are in
}

func newWayUp(t *togetherFinder) *wayUp {
	return &wayUp{togetherFinder: t, bound: map[Var]bool{}, written: map[Var]bool{}, changed: map[*If]bool{}, left: within}
}

// waits reports whether a run that comes to a branch, to the front of which readings move, waits for one of them in any case, or for those
// in the branch and one behind it, or for none.
func (w *wayUp) waits(branch Stm) bool {
	first := w.found[0]
	return Stm(first.under) == branch && slices.ContainsFunc(w.found[1:], func(m moving) bool {
		return m.under == nil || m.under != first.under && (w.alike(first, m) || w.always(m))
	})
}

// then reports whether a reading is on the first side of its branch.
func (m moving) then() bool { return slices.Contains(m.under.Then, Stm(m.read)) }

// alike reports whether two readings are on the same side of branches with the same condition, which is a variable.
func (w *wayUp) alike(x, y moving) bool {
	c, ok := x.under.Cond.(*VarExp)
	d, also := y.under.Cond.(*VarExp)
	return x.alone && y.alone && ok && also && c.Var == d.Var && !w.bound[c.Var] && x.then() == y.then()
}

// always reports whether both sides of a reading's branch read.
func (w *wayUp) always(x moving) bool {
	return x.alone && slices.ContainsFunc(w.found, func(y moving) bool {
		return y.under == x.under && y.alone && x.then() != y.then()
	})
}

// find finds the readings of a body that may move.
func (w *wayUp) find(body []Stm) {
	for _, s := range body {
		if w.left--; w.left < 0 {
			return
		}
		switch s := MatchStm(s).(type) {
		case *ReadScalar:
			if w.movable(s) {
				w.add(s)
			}
			w.bound[s.Var] = true
		case *If:
			w.under = append(w.under, s)
			w.find(s.Then)
			w.find(s.Else)
			w.under = w.under[:len(w.under)-1]
		default:
			w.pass(s.(Stm))
		}
	}
}

// add adds a reading that may move.
func (w *wayUp) add(r *ReadScalar) {
	m := moving{read: r, alone: len(w.under) == 1}
	if len(w.under) > 0 {
		m.under = w.under[0]
	}
	w.found = append(w.found, m)
	for _, b := range slices.Backward(w.under) {
		if w.changed[b] {
			break
		}
		w.changed[b] = true
	}
}

// without is a body without the readings that move.
func (w *wayUp) without(body []Stm) []Stm {
	out := make([]Stm, 0, len(body))
	for _, s := range body {
		if b, ok := s.(*If); ok && w.changed[b] {
			s = b.parts(Mapper{Body: w.without})
		}
		if !slices.ContainsFunc(w.found, func(m moving) bool { return Stm(m.read) == s }) {
			out = append(out, s)
		}
	}
	return out
}

// pass notes that a statement lies between.
func (w *wayUp) pass(s Stm) {
	Walk([]Stm{s}, func(s Stm) bool {
		for _, v := range s.binds() {
			w.bound[v] = true
		}
		switch s := MatchStm(s).(type) {
		case *Set:
			w.bound[s.Var] = true
		case *Assert:
			w.checked = true
		case *Call:
			w.checked = true
			for _, c := range w.class {
				w.written[c] = true
			}
		default:
		}
		for _, b := range w.writes(s) {
			w.written[w.class[b]] = true
		}
		return true
	})
}

// movable reports whether a reading may move up.
func (w *wayUp) movable(r *ReadScalar) bool {
	if w.written[w.class[r.Block]] || w.bound[r.Block] || mentions(r.Index, w.bound) {
		return false
	}
	return !w.checked && len(w.under) == 0 || w.there(r)
}

// there reports whether a block has what is read in any case.
func (t *togetherFinder) there(r *ReadScalar) bool {
	at, ok := r.Index.(*Const)
	n, known := t.sizes[r.Block]
	return ok && known && at.Value.Int() < n
}

// writes lists the blocks that a statement writes, but for those of its bodies.
func (t *togetherFinder) writes(s Stm) (out []Var) {
	launch, ok := s.(*Launch)
	if !ok {
		return writesItself(s)
	}
	k := t.prog.Kernel(launch.Kernel)
	for i, b := range launch.Blocks {
		if k.Mems[i].Access != Read {
			out = append(out, b)
		}
	}
	return out
}

// writesItself lists the blocks that a statement of host code writes without a kernel, but for those of its bodies.
func writesItself(s Stm) []Var {
	switch s := MatchStm(s).(type) {
	case *Copy:
		return []Var{s.Dst}
	case *Fill:
		return []Var{s.Block}
	case *WriteScalar:
		return []Var{s.Block}
	default:
		return nil
	}
}

// sameElement reports whether two readings read one element, at a constant index.
func sameElement(x, y *ReadScalar) bool {
	a, ok := x.Index.(*Const)
	b, also := y.Index.(*Const)
	return ok && also && x.Block == y.Block && a.Value == b.Value
}

// down moves the readings that start at statement i, or that it has in branches where nothing else but computations is, to the next reading
// behind, and reports whether it has.
func (t *togetherFinder) down(body []Stm, i int) ([]Stm, bool) {
	reads, behind, end := t.first(body, i)
	if len(reads) == 0 {
		return body, false
	}
	w := &wayDown{togetherFinder: t, late: map[Var]bool{}, needed: map[Var]bool{}, reads: len(reads)}
	for _, s := range append(reads, behind...) {
		w.delay(s)
	}
	var stay []Stm
	for j := end; j < min(len(body), end+within); j++ {
		s := body[j]
		if isRead(s) {
			return w.joined(body, i, j, stay)
		}
		switch {
		case w.depends(s):
			if _, free := s.(*Free); !free && !onlyComputes(s) {
				return body, false
			}
			w.delay(s)
		case w.hinders(s):
			return body, false
		default:
			stay = append(stay, s)
		}
	}
	return body, false
}

// first takes the readings that a body has at statement i, and what is left of that; end is behind it.
func (t *togetherFinder) first(body []Stm, i int) (reads, behind []Stm, end int) {
	if i > 0 && isRead(body[i-1]) {
		return nil, nil, 0 // The first of them says that they stay.
	}
	for end = i; end < len(body) && isRead(body[end]); end++ {
		reads = append(reads, body[end])
	}
	if _, branch := body[i].(*If); !branch || !readsWithin(body[i]) {
		return reads, nil, end
	}
	w := newWayUp(t)
	w.find(body[i : i+1])
	if behind = w.without(body[i : i+1]); len(w.found) == 0 || !onlyComputes(behind[0]) {
		return nil, nil, 0
	}
	for _, m := range w.found {
		reads = append(reads, m.read)
	}
	return reads, behind, i + 1
}

// wayDown is what moves down behind other statements.
type wayDown struct {
	*togetherFinder
	late    map[Var]bool // what is not known yet
	needed  map[Var]bool // what it is computed from
	delayed []Stm
	reads   int // how many of these, the first, are readings
}

// delay notes that a statement comes later.
func (w *wayDown) delay(s Stm) {
	w.delayed = append(w.delayed, s)
	for v := range changedIn([]Stm{s}) {
		w.late[v] = true
	}
	Walk([]Stm{s}, func(s Stm) bool {
		if r, ok := s.(*ReadScalar); ok {
			w.needed[r.Block] = true
		}
		WalkExps(s, func(e Exp) {
			if v, ok := e.(*VarExp); ok {
				w.needed[v.Var] = true
			}
		})
		return true
	})
}

// depends reports whether a statement needs what is not known yet, or frees what is still needed.
func (w *wayDown) depends(s Stm) bool {
	return Any([]Stm{s}, func(s Stm) bool {
		if f, ok := s.(*Free); ok {
			return w.needed[f.Var] || w.late[f.Var]
		}
		if h, ok := s.(HostStm); ok && slices.ContainsFunc(h.blocks(), func(v Var) bool { return w.late[v] }) {
			return true
		}
		if set, ok := s.(*Set); ok && w.late[set.Var] {
			return true
		}
		return slices.ContainsFunc(s.exps(), func(e Exp) bool { return mentions(e, w.late) })
	})
}

// hinders reports whether nothing may come to be behind a statement that does not depend on it: it waits or checks something, or changes
// what is needed.
func (w *wayDown) hinders(s Stm) bool {
	for v := range changedIn([]Stm{s}) {
		if w.needed[v] {
			return true
		}
	}
	return Any([]Stm{s}, func(s Stm) bool {
		switch MatchStm(s).(type) {
		case *Assert, *Call, *Trace, *ReadScalar:
			return true
		default:
		}
		return slices.ContainsFunc(w.writes(s), func(b Var) bool {
			return slices.ContainsFunc(w.delayed, func(d Stm) bool {
				r, ok := d.(*ReadScalar)
				return ok && w.class[r.Block] == w.class[b]
			})
		})
	})
}

// joined is a body where the readings from statement i on are at those of statement j, and what depends on them is behind these.
func (w *wayDown) joined(body []Stm, i, j int, stay []Stm) ([]Stm, bool) {
	last := j
	for last < len(body) && isRead(body[last]) && !w.depends(body[last]) {
		last++
	}
	if last == j {
		return body, false
	}
	return slices.Concat(body[:i], stay, w.delayed[:w.reads], body[j:last], w.delayed[w.reads:], body[last:]), true
}

// BlockClasses says which variables of a function may name one block: those of one class. Parameters and constants are of one.
func BlockClasses(f *Fun) []Var {
	class := make([]Var, len(f.Vars))
	for v := range class {
		class[v] = Var(v)
	}
	find := func(v Var) Var {
		for class[v] != v {
			class[v] = class[class[v]]
			v = class[v]
		}
		return v
	}
	join := func(a, b Var) { class[find(a)] = find(b) }
	for _, v := range f.Params {
		join(v, f.Params[0])
	}
	assigned := func(v Var, e Exp) {
		WalkExp(e, func(e Exp) {
			if w, ok := e.(*VarExp); ok && f.Vars[w.Var].Type == Block {
				join(v, w.Var)
			}
		})
	}
	outside := Var(0) // what comes from constants, calls and parameters
	if len(f.Params) > 0 {
		outside = f.Params[0]
	}
	Walk(f.Body, func(s Stm) bool {
		switch s := MatchStm(s).(type) {
		case *Let:
			assigned(s.Var, s.Exp)
		case *Set:
			assigned(s.Var, s.Exp)
		case *Alloc:
		default:
			for _, v := range s.(Stm).binds() {
				if f.Vars[v].Type == Block {
					join(v, outside)
				}
			}
		}
		return true
	})
	for v := range class {
		class[v] = find(Var(v))
	}
	return class
}
