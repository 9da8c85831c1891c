package eval

import (
	"fmt"

	"skald/middle/imp"
)

// gstm runs a statement for all threads of a workgroup and reports whether
// the workgroup goes on.
type gstm func(g *group) bool

func collective(s imp.Stm) bool { return imp.Any([]imp.Stm{s}, imp.Collective) }

// groupSeq compiles statements that all threads reach together: runs of
// statements without barriers become one loop over the threads each.
func (c *compiler) groupSeq(body []imp.Stm) gstm {
	var code []gstm
	for i := 0; i < len(body); {
		j := i
		for j < len(body) && !collective(body[j]) {
			j++
		}
		if j > i {
			code = append(code, eachThread(c.seq(body[i:j])))
			i = j
			continue
		}
		code = append(code, c.groupStm(body[i]))
		i++
	}
	return func(g *group) bool {
		for _, f := range code {
			if !f(g) {
				return false
			}
		}
		return true
	}
}

// eachThread runs s for every thread. A thread whose assertion fails misses
// the rest; the workgroup then leaves, which is the next barrier's doing.
func eachThread(s stm) gstm {
	return func(g *group) bool {
		alive := true
		for i := range g.threads {
			if !s(&g.threads[i]) {
				alive = false
			}
		}
		return alive
	}
}

func (c *compiler) groupStm(s imp.Stm) gstm {
	switch s := s.(type) {
	case *imp.Barrier:
		return func(*group) bool { return true }
	case *imp.Subgroup:
		return c.subgroup(s)
	case *imp.If:
		cond, then, other := c.exp(s.Cond), c.groupSeq(s.Then), c.groupSeq(s.Else)
		return func(g *group) bool {
			if g.uniform(cond, c.name) != 0 {
				return then(g)
			}
			return other(g)
		}
	case *imp.For:
		bound, body := c.exp(s.Bound), c.groupSeq(s.Body)
		return func(g *group) bool {
			n := int64(g.uniform(bound, c.name))
			for i := int64(0); i < n; i++ {
				for j := range g.threads {
					g.threads[j].regs[s.Var] = uint64(i)
				}
				if !body(g) {
					return false
				}
			}
			return true
		}
	case *imp.While:
		cond, body := c.exp(s.Cond), c.groupSeq(s.Body)
		return func(g *group) bool {
			for g.uniform(cond, c.name) != 0 {
				if !body(g) {
					return false
				}
			}
			return true
		}
	default:
	}
	panic(fmt.Sprintf("eval: %T holds a barrier", s))
}

// uniform evaluates e for all threads, which must agree.
func (g *group) uniform(e exp, kernel string) uint64 {
	v := e(&g.threads[0])
	for i := 1; i < len(g.threads); i++ {
		if e(&g.threads[i]) != v {
			faultf("kernel %s reaches a barrier in divergent control flow", kernel)
		}
	}
	return v
}

func (c *compiler) subgroup(s *imp.Subgroup) gstm {
	x := c.exp(s.X)
	var lane exp
	if s.Lane != nil {
		lane = c.exp(s.Lane)
	}
	combine := c.subgroupOp(s)
	return func(g *group) bool {
		vals := make([]uint64, len(g.threads))
		for i := range g.threads {
			vals[i] = x(&g.threads[i])
		}
		for lo := 0; lo < len(vals); lo += int(g.subgroup) {
			sub := vals[lo:min(lo+int(g.subgroup), len(vals))]
			if lane == nil {
				combine(g, lo, sub, s.Dst)
				continue
			}
			for i := range sub {
				from := shuffleFrom(s.Op, i, int(int64(lane(&g.threads[lo+i]))))
				v := sub[i]
				if from >= 0 && from < len(sub) {
					v = sub[from]
				}
				g.threads[lo+i].regs[s.Dst] = v
			}
		}
		return true
	}
}

func shuffleFrom(op imp.SubgroupOp, lane, by int) int {
	switch op {
	case imp.ShuffleUp:
		return lane - by
	case imp.ShuffleDown:
		return lane + by
	case imp.ShuffleXor:
		return lane ^ by
	default:
	}
	return by
}

// subgroupOp combines the values of one subgroup, whose first thread is lo.
func (c *compiler) subgroupOp(s *imp.Subgroup) func(g *group, lo int, vals []uint64, dst imp.Var) {
	if s.Op.HasLane() {
		return nil
	}
	t := c.scope.TypeOf(s.X)
	op := subgroupCombine(s.Op, t)
	return func(g *group, lo int, vals []uint64, dst imp.Var) {
		acc := vals[0]
		if s.Op == imp.SubgroupScanAdd {
			g.threads[lo].regs[dst] = acc
			for i := 1; i < len(vals); i++ {
				acc = op(acc, vals[i])
				g.threads[lo+i].regs[dst] = acc
			}
			return
		}
		for _, v := range vals[1:] {
			acc = op(acc, v)
		}
		for i := range vals {
			g.threads[lo+i].regs[dst] = acc
		}
	}
}
