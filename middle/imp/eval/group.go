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
// statements without barriers become one loop over the threads each. See Note [Threads of a workgroup].
func (c *compiler) groupSeq(body []imp.Stm) gstm {
	var gcode []gstm
	for i := 0; i < len(body); {
		j := i
		for j < len(body) && !collective(body[j]) {
			j++
		}
		if j > i {
			gcode = append(gcode, eachBlock(c.seq(body[i:j])))
			i = j
			continue
		}
		gcode = append(gcode, c.groupStm(body[i]))
		i++
	}
	return func(g *group) bool {
		for _, f := range gcode {
			if !f(g) {
				return false
			}
		}
		return true
	}
}

// eachBlock runs code for all threads of a workgroup. A thread whose assertion fails misses
// the rest; the workgroup then leaves, which is the next barrier's doing.
func eachBlock(c code) gstm {
	return func(g *group) bool {
		alive := true
		for _, b := range g.blocks {
			b.runAll(c)
			alive = alive && b.fails == 0
		}
		return alive
	}
}

func (c *compiler) groupStm(s imp.Stm) gstm {
	switch s := s.(type) {
	case *imp.Barrier:
		return func(g *group) bool {
			g.barrier(s.Global)
			return true
		}
	case *imp.Subgroup:
		return c.subgroup(s)
	case *imp.SubgroupUpdate:
		return c.subgroupUpdate(s)
	case *imp.UniformLoad:
		return c.uniformLoad(s)
	case *imp.If:
		cond, then, other := c.uniform(s.Cond), c.groupSeq(s.Then), c.groupSeq(s.Else)
		return func(g *group) bool {
			if cond(g) != 0 {
				return then(g)
			}
			return other(g)
		}
	case *imp.For:
		bound, set, body := c.uniform(s.Bound), c.counter(s.Var), c.groupSeq(s.Body)
		return func(g *group) bool {
			n := int64(bound(g))
			for i := int64(0); i < n; i++ {
				for _, b := range g.blocks {
					set(b, uint64(i))
				}
				if !body(g) || g.stop.Load() {
					return false
				}
			}
			return true
		}
	case *imp.While:
		cond, body := c.uniform(s.Cond), c.groupSeq(s.Body)
		return func(g *group) bool {
			for cond(g) != 0 {
				if !body(g) || g.stop.Load() {
					return false
				}
			}
			return true
		}
	case *imp.Let, *imp.Set, *imp.Assert, *imp.Comment, *imp.Store, *imp.LoadVec, *imp.StoreVec, *imp.Atomic, *imp.AtomicUpdate,
		*imp.Invoke, imp.HostStm:
	}
	panic(fmt.Sprintf("eval: %T holds a barrier", s))
}

// uniformLoad sets the result in all threads to what the first one reads.
func (c *compiler) uniformLoad(s *imp.UniformLoad) gstm {
	index := c.uniform(s.Index)
	x := c.exp(&imp.Load{Mem: s.Mem, Index: s.Index})
	set := c.counter(s.Var)
	return func(g *group) bool {
		index(g)
		g.barrier(false)
		v := x(g.thread(0))
		g.barrier(false)
		for _, b := range g.blocks {
			set(b, v)
		}
		return true
	}
}

// uniform evaluates e for all threads, which must agree: see Note [Threads of a workgroup].
func (c *compiler) uniform(e imp.Exp) func(g *group) uint64 {
	f, agreed := c.exp(e), c.lockstep() && c.classes.uniform(e)
	return func(g *group) uint64 {
		v := f(&g.blocks[0].thread)
		same := true
		for _, b := range g.blocks {
			if agreed {
				same = same && f(&b.thread) == v
				continue
			}
			b.activate()
			b.each(func(l int) {
				b.pick(l)
				same = same && f(&b.thread) == v
			})
		}
		if !same {
			faultf("kernel %s reaches a barrier in divergent control flow", c.name)
		}
		return v
	}
}

func (c *compiler) subgroup(s *imp.Subgroup) gstm {
	x := c.exp(s.X)
	var lane exp
	if s.Lane != nil {
		lane = c.exp(s.Lane)
	}
	combine, dst := c.subgroupOp(s), c.reg(s.Dst)
	return func(g *group) bool {
		vals := make([]uint64, c.groupSize)
		for i := range vals {
			vals[i] = x(g.thread(i))
		}
		for lo := 0; lo < len(vals); lo += int(g.subgroup) {
			sub := vals[lo:min(lo+int(g.subgroup), len(vals))]
			if lane == nil {
				combine(g, lo, sub, dst)
				continue
			}
			for i := range sub {
				from := shuffleFrom(s.Op, i, int(int64(lane(g.thread(lo+i)))))
				v := sub[i]
				if from >= 0 && from < len(sub) {
					v = sub[from]
				}
				g.thread(lo + i).regs[dst] = v
			}
		}
		return true
	}
}

// thread is thread number i of a workgroup.
func (g *group) thread(i int) *thread {
	b := g.blocks[i/g.blocks[0].width]
	b.pick(i % b.width)
	return &b.thread
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
func (c *compiler) subgroupOp(s *imp.Subgroup) func(g *group, lo int, vals []uint64, dst int) {
	if s.Op.HasLane() {
		return nil
	}
	t := c.scope.TypeOf(s.X)
	op := subgroupCombine(s.Op, t)
	return func(g *group, lo int, vals []uint64, dst int) {
		acc := vals[0]
		if s.Op == imp.SubgroupScanAdd {
			g.thread(lo).regs[dst] = acc
			for i := 1; i < len(vals); i++ {
				acc = op(acc, vals[i])
				g.thread(lo + i).regs[dst] = acc
			}
			return
		}
		for _, v := range vals[1:] {
			acc = op(acc, v)
		}
		for i := range vals {
			g.thread(lo + i).regs[dst] = acc
		}
	}
}
