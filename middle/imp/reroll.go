package imp

import (
	"skald/runtime/prim"
)

// Note [Calls in loops]
//
// Drivers of GPUs put a function in the place of each call, and take time that grows faster than the code. So calls of one large device
// function that follow each other, where each needs nothing of those before but what the last has computed, become a loop with one call:
//
//	invoke a_1 = mul(x, x)            let r = 0
//	invoke b_2 = mul(a_1, a_1)   ->   for i < 3 { invoke t = mul(i == 0 ? x : r, i == 1 ? r : x); r = t }
//	invoke c_3 = mul(b_2, x)          let c_3 = r
//
// Four such loops in poseidon's hashes take a driver 1.5 s instead of 2.2 to compile, and the
// kernel 122 ms instead of 140 (H200, WebGPU, 2026-11-26). Compilers that leave functions alone, as CUDA's is told to, gain nothing.

// Reroll is p where calls of one device function in a row are loops: see Note [Calls in loops].
func Reroll(p *Prog) *Prog {
	return mapKernels(p, func(k *Kernel) {
		if !Any(k.Body, calls) {
			return
		}
		r := &reroller{kernel: k, mentions: map[Var]int{}}
		Walk(k.Body, func(s Stm) bool {
			for _, e := range Exps(s) {
				r.count(e)
			}
			if set, ok := s.(*Set); ok {
				r.mentions[set.Var]++
			}
			return true
		})
		k.Vars = append([]VarDecl(nil), k.Vars...)
		k.Body = r.stms(k.Body)
	})
}

// reroller works on one kernel.
type reroller struct {
	kernel   *Kernel
	mentions map[Var]int // how often the kernel reads or sets variables
}

func (r *reroller) count(e Exp) {
	WalkExp(e, func(e Exp) {
		if v, ok := e.(*VarExp); ok {
			r.mentions[v.Var]++
		}
	})
}

func (r *reroller) stms(body []Stm) []Stm {
	out, inside := make([]Stm, 0, len(body)), r.stms
	for len(body) > 0 {
		if calls := r.row(body); len(calls) > 1 {
			out, body = append(out, r.loop(calls)...), body[len(calls):]
			continue
		}
		out, body = append(out, mapBodies(body[0], inside)), body[1:]
	}
	return out
}

// row lists the calls that a body begins with and that a loop can do.
func (r *reroller) row(body []Stm) (calls []*Invoke) {
	for _, s := range body {
		call, ok := s.(*Invoke)
		if !ok || !atoms(call.Args) {
			break
		}
		if n := len(calls); n == 0 && !large(call.DeviceFunction) || n > 0 && !r.follows(calls[n-1], call) {
			break
		}
		calls = append(calls, call)
	}
	return calls
}

// follows reports whether a call is of the same function as the one before, whose results nothing else needs.
func (r *reroller) follows(before, call *Invoke) bool {
	if call.DeviceFunction != before.DeviceFunction {
		return false
	}
	uses := map[Var]int{}
	for _, e := range call.Args {
		if v, ok := e.(*VarExp); ok {
			uses[v.Var]++
		}
	}
	for _, v := range before.Dst {
		if v != 0 && uses[v] != r.mentions[v] {
			return false
		}
	}
	return true
}

// atoms reports whether expressions are variables and constants.
func atoms(es []Exp) bool {
	for _, e := range es {
		switch Match(e).(type) {
		case *VarExp, *Const:
		default:
			return false
		}
	}
	return true
}

// large reports whether a device function has many statements.
func large(f *DeviceFunction) bool {
	n := 0
	Walk(f.Body, func(Stm) bool {
		n++
		return true
	})
	return n > mostCalled
}

// loop is a loop that does calls.
func (r *reroller) loop(calls []*Invoke) []Stm {
	last := calls[len(calls)-1]
	f := last.DeviceFunction
	i := r.kernel.Fresh("i", Idx)
	var before, after, sets []Stm
	results := map[Var]Exp{} // what holds the results of the calls but the last
	call := &Invoke{DeviceFunction: f}
	for j, v := range last.Dst {
		t := typeOfResult(f, j)
		kept, next := r.kernel.Fresh("r", t), r.kernel.Fresh("next", t)
		call.Dst = append(call.Dst, next)
		before = append(before, &Let{kept, &Const{t, prim.Zero(t.Prim())}})
		sets = append(sets, &Set{kept, &VarExp{next}})
		if v != 0 {
			after = append(after, &Let{v, &VarExp{kept}})
		}
		for _, c := range calls[:len(calls)-1] {
			results[c.Dst[j]] = &VarExp{kept}
		}
	}
	delete(results, 0)
	for j, p := range f.Params {
		values := make([]Exp, len(calls))
		for n, c := range calls {
			values[n] = c.Args[j]
			if v, ok := values[n].(*VarExp); ok && results[v.Var] != nil {
				values[n] = results[v.Var]
			}
		}
		call.Args = append(call.Args, choice(i, values, f.Vars[p].Type))
	}
	count := &Const{Idx, prim.MakeI64(int64(len(calls)))}
	return append(append(before, &For{i, count, append([]Stm{call}, sets...), false}), after...)
}

// typeOfResult is the type of a function's j-th result.
func typeOfResult(f *DeviceFunction, j int) Type { return f.Scope().TypeOf(f.Results[j]) }

// choice is the value of the iteration that a counter is at. The most frequent needs no comparison.
func choice(i Var, values []Exp, t Type) Exp {
	same := func(x, y Exp) bool {
		v, ok := x.(*VarExp)
		w, too := y.(*VarExp)
		if ok || too {
			return ok && too && v.Var == w.Var
		}
		return x.(*Const).Value == y.(*Const).Value
	}
	usual, most := values[0], 0
	for _, x := range values {
		n := 0
		for _, y := range values {
			if same(x, y) {
				n++
			}
		}
		if n > most {
			usual, most = x, n
		}
	}
	out := usual
	for n, x := range values {
		if !same(x, usual) {
			at := &Cmp{prim.Eq, Idx, &VarExp{i}, &Const{Idx, prim.MakeI64(int64(n))}}
			out = &Select{t, at, x, out}
		}
	}
	return out
}
