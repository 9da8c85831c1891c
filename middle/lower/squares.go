package lower

import (
	"slices"

	"skald/middle/core"
	"skald/middle/imp"
)

// Note [Squares]
//
// Where the order of an operator matters the lanes of a task each have a run of neighbouring elements, so that a vector of lanes finds its
// elements far apart in memory. A lane takes some elements of its run at a time, the form's square, so that accumulators are read and
// written once for all of them, and places next to each other have one address. What loads the last element comes first, so that no other
// one is checked by wazero; the others are loaded where they are used, so that they are in registers for a short time.
//
//	parallel for l < 16 { x7 = xs[from + run*l + 8*k + 7]; acc = lanes[l]; x0 = …; acc = acc ⊕ x0; …; acc = acc ⊕ x7; lanes[l] = acc }
//
// Compilers of C would load that element by element. For them (the form's Copied) squares are copied to a private array first and read
// there at a distance that is constant, from which they make moves of a few elements and permutations of vectors.
//
//	for l < 16 { parallel for q < 4 { tile[4*l + q] = xs[from + run*l + 4*k + q] } }
//	parallel for l < 16 { acc = lanes[l]; acc = acc ⊕ tile[4*l]; …; acc = acc ⊕ tile[4*l + 3]; lanes[l] = acc }
//
// What is loaded first, or copied, is what an element's code loads at a place that the element's number says, plus something that is the
// same for all; the rest of the code runs where the lanes combine.

// squares are what lanes read of their runs at a time.
type squares struct {
	c       *kernelBuilder
	side    int
	element func(j imp.Exp) []imp.Exp
	tiles   []imp.Mem // one for each load of an element's code, in their order; none if squares are not copied
}

// elementCode is an element's code: what loads ahead, and what is computed from that.
type elementCode struct {
	loads        []*imp.Let
	before, rest []imp.Stm
	values       []imp.Exp
}

// squares prepares for the squares of a form, and declares tiles if they are copied.
func (c *kernelBuilder) squares(form core.Form, element func(j imp.Exp) []imp.Exp) *squares {
	sq := &squares{c: c, side: max(form.Square, 1), element: element}
	if !form.Copied {
		return sq
	}
	for _, l := range sq.code(c.fresh("j", imp.Idx)).loads {
		elem := c.k.Mems[l.Exp.(*imp.Load).Mem].Elem
		sq.tiles = append(sq.tiles, c.private("tile", elem, form.Lanes*sq.side))
	}
	return sq
}

// code is the code of element number j.
func (sq *squares) code(j imp.Var) (e elementCode) {
	stms := sq.c.within(func() { e.values = sq.element(use(j)) })
	strides := imp.StridesOf(sq.c.k, &imp.For{Var: j, Body: stms})
	var loaded []imp.Exp
	for _, s := range stms {
		let, ok := s.(*imp.Let)
		if !ok {
			return elementCode{rest: stms, values: e.values}
		}
		strides.Defs[let.Var] = let.Exp
		if load, ok := let.Exp.(*imp.Load); ok {
			if n, ok := strides.Of(load.Index); ok && n == 1 {
				e.loads, loaded = append(e.loads, let), append(loaded, use(let.Var))
			}
		}
	}
	e.before = imp.Needed(stms, loaded)
	for _, s := range stms {
		if !slices.Contains(e.before, s) {
			e.rest = append(e.rest, s)
		}
	}
	return e
}

// copy copies the squares that begin at the lanes' places.
func (sq *squares) copy(place func(l imp.Exp) imp.Exp) {
	if len(sq.tiles) == 0 {
		return
	}
	c, side := sq.c, idx(int64(sq.side))
	c.forLoop("l", idx(int64(c.k.Mems[sq.tiles[0]].Count/sq.side)), func(l imp.Exp) {
		first := c.let("first", imp.Idx, place(l))
		to := c.let("to", imp.Idx, mul(imp.Idx, l, side))
		for i, tile := range sq.tiles {
			c.parallelLoop("q", side, func(q imp.Exp) {
				j := c.letVar("j", imp.Idx, add(imp.Idx, first, q))
				e := sq.code(j)
				load := []imp.Exp{use(e.loads[i].Var)}
				*c.out = append(*c.out, imp.Needed(e.before, load)...)
				c.stores([]imp.Mem{tile}, add(imp.Idx, to, q), load)
			})
		}
	})
}

// read loads the elements of a lane's square, which begins at a place, and returns what computes the rest of each.
func (sq *squares) read(place, l imp.Exp) []func() []imp.Exp {
	c, out := sq.c, make([]func() []imp.Exp, sq.side)
	first := c.let("first", imp.Idx, place)
	for q := sq.side - 1; q >= 0; q-- { // the last first: then wazero checks no other address
		j := c.fresh("j", imp.Idx)
		at := &imp.Let{Var: j, Exp: add(imp.Idx, first, idx(int64(q)))}
		e := sq.code(j)
		stms := append([]imp.Stm{at}, append(slices.Clone(e.before), e.rest...)...)
		if len(sq.tiles) > 0 {
			stms = append([]imp.Stm{at}, append(sq.tiled(e, add(imp.Idx, mul(imp.Idx, l, idx(int64(sq.side))), idx(int64(q)))), e.rest...)...)
			stms = imp.Needed(stms, e.values)
		} else if q == sq.side-1 {
			*c.out = append(append(*c.out, at), e.before...)
			stms = e.rest
		}
		out[q] = func() []imp.Exp {
			*c.out = append(*c.out, stms...)
			return e.values
		}
	}
	return out
}

// tiled is what an element's code does before the rest, where what it loads is at one place of the tiles.
func (sq *squares) tiled(e elementCode, at imp.Exp) []imp.Stm {
	out := slices.Clone(e.before)
	for i, s := range out {
		if k := slices.Index(e.loads, s.(*imp.Let)); k >= 0 {
			out[i] = &imp.Let{Var: e.loads[k].Var, Exp: &imp.Load{Mem: sq.tiles[k], Index: at}}
		}
	}
	return out
}
