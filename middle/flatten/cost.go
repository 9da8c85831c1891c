package flatten

import (
	"slices"

	"skald/middle/core"
	"skald/runtime/prim"
)

// Note [Costs of versions]
//
// Which version of a map runs is decided by what each would cost, unless somebody has set its threshold. This file and threadcost.go hold
// the whole model: what is counted here, how much it counts in the constants below. A cost is a number that the host computes from sizes
// and facts when it comes to the guard of a version. Its unit is an operation on numbers in each of the threads that the device runs
// side by side (the fact "threads"); nothing is known of time but ratios.
//
// A version is host code with kernels. A kernel costs a launch, and the larger one of two numbers. The first is the steps that one thread
// does after the other, times how often its points saturate the device: once at least, so that few points leave the device empty at the
// same cost. The second is the traffic between the device and its memory, which is less if points are fewer. So the outer version, one
// kernel, is cheap if its points saturate the device, or if its thread does not much more than launches cost; the full version if they do
// not; and both pay for arrays in memory by where their elements lie:
//
//   - far: elements that neighbouring threads have side by side, of arrays between kernels and of large arrays of a thread; and rows that a
//     thread reads from one end to the other, which a cache holds;
//   - gathered: elements where an index says that was read;
//   - apart: elements that neighbouring threads write far from each other, as a thread does for a row of a result. Each is a
//     sector of memory, read and written;
//   - near: elements that all neighbouring threads read, so that one access serves them, and tiles, where the map may run in tiles;
//   - shared: elements in the memory of a workgroup, which the arrays of a version inside a workgroup are. They limit
//     how many workgroups run side by side.
//
// A workgroup goes through its operations one after the other, as many rounds of its threads as they have points, with
// barriers between them. Segmented scans and reductions pay for their barriers and passes by the element.
//
// Branches count half of what their arms do. What is not known before a version runs, the iterations of a while loop say, counts as
// someTrips. Where a version holds guards itself, the cheaper side counts. The constants are fitted to measurements of programs whose
// versions were forced, on one GPU: docs/decisions.md has them, and how far off the model is.
const (
	costFar, costNear, costTile, costShared = 32, 4, 2, 4
	costDivision, costFunction              = 8, 16
	costAtomic, costMeeting                 = 64, 16 // of an update, and for each point that makes it, as they go one after the other
	costLaunch                              = 1000
	costWait                                = 8 // launches
	costBarrier                             = 12
	costFold, costScan                      = 16, 128 // of an element of a segmented reduction or scan, beside what its operator does
	someTrips                               = 16

	// Traffic of an access, where all threads of the device do it.
	trafficFar, trafficGather, trafficApart = 40, 400, 1400
)

// costs computes costs by statements of the host at the place where code is being made.
type costs struct {
	f *flattener
	// inside are the variables that versions bind: guards cannot use them.
	inside *table[bound]
	known  map[core.Var]core.Operand // what has been computed again outside
	made   map[step]core.Operand     // what has been computed
	fill   core.Operand              // f64: the threads that saturate the device
	// unknown is what sizes count as that are not known before: someTrips, or how long rows are.
	unknown core.Operand
	guards  int // those around what is being looked at
}

// bound is what is known of a variable that a version binds.
type bound struct {
	inside bool
	exp    core.Exp      // how it computes a number
	below  *core.Operand // what an index is under
}

// table has values by variable, and is emptied at once: the costs of many versions are asked for, each with variables of its own.
type table[T any] struct {
	entries []entry[T]
	round   uint32
}

type entry[T any] struct {
	round uint32 // of the value, which is none in others
	value T
}

// emptied is the table without its values.
func (t *table[T]) emptied() *table[T] {
	if t.round++; t.round == 0 { // The numbers of rounds begin again.
		clear(t.entries)
		t.round = 1
	}
	return t
}

// get is the value of a variable, zero if it has none.
func (t *table[T]) get(v core.Var) (value T) {
	if int(v) < len(t.entries) && t.entries[v].round == t.round {
		value = t.entries[v].value
	}
	return value
}

func (t *table[T]) set(v core.Var, value T) {
	if n := int(v) + 1 - len(t.entries); n > 0 {
		t.entries = append(t.entries, make([]entry[T], max(n, len(t.entries)))...)
	}
	t.entries[v] = entry[T]{t.round, value}
}

// step is an operator and its operands.
type step struct {
	op   prim.BinOp
	x, y core.Operand
}

// newCosts prepares for versions.
func (f *flattener) newCosts(versions ...*core.Body) *costs {
	c := &costs{
		f: f, inside: f.inVersions.emptied(), known: map[core.Var]core.Operand{}, made: map[step]core.Operand{}, unknown: core.Int(someTrips),
	}
	for _, b := range versions {
		core.Walk(b, func(s *core.Stm) bool {
			c.note(s)
			return true
		})
	}
	c.fill = c.fact("threads")
	return c
}

// fact is a fact of the device, as an f64.
func (c *costs) fact(name string) core.Operand {
	return c.f.Conv(c.f.Let(name, &core.Fact{Name: name}), prim.F64)
}

// bin applies an operator, once to the same operands.
func (c *costs) bin(op prim.BinOp, x, y core.Operand) core.Operand {
	key := step{op, x, y}
	if _, ok := c.made[key]; !ok {
		c.made[key] = c.f.Bin(op, x, y)
	}
	return c.made[key]
}

// real is a size as an f64.
func (c *costs) real(n core.Operand) core.Operand {
	if n.IsConst() || c.f.TypeOf(n).Elem == prim.F64 {
		return c.f.Conv(n, prim.F64)
	}
	key := step{prim.Add, n, core.Operand{}}
	if _, ok := c.made[key]; !ok {
		c.made[key] = c.f.Conv(n, prim.F64)
	}
	return c.made[key]
}

// note remembers what a statement binds.
func (c *costs) note(s *core.Stm) {
	number := bound{inside: true}
	switch e := core.Match(s.Exp).(type) {
	case *core.Loop:
		for _, p := range e.Params {
			c.inside.set(p.Var, bound{inside: true})
		}
		if e.IsFor() {
			c.inside.set(e.Index.Var, bound{inside: true, below: &e.Bound})
		}
	case core.Seg:
		space := e.SpaceOf()
		for i, id := range space.Ids {
			c.inside.set(id, bound{inside: true, below: &space.Sizes[i]})
		}
	case *core.Bin, *core.Conv, *core.Use:
		number.exp = s.Exp
	default:
	}
	for _, p := range s.Dst {
		c.inside.set(p.Var, number)
	}
}

// size is a number in a version as it can be known before: half of what it is below for an index. What cannot counts as unknown says.
func (c *costs) size(o core.Operand) core.Operand {
	if x, ok := c.outside(o); ok {
		return x
	}
	return c.unknown
}

// outside computes a number of a version outside of it; ok is false where that is impossible.
func (c *costs) outside(o core.Operand) (x core.Operand, ok bool) {
	if o.IsConst() {
		return o, true
	}
	is := c.inside.get(o.Var)
	if !is.inside {
		return o, true
	}
	if x, ok := c.known[o.Var]; ok {
		return x, x != core.Operand{}
	}
	c.known[o.Var] = core.Operand{} // unless there is an answer
	below, ok := c.f.atMost[o.Var]
	if is.below != nil {
		below, ok = *is.below, true
	}
	if ok {
		if x, ok = c.outside(below); ok {
			x = c.bin(prim.Quot, x, core.Int(2))
		}
		return c.keep(o.Var, x, ok)
	}
	switch e := core.Match(is.exp).(type) {
	case *core.Use:
		x, ok = c.outside(e.X)
	case *core.Conv:
		if e.From.IsInt() && e.To.IsInt() {
			if x, ok = c.outside(e.X); ok {
				x = c.f.Conv(x, e.To)
			}
		}
	case *core.Bin:
		x, ok = c.arithmetic(e)
	default:
	}
	return c.keep(o.Var, x, ok)
}

func (c *costs) keep(v core.Var, x core.Operand, ok bool) (core.Operand, bool) {
	if ok {
		c.known[v] = x
	}
	return x, ok
}

// arithmetic computes a sum, difference, product, minimum, maximum, or quotient by a constant outside of versions.
func (c *costs) arithmetic(e *core.Bin) (core.Operand, bool) {
	if !e.Type.IsInt() {
		return core.Operand{}, false
	}
	switch e.Op {
	case prim.Add, prim.Sub, prim.Mul, prim.Min, prim.Max:
	case prim.Div, prim.Quot:
		if !e.Y.IsConst() || e.Y.Const.IsZero() {
			return core.Operand{}, false
		}
	default:
		return core.Operand{}, false
	}
	x, ok := c.outside(e.X)
	if !ok {
		return x, false
	}
	y, ok := c.outside(e.Y)
	if !ok {
		return y, false
	}
	return c.bin(e.Op, x, y), true
}

// term is a number times the product of numbers that the host computes, i64 or f64; an amount is the sum of its terms.
type term struct {
	k  float64
	by []core.Operand
}

// Amounts are shared: only who has made one adds to it.
type amount []term

func just(k float64) amount { return amount{{k: k}} }

// plus adds amounts; terms by the same sizes become one.
func (a amount) plus(b amount) amount {
	sum := slices.Clone(a)
	for _, t := range b {
		sum.add(t)
	}
	return sum
}

// add adds a term.
func (a *amount) add(t term) {
	for i := range *a {
		if slices.Equal((*a)[i].by, t.by) {
			(*a)[i].k += t.k
			return
		}
	}
	*a = append(*a, t)
}

// times multiplies an amount by a size.
func (a amount) times(n core.Operand) amount {
	if k, ok := n.ConstInt(); ok {
		return a.scaled(float64(max(k, 0)))
	}
	out := make(amount, len(a))
	for i, t := range a {
		by := append(slices.Clip(t.by), n)
		slices.SortFunc(by, func(x, y core.Operand) int { return int(x.Var) - int(y.Var) })
		out[i] = term{t.k, by}
	}
	return out
}

func (a amount) timesAll(ns []core.Operand) amount {
	for _, n := range ns {
		a = a.times(n)
	}
	return a
}

func (a amount) scaled(k float64) amount {
	out := make(amount, len(a))
	for i, t := range a {
		out[i] = term{t.k * k, t.by}
	}
	return out
}

// number computes an amount, an f64.
func (c *costs) number(a amount) core.Operand {
	sum := f64(0)
	for _, t := range a {
		if t.k == 0 {
			continue
		}
		x := f64(1)
		for _, n := range t.by {
			x = c.mul(x, c.real(n))
		}
		sum = c.add(sum, c.mul(x, f64(t.k)))
	}
	return sum
}

func (c *costs) mul(x, y core.Operand) core.Operand {
	switch {
	case x.IsConst() && x.Const.IsOne():
		return y
	case y.IsConst() && y.Const.IsOne():
		return x
	}
	return c.bin(prim.Mul, x, y)
}

// product multiplies sizes, i64 numbers.
func (c *costs) product(x, y core.Operand) core.Operand {
	if n, ok := x.ConstInt(); ok && n == 1 {
		return y
	}
	return c.bin(prim.Mul, x, y)
}

func (c *costs) add(x, y core.Operand) core.Operand {
	switch {
	case x.IsConst() && x.Const.IsZero():
		return y
	case y.IsConst() && y.Const.IsZero():
		return x
	}
	return c.bin(prim.Add, x, y)
}

// bill is what host code costs: launches and kernels, by the sizes of their spaces, and amounts that are computed already.
type bill struct {
	launches amount
	kernels  []kernelCost
	rest     amount
}

// kernelCost is what the threads of all kernels of one size do, each launch counted.
type kernelCost struct {
	sizes []core.Operand
	effort
}

// of is the cost of host code, an f64.
func (c *costs) of(b *core.Body) core.Operand {
	var bill bill
	c.host(&bill, b, nil)
	return c.total(&bill)
}

// total adds up a bill.
func (c *costs) total(b *bill) core.Operand {
	sum := c.number(b.launches.scaled(costLaunch))
	for _, k := range b.kernels {
		sum = c.add(sum, c.kernel(k.sizes, k.effort))
	}
	return c.add(sum, c.number(b.rest))
}

// kernel is what a kernel costs beside its launch.
func (c *costs) kernel(sizes []core.Operand, e effort) core.Operand {
	fills := c.bin(prim.Div, c.number(just(1).timesAll(sizes)), c.fill)
	steps := c.mul(c.bin(prim.Max, f64(1), fills), c.number(e.work))
	if len(e.traffic) == 0 {
		return steps
	}
	return c.bin(prim.Max, steps, c.mul(fills, c.number(e.traffic)))
}

// kernel adds a kernel, launched as often as loops go round.
func (b *bill) kernel(sizes []core.Operand, e effort, loops []core.Operand) {
	b.launches = b.launches.plus(just(1).timesAll(loops))
	e = e.timesAll(loops)
	for i := range b.kernels {
		if k := &b.kernels[i]; slices.Equal(k.sizes, sizes) {
			k.effort = k.plus(e)
			return
		}
	}
	b.kernels = append(b.kernels, kernelCost{sizes, e})
}

// host adds what host code costs that is run as often as loops go round.
func (c *costs) host(b *bill, body *core.Body, loops []core.Operand) {
	for _, s := range body.Stms {
		switch e := s.Exp.(type) {
		case core.Seg:
			c.seg(b, e, loops)
		case *core.Loop:
			n := core.Int(someTrips)
			switch {
			case e.IsFor():
				n = c.size(e.Bound)
			case c.f.counting[e]:
				n = c.unknown
			}
			c.host(b, e.Body, append(slices.Clip(loops), n))
		case *core.If:
			c.branch(b, e, loops)
		case *core.Switch:
			for _, k := range e.Cases {
				c.host(b, k.Body, loops)
			}
			c.host(b, e.Default, loops)
		case *core.WithAcc:
			c.host(b, e.Lambda.Body, loops)
		case core.Memory:
			c.moving(b, s, e, loops)
		case *core.Index:
			if _, counted := c.f.atMost[s.Dst[0].Var]; counted {
				b.launches = b.launches.plus(just(costWait).timesAll(loops))
			}
		case core.Scalar, core.View, *core.Assert, *core.Trace, *core.Call, *core.Derivative, *core.WithVjp, core.SOAC:
		}
	}
}

// mostGuards is how many guards inside each other a cost looks at. Below them it takes the version that has no others inside.
const mostGuards = 2

// branch adds the cheaper side of a guard of versions, and both sides of what else is a branch of the host.
func (c *costs) branch(b *bill, e *core.If, loops []core.Operand) {
	switch {
	case !c.f.guards[e]:
		c.host(b, e.Then, loops)
		c.host(b, e.Else, loops)
		return
	case c.guards == mostGuards:
		c.host(b, e.Then, loops)
		return
	}
	c.guards++
	least := c.bin(prim.Min, c.of(e.Then), c.of(e.Else))
	c.guards--
	b.rest = b.rest.plus(amount{{k: 1, by: []core.Operand{least}}}.timesAll(loops))
}

// moving adds a copy by the host.
func (c *costs) moving(b *bill, s *core.Stm, e core.Memory, loops []core.Operand) {
	t := s.Dst[0].Type
	sizes := t.Shape
	switch e := e.(type) {
	case *core.Update:
		if e.Value.IsConst() || !c.f.TypeOf(e.Value).IsArray() {
			b.launches = b.launches.plus(just(1).timesAll(loops))
			return
		}
		sizes = c.f.TypeOf(e.Value).Shape
	case *core.Copy, *core.Concat, *core.Replicate, *core.Iota, *core.ArrayLit:
	case *core.Scratch, *core.Alloc:
		return
	}
	b.kernel(c.sizes(sizes), far(trafficFar).scaled(2), loops)
}

// sizes are sizes as they can be known before a version.
func (c *costs) sizes(ns []core.Operand) []core.Operand {
	out := make([]core.Operand, len(ns))
	for i, n := range ns {
		out[i] = c.size(n)
	}
	return out
}

// seg adds a segmented operation.
func (c *costs) seg(b *bill, e core.Seg, loops []core.Operand) {
	sizes := c.sizes(e.SpaceOf().Sizes)
	if m, ok := e.(*core.SegMap); ok && m.Level == core.LevelGroup {
		c.workgroups(b, m, sizes, loops)
		return
	}
	if s, ok := e.(*core.SegScan); ok && len(sizes) > 1 {
		c.scans(b, s, sizes, loops)
		return
	}
	b.kernel(sizes, c.threadOf(e), loops)
}

// scans adds a segmented scan, where a workgroup has each segment, or a thread if segments are short.
func (c *costs) scans(b *bill, e *core.SegScan, sizes, loops []core.Operand) {
	outer, row := sizes[:len(sizes)-1], sizes[len(sizes)-1]
	each, results := c.threadOf(e), float64(len(e.Ret))
	alone := c.kernel(outer, each.plus(effort{traffic: just(trafficApart * results)}).times(row))
	shared := append(slices.Clip(outer), c.bin(prim.Max, row, core.Int(leastScan)))
	together := c.kernel(shared, each.plus(far(trafficFar)).plus(steps(costScan*results)))
	b.launches = b.launches.plus(just(1).timesAll(loops))
	least := c.bin(prim.Min, alone, together)
	b.rest = b.rest.plus(amount{{k: 1, by: []core.Operand{least}}}.timesAll(loops))
}

// leastScan is how many threads at least share a segment that a workgroup scans.
const leastScan = 64

// f64 is a constant number of a cost.
func f64(x float64) core.Operand { return core.C(prim.MakeF64(x)) }
