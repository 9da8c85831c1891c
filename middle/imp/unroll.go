package imp

import (
	"slices"

	"skald/runtime/prim"
)

// Note [Unrolled loops]
//
// A thread waits for what it loads. An innermost loop of a kernel that reads several elements of device memory in each iteration, and
// writes none, is unrolled: then the loads of four iterations are under way at a time, and the counter is compared once for all. What
// loads, and does not need what the loop carries, comes before the rest of all four: compilers move no load across a branch, and a call of
// exp has one. So a loop that calls such a function is unrolled though it reads only one element, if each thread has another: a sum of
// square roots of columns waits for memory alone. The iterations that remain have a loop of their own. lavaMD's loop, which reads five
// arrays, took 611 µs so and 668 before (H200, WebGPU, 2026-11-22); with the loads in front a whole call takes 631, not 653 (H100,
// 2026-11-26).
// Loops that read little, that write or branch won nothing (docs/decisions.md, 59): drivers unroll what they can.

const (
	unrolled   = 4   // iterations that are done together
	leastLoads = 4   // elements of device memory that an iteration reads at least
	mostNodes  = 200 // expressions of an iteration at most
)

// Unroll is p where loops of kernels are unrolled whose iterations mostly wait for memory.
func Unroll(p *Prog) *Prog {
	return mapKernels(p, func(k *Kernel) {
		u := &unroller{kernel: k, own: ownVars(k)}
		if Any(k.Body, u.unrolls) {
			k.Body = u.stms(k.Body)
		}
	})
}

// unroller works on one kernel, whose variables it copies before it adds any.
type unroller struct {
	kernel *Kernel
	copied bool
	own    *uniformity // what differs between threads
}

func (u *unroller) fresh(name string, t Type) Var {
	if !u.copied {
		u.kernel.Vars = append([]VarDecl(nil), u.kernel.Vars...)
		u.copied = true
	}
	return u.kernel.Fresh(name, t)
}

func (u *unroller) stms(body []Stm) []Stm {
	out, inside := make([]Stm, 0, len(body)), u.stms
	for _, s := range body {
		if f, ok := s.(*For); ok && u.waits(f) {
			out = append(out, u.loop(f)...)
			continue
		}
		out = append(out, mapBodies(s, inside))
	}
	return out
}

// unrolls reports whether a statement is a loop that is to be unrolled.
func (u *unroller) unrolls(s Stm) bool {
	f, ok := s.(*For)
	return ok && u.waits(f)
}

// waits reports whether a loop is to be unrolled.
func (u *unroller) waits(f *For) bool {
	if n, ok := f.Bound.(*Const); ok && n.Value.Int() < 2*unrolled {
		return false
	}
	loads, nodes, calls := 0, 0, 0
	for _, s := range f.Body {
		switch MatchStm(s).(type) {
		case *Let, *Set:
		default:
			return false
		}
		WalkExps(s, func(e Exp) {
			nodes++
			if u.isLoad(e) {
				loads++
			}
			if c, ok := e.(*CallFunc); ok && c.Func.IsElementary() {
				calls++
			}
		})
	}
	return nodes <= mostNodes && (loads >= leastLoads || loads > 0 && calls > 0 && u.readsOwn(f))
}

// readsOwn reports whether an iteration reads an element of the thread's own that no iteration before decides.
func (u *unroller) readsOwn(f *For) (found bool) {
	for j, early := range u.early(f) {
		WalkExps(f.Body[j], func(e Exp) {
			found = found || early && u.isLoad(e) && u.own.exp(e.(*Load).Index)
		})
	}
	return found
}

// ownVars finds the variables of a kernel that follow from the number of a thread, or from what is loaded, where all threads get to.
func ownVars(k *Kernel) *uniformity {
	own := &uniformity{varying: make([]bool, len(k.Vars))}
	Walk(k.Body, func(s Stm) bool {
		switch e := MatchStm(s).(type) {
		case *For: // counts alike in all threads
		case *Let:
			own.set(e.Var, own.exp(e.Exp))
		case *Set:
			own.set(e.Var, own.exp(e.Exp))
		default:
			for _, v := range Binds(s) {
				own.set(v, varies)
			}
		}
		return true
	})
	return own
}

// isLoad reports whether an expression loads from device memory.
func (u *unroller) isLoad(e Exp) bool {
	l, ok := e.(*Load)
	return ok && u.kernel.Mems[l.Mem].Space == Global
}

// loop is the loop of unrolled iterations and that of the rest. A bound below zero has neither.
func (u *unroller) loop(f *For) []Stm {
	decl := u.kernel.Vars[f.Var]
	number := func(n int64) Exp {
		if decl.Type == Idx {
			return &Const{Idx, prim.MakeI64(n)}
		}
		return &Const{decl.Type, prim.MakeInt(decl.Type.Prim(), n)}
	}
	bin := func(op prim.BinOp, x, y Exp) Exp { return &Bin{op, decl.Type, x, y} }
	bound, whole := u.fresh("bound", decl.Type), u.fresh("whole", decl.Type)
	i, r := u.fresh(decl.Name, decl.Type), u.fresh(decl.Name, decl.Type)
	var together []Stm
	first := u.fresh(decl.Name, decl.Type)
	together = append(together, &Let{first, bin(prim.Mul, &VarExp{i}, number(unrolled))})
	early := u.early(f)
	var late []Stm
	for n := range int64(unrolled) {
		for j, s := range u.iteration(f, bin(prim.Add, &VarExp{first}, number(n))) {
			if j == 0 || early[j-1] {
				together = append(together, s)
			} else {
				late = append(late, s)
			}
		}
	}
	together = append(together, late...)
	done := bin(prim.Mul, &VarExp{whole}, number(unrolled))
	return []Stm{
		&Let{bound, f.Bound},
		&Let{whole, bin(prim.Quot, &VarExp{bound}, number(unrolled))},
		&For{i, &VarExp{whole}, together, f.Parallel},
		&For{r, bin(prim.Sub, &VarExp{bound}, done), u.iteration(f, bin(prim.Add, done, &VarExp{r})), f.Parallel},
	}
}

// early says of each statement of the loop's body whether it loads from device memory, or is needed for that, and does not need what the
// loop carries.
func (u *unroller) early(f *For) []bool {
	carried := setIn(f.Body)
	loads := func(e Exp) (found bool) {
		WalkExp(e, func(e Exp) { found = found || u.isLoad(e) })
		return found
	}
	early := make([]bool, len(f.Body))
	for j, s := range f.Body { // carried grows by what is computed from it
		let, ok := s.(*Let)
		if early[j] = ok && !mentions(let.Exp, carried); ok && !early[j] {
			carried[let.Var] = true
		}
	}
	var by []Exp
	for j, s := range f.Body {
		if early[j] && loads(s.exps()[0]) {
			by = append(by, s.exps()[0])
		}
	}
	needed := Needed(f.Body, by)
	for j, s := range f.Body {
		early[j] = early[j] && (loads(s.exps()[0]) || slices.Contains(needed, s))
	}
	return early
}

// iteration is a copy of the loop's body in which the counter is at.
func (u *unroller) iteration(f *For, at Exp) []Stm {
	i := u.fresh(u.kernel.Vars[f.Var].Name, u.kernel.Vars[f.Var].Type)
	return append([]Stm{&Let{i, at}}, u.copyOf(f.Body, map[Var]Var{f.Var: i})...)
}

// copyOf is a copy of statements with other names for what they bind, and those that names has.
func (u *unroller) copyOf(body []Stm, names map[Var]Var) []Stm {
	Walk(body, func(s Stm) bool {
		for _, v := range s.binds() {
			if v != 0 {
				names[v] = u.fresh(u.kernel.Vars[v].Name, u.kernel.Vars[v].Type)
			}
		}
		return true
	})
	return renaming(names).Body(body)
}
