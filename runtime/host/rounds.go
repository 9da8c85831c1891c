package host

import (
	"slices"

	"skald/middle/imp"
)

// rounds are the rounds of the functions of a program that have been called, or that those call, by function and by launch.
type rounds struct {
	order    []*imp.Fun // in the order in which they were found
	repeated map[string]bool
	funs     map[string]*round
	launches map[*imp.Launch]*round
	// changes has the launches in loops that change the sizes of their arrays: see Note [Forms of rooms].
	changes map[*imp.Launch]bool
}

// variables is a set of them.
type variables map[imp.Var]bool

func newRounds() rounds {
	return rounds{repeated: map[string]bool{}, funs: map[string]*round{}, launches: map[*imp.Launch]*round{}, changes: map[*imp.Launch]bool{}}
}

// add finds the rounds of a function and of all that it calls, unless they are known. A function that turns out to be called in a loop, by
// one that is new, has its rounds found again: what is made of them is not made twice (Program.compiled).
func (rs *rounds) add(fun string, parts Parts) error {
	if rs.funs[fun] != nil {
		return nil
	}
	known := len(rs.order)
	if err := rs.reach(fun, parts); err != nil {
		return err
	}
	before := rs.repeated
	rs.repeated = calledInLoops(&imp.Prog{Funs: rs.order})
	for i, f := range rs.order {
		if i < known && before[f.Name] == rs.repeated[f.Name] {
			continue
		}
		var varies variables
		if rs.repeated[f.Name] {
			varies = variables{}
			for _, v := range f.Params {
				varies[v] = true
			}
		}
		rs.funs[f.Name] = &round{}
		rs.body(f.Body, rs.funs[f.Name], varies)
	}
	return nil
}

// reach adds a function and all that it calls to the order.
func (rs *rounds) reach(fun string, parts Parts) error {
	if rs.funs[fun] != nil {
		return nil
	}
	f, err := parts.Function(fun)
	if err != nil {
		return err
	}
	rs.funs[fun] = &round{}
	rs.order = append(rs.order, f)
	imp.Walk(f.Body, func(s imp.Stm) bool {
		if c, ok := s.(*imp.Call); ok && err == nil {
			err = rs.reach(c.Fun, parts)
		}
		return true
	})
	return err
}

// inLoop says that what calledInLoops visits is run by a loop.
const inLoop = true

// calledInLoops are the functions that loops call, directly or by others.
func calledInLoops(p *imp.Prog) map[string]bool {
	found := map[string]bool{}
	var visit func(body []imp.Stm, loop bool)
	visit = func(body []imp.Stm, loop bool) {
		imp.Walk(body, func(s imp.Stm) bool {
			switch c := imp.MatchStm(s).(type) {
			case *imp.For, *imp.While:
				if !loop {
					visit([]imp.Stm{s}, inLoop)
					return false
				}
			case *imp.Call:
				if f := p.Fun(c.Fun); loop && f != nil && !found[c.Fun] {
					found[c.Fun] = true
					visit(f.Body, inLoop)
				}
			default:
			}
			return true
		})
	}
	for _, f := range p.Funs {
		visit(f.Body, !inLoop)
	}
	return found
}

// body adds what body launches to r, and to rounds of their own what its branches launch. varies are the variables whose values differ
// from one round of the loops around to the next; nil outside of loops.
func (rs rounds) body(body []imp.Stm, r *round, varies variables) {
	for _, stm := range body {
		switch s := imp.MatchStm(stm).(type) {
		case *imp.Launch:
			rs.launches[s] = r
			rs.changes[s] = slices.ContainsFunc(s.Room, varies.in)
			if !slices.Contains(r.kernels, s.Kernel) {
				r.kernels = append(r.kernels, s.Kernel)
			}
		case *imp.Call:
			r.calls = append(r.calls, s.Fun)
			varies.bind(stm)
		case *imp.If:
			rs.body(s.Then, &round{}, varies)
			rs.body(s.Else, &round{}, varies)
		case *imp.For:
			inside := varies.enter(s.Body)
			inside[s.Var] = true
			rs.body(s.Body, r, inside)
		case *imp.While:
			rs.body(s.Body, r, varies.enter(s.Body))
		case *imp.Let:
			if varies.in(s.Exp) {
				varies.bind(stm)
			}
		default:
			varies.bind(stm)
		}
	}
}

// enter adds what a loop sets.
func (vs variables) enter(body []imp.Stm) variables {
	if vs == nil {
		vs = variables{}
	}
	imp.Walk(body, func(s imp.Stm) bool {
		if set, ok := s.(*imp.Set); ok {
			vs[set.Var] = true
		}
		return true
	})
	return vs
}

// bind adds what a statement in a loop binds.
func (vs variables) bind(s imp.Stm) {
	if vs == nil {
		return
	}
	for _, v := range imp.Binds(s) {
		vs[v] = true
	}
}

// in reports whether an expression mentions one of them.
func (vs variables) in(e imp.Exp) bool {
	found := false
	if len(vs) > 0 {
		imp.WalkExp(e, func(e imp.Exp) {
			if v, ok := e.(*imp.VarExp); ok {
				found = found || vs[v.Var]
			}
		})
	}
	return found
}
