package core

import (
	"regexp"
	"slices"
	"testing"

	"skald/runtime/prim"
)

// Traversals share the scalar expressions that they leave as they are, and make new ones where an operand changes.
func TestTraversalsShareScalarExpressionsThatStay(t *testing.T) {
	x, y, z := V(1), V(2), V(3)
	for _, e := range []Exp{
		&Un{Op: prim.Neg, Type: prim.I32, X: x},
		&Bin{Op: prim.Add, Type: prim.I32, X: y, Y: x},
		&Cmp{Op: prim.Lt, Type: prim.I32, X: x, Y: y},
		&Conv{From: prim.I32, To: prim.I64, X: x},
	} {
		if MapExp(e, Mapper{}) != e || MapExp(e, Mapper{Operand: Subst{3: z}.Operand}) != e {
			t.Errorf("%T is made again though nothing changes", e)
		}
		changed := MapExp(e, Mapper{Operand: Subst{1: z}.Operand})
		if free := FreeInExp(changed); changed == e || !free.Has(3) || free.Has(1) {
			t.Errorf("%T: variable 1 is not replaced: %v", e, free.List())
		}
		if free := FreeInExp(e); !free.Has(1) || free.Has(3) {
			t.Errorf("%T itself is changed: %v", e, free.List())
		}
	}
}

// Traversals that change variables change no program but the one that they make; those that change none make no list again.
func TestTraversalsChangeOnlyWhatTheyMake(t *testing.T) {
	for name, p := range samplePrograms(t) {
		before := Print(p)
		for _, f := range p.Funs {
			spread(f, 3)
			same := Mapper{Operand: func(o Operand) Operand { return o }, Bind: func(v Var) Var { return v }}
			Walk(f.Body, func(s *Stm) bool {
				n := same.MapStm(s)
				switch Match(s.Exp).(type) {
				case *Derivative, *FlatMap, *WithVjp, *Trace: // they are few
				default:
					if n.Exp != s.Exp {
						t.Errorf("%s: %T is made again though nothing changes", name, s.Exp)
					}
				}
				if !sameSlice(n.Dst, s.Dst) || !sameSlice(n.Aux.Certs, s.Aux.Certs) {
					t.Errorf("%s: %T: lists are made again though nothing changes", name, s.Exp)
				}
				return true
			})
		}
		if after := Print(p); after != before {
			t.Errorf("%s: the program itself is changed:\n%s\nIt was\n%s", name, after, before)
		}
	}
}

// Functions with many numbers that no variable has get others, and stay what they are.
func TestVariablesAreNumberedAgain(t *testing.T) {
	numbers := regexp.MustCompile(`_[0-9]+\b`)
	for name, p := range samplePrograms(t) {
		before := Print(p)
		for i, f := range p.Funs {
			if Renumbered(f) != f {
				t.Errorf("%s: %s, which has few numbers, is not the same", name, f.Name)
			}
			p.Funs[i] = Renumbered(spread(f, 500))
			if len(p.Funs[i].Names) > len(f.Names) {
				t.Errorf("%s: %s has %d numbers, before %d", name, f.Name, len(p.Funs[i].Names), len(f.Names))
			}
		}
		if err := Verify(p); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if after := Print(p); numbers.ReplaceAllString(after, "") != numbers.ReplaceAllString(before, "") {
			t.Errorf("%s: another program:\n%s\nIt was\n%s", name, after, before)
		}
	}
}

// samplePrograms are the samples, parsed.
func samplePrograms(t *testing.T) map[string]*Prog {
	t.Helper()
	progs := map[string]*Prog{}
	for name, src := range samples(t) {
		p, err := Parse(src)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		progs[name] = p
	}
	return progs
}

// spread is a function with its variables numbered a number of times as high.
func spread(f *Fun, by Var) *Fun {
	m := Mapper{
		Operand: func(o Operand) Operand { o.Var *= by; return o },
		Bind:    func(v Var) Var { return v * by },
	}
	m.Body = func(b *Body) *Body { return m.MapBody(b) }
	g := *f
	g.Names = make([]string, len(f.Names)*int(by))
	for v, base := range f.Names {
		g.Names[v*int(by)] = base
	}
	g.Params, g.Ret, g.Body = m.Params(f.Params), m.Params(f.Ret), m.MapBody(f.Body)
	g.Globals = slices.Clone(f.Globals)
	for i, r := range f.Globals {
		g.Globals[i].Param = m.Params([]Param{r.Param})[0]
	}
	return &g
}

// The answers to two questions for free variables are sets of their own, also where one is asked while the other is looked at.
func TestFreeVariablesAreSetsOfTheirOwn(t *testing.T) {
	first := FreeInExp(&Bin{Op: prim.Add, Type: prim.I32, X: V(1), Y: V(2)})
	second := FreeInBody(&Body{
		Stms: []*Stm{{Dst: []Param{{Var: 1, Type: ScalarType(prim.I32)}}, Exp: &Un{Op: prim.Neg, Type: prim.I32, X: V(3)}}},
		Res:  []Operand{V(1), V(2)},
	})
	third := FreeInExp(&Un{Op: prim.Neg, Type: prim.I32, X: V(1)}) // The body bound it, and this asks again.
	if !first.Has(1) || !first.Has(2) || len(first.List()) != 2 {
		t.Errorf("free in the sum: %v", first.List())
	}
	if second.Has(1) || !second.Has(2) || !second.Has(3) {
		t.Errorf("free in the body: %v", second.List())
	}
	if !third.Has(1) {
		t.Errorf("free in the negation: %v", third.List())
	}
}
