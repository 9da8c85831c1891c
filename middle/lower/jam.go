package lower

import (
	"reflect"
	"slices"

	"skald/middle/core"
	"skald/middle/imp"
)

// Note [Jammed rows]
//
// Where each point of a row has a loop of its own, such as the sum of a matrix product, that loop reads again for each row what the points
// of the row above have read. So a task does some whole rows together: the code of a point is generated for a point of each of these rows,
// and their loops become one, if their bounds are the same. Points are independent, so the order of what they do does not matter.
//
//	parallel for j < n {                    parallel for j < n {
//	  let acc = 0                             let acc0 = 0; let acc1 = 0
//	  for k < m { acc += a[i, k] * b[k, j] }  for k < m { acc0 += a[i, k] * b[k, j]; acc1 += a[i + 1, k] * b[k, j] }
//	  c[i, j] = acc                           c[i, j] = acc0; c[i + 1, j] = acc1
//	}                                       }

// How many rows there are the choice says. They stay apart where the code of a point turns out to have more than one loop, or much beside
// it.

// jamStms is how many statements a point has at most for that.
const jamStms = 24

// jam generates a parallel loop over the n points of each of some rows from row on, and reports whether it has: whether the code of a point
// is one short loop with what comes before and behind it.
func (c *kernelBuilder) jam(together int, outer []core.Operand, row, n imp.Exp, f func(is []imp.Exp)) bool {
	if c.sequential || together < 2 {
		return false
	}
	j := c.fresh("j", imp.Idx)
	var rows [][]imp.Stm
	for r := range together {
		body := c.within(func() {
			f(append(slices.Clone(c.unflatten(c.let("row", imp.Idx, add(imp.Idx, row, idx(int64(r)))), outer)), use(j)))
		})
		if r == 0 && !jams(body) {
			return false
		}
		rows = append(rows, body)
	}
	var before, inside, behind []imp.Stm
	var loop *imp.For
	for _, body := range rows {
		at := slices.IndexFunc(body, isFor)
		own := body[at].(*imp.For)
		if loop == nil {
			loop = own
		} else if !reflect.DeepEqual(loop.Bound, own.Bound) {
			return false
		} else {
			inside = append(inside, &imp.Let{Var: own.Var, Exp: use(loop.Var)})
		}
		before, inside, behind = append(before, body[:at]...), append(inside, own.Body...), append(behind, body[at+1:]...)
	}
	all := append(append(before, &imp.For{Var: loop.Var, Bound: loop.Bound, Body: inside}), behind...)
	c.emit(&imp.For{Var: j, Bound: n, Body: all, Parallel: true})
	return true
}

func isFor(s imp.Stm) bool {
	_, ok := s.(*imp.For)
	return ok
}

// jams reports whether the code of a point has one loop, without others in it, and is short.
func jams(body []imp.Stm) bool {
	loops, stms, ok := 0, 0, true
	imp.Walk(body, func(s imp.Stm) bool {
		stms++
		switch s := imp.MatchStm(s).(type) {
		case *imp.For:
			loops++
			ok = ok && slices.Contains(body, imp.Stm(s)) && !s.Parallel
		case *imp.Let, *imp.Set, *imp.Store, *imp.Comment:
		default:
			ok = false
		}
		return true
	})
	return ok && loops == 1 && stms <= jamStms
}
