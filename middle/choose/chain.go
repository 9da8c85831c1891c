package choose

import (
	"skald/middle/core"
	"skald/runtime/prim"
)

// Note [Forms of chains]
//
// Operators that are none of the device's atomic operations have their values brought together in workgroups before they meet a bin
// (Note [Chains of equal bins] of package lower), which takes no more than some times as long for any keys as for uniform ones; a
// compare-and-swap loop on one word of device memory took 6.8 s for 20M points on an H200, and a copy of 4,096 bins for each of 2,048
// threads 12.9 ms.
//
// A few bins each thread has for itself in workgroup memory, where nobody waits for anybody: 16 bins of uniform keys took 862 us by chains,
// since most threads of a workgroup met in a bin, and 229 in a table whose bins had copies (sums of 20M points, WebGPU). With fewer
// words a thread more threads have room, so there are two forms. What a workgroup does before and behind its points takes as long as a few
// points: a thread has no more than few as long as there are compute units without a workgroup. With 32 the 200,000 points of kmeans were
// seven workgroups' on 132 units, in each of its 20 rounds. Of the form with more words there are half as many workgroups, as no more
// have room at once: argmax of 16 bins took 178 us with twice as many and 142 with these (WebGPU). Where a large memory has room for some
// hundred threads with twice as many words, they have those: products of 2x2 matrices in 16 bins took 89 us by chains and take 38 (5M
// points, CUDA). With 256 words 224 threads have room, which took longer than a table (88 us and 81, sums of 20M points).
//
// More bins lie in a table in workgroup memory, half of a large one first, so that two workgroups have room. The more entries a workgroup
// has, the fewer barriers there are for a point, and the less room there is for bins; workgroups that share a large memory have half as
// many threads, as they wait less at barriers: one key for all points took 78 us with 1,024 and 50 with 512, 4,096 uniform ones 162 and
// 119, since they then have room (5M 2x2 matrices, 256 and 4,096 bins); what lost were 4,096 bins with one key, 90 and 100. Where these do
// not fit they are cut into slices: each workgroup then goes through all points of its share for those of its slice. In a large memory bins
// also share the words that tell who has one, and more of them fit. Behind that there are copies in device memory, one a workgroup; where
// elements can be updated atomically only as long as clearing and combining them costs less than going through the input, and behind that
// elements are.
//
// Where threads of subgroups are together again behind loops, they update the bins of such an operator in tables themselves: Note [Bins
// that subgroups update] of package lower. Several values that fit a word are one then. Four workgroups share a unit's memory, with as many
// threads as it can have: argmax of 4,096 bins took 123 us with half as many, and takes 112 with fewer copies of bins, too; of 2,048 bins
// 123 and 111, sums of 256 bins 75 and 71 (20M points, CUDA on an H200).
//
// A single operator that can update elements by compare and swap begins so (Note [Eager updates] of package lower). Its threads have 44 to
// 60 registers by NVRTC with ten operators on values of 8 to 64 bits (and 32 with one so costly that they take a point at a time): a unit
// with 65,536 has room for one workgroup of 1,024 threads, and there is one for each. Saturating sums of 4,096 bins took 98 us with two
// and 94 with one, 648 and 548 of sorted keys (20M points, WebGPU on an H200). Copies in device
// memory are then shared by workgroups, since all update them atomically: few are cleared and combined, and they stay in the cache. Where
// subgroups have shuffles, bins that do not fit a table with chains come before that in slices of tables without (Note [Leaders] of package
// lower): each key is read as often as there are slices, from the cache, and takes no update of device memory. Not so where the operator
// returns one of its operands: most points leave a bin as it is, and then only read it.

// privateWords are how many words of workgroup memory a thread's own bins have, at most: of the first form and of the others.
var privateWords = [...]int{24, 48, 96}

// PrivateSide divides the threads of a workgroup whose bins are private, or they are a power of two less.
const PrivateSide = 32

// The parts of workgroup memory that entries may have, in sixteenths: where bins are few, and where they are many.
const (
	manyEntries = 6
	fewEntries  = 3
)

const (
	privateThreads = 32      // threads of a workgroup whose bins are private, at least
	privateMany    = 256     // the same where they have more words than in the first two forms
	privatePoints  = 8       // points of it whose elements are loaded together, at most
	chainLeast     = 8       // points of a thread, at least
	chainPoints    = 8       // points that a thread takes at a time, at most
	tablePoints    = 8       // the same where a table has the bins
	chainEntries   = 2       // of these, how many have room in workgroup memory at a time, at most
	chainCut       = 2       // slices that bins are cut into, at most, where each has a word that tells who has it
	chainSlices    = 4       // the same where bins share such words
	eagerSlices    = 2       // the same where threads begin with eager updates
	chainOwners    = 1 << 12 // words that tell who has a bin, at most, where bins share them
	chainMost      = 1 << 30 // bins, at most: their numbers have 32 bits
	chainBudget    = 1 << 26 // elements of all copies of an array
	chainThreads   = 64      // threads of a workgroup, at least
	largeMemory    = 1 << 16 // workgroup memory that is enough for two workgroups
	chainReserved  = 256     // bytes that a workgroup needs besides
	joinGroups     = 4       // workgroups that share a compute unit's memory, where subgroups update bins
	joinReserved   = 1 << 10 // bytes that a device keeps of each workgroup's memory
	eagerTries     = 16      // how often a thread tries to update a bin before it leaves that to chains
	resultTries    = 4       // the same in device memory
	samples        = 4       // of so many batches one begins with chains there
	updateLeast    = 2       // points of a thread that does so, at least
	updatePoints   = 1 << 12 // points that each have a thread to update bins by, at most
	joinPoints     = 4       // points that a thread of them takes at a time, at most
	ledSlices      = 6       // slices that bins are cut into, at most, where leaders of subgroups update bins
	ledTries       = 6       // eagerTries, where leaders of subgroups update bins
)

// chains are the forms of private bins and chains that the device can run, best first; each has a condition.
func (c *chooser) chains(e *core.SegHist) []core.Form {
	if !c.chainable(e) {
		return nil
	}
	out := c.private(e)
	if c.meets(e) {
		return c.withShuffles(c.chainResults(c.joinTables(out, e), e), e)
	}
	bytes := c.tableBytes()
	if bytes >= largeMemory {
		out = c.chainTable(out, e, bytes/2, manyEntries)
	} else {
		out = c.chainTable(out, e, bytes, manyEntries)
		if !c.eager(e, InShared) {
			out = c.chainTable(out, e, bytes, fewEntries)
		}
	}
	if bytes >= largeMemory {
		out = c.chainSliced(out, e)
	}
	if c.leads(e) && !core.Chooses(e.Ops[0].Lambda) {
		out = c.ledTable(out, e)
	}
	return c.withShuffles(c.chainResults(out, e), e)
}

// withShuffles has subgroups bring values of one bin together before their threads update bins, in the forms that begin so.
func (c *chooser) withShuffles(forms []core.Form, e *core.SegHist) []core.Form {
	o := histOperators(e, 0)
	for i := range forms {
		f := &forms[i]
		f.Shuffles = f.Tries > 0 && c.joins(o, f.Group) && !c.costly(o)
	}
	return forms
}

// histOperators is the operator of a histogram by itself.
func histOperators(e *core.SegHist, i int) operators {
	op := e.Ops[i]
	return operatorsOf([]core.Operator{{Lambda: op.Lambda, Neutral: op.Neutral, Commutative: true}})
}

// private are the forms in which threads have bins of their own.
func (c *chooser) private(e *core.SegHist) []core.Form {
	value := c.sharedBytes(valueTypes(e))
	v := c.histVector(e, privatePoints)
	var out []core.Form
	for _, words := range privateWords {
		f := core.Form{
			Way: core.WayPrivate, Group: c.WideGroup, Capacity: 4 * words / value, Vector: v.width, Flight: v.inFlight,
			Least: max(fewElements, v.width),
		}
		for f.Group > privateThreads && privateBytes(value, f) > c.tableBytes() {
			f.Group /= 2
		}
		f.Groups = c.saturating(f.Group)
		switch words {
		case privateWords[1]:
			f.Groups = c.saturating(2 * f.Group)
		case privateWords[2]:
			f.Group = min(c.WideGroup, c.tableBytes()/(4*words)/PrivateSide*PrivateSide)
			f.Groups = c.saturating(2 * c.WideGroup)
			if f.Group < privateMany {
				continue
			}
		}
		if f.Capacity < 1 || privateBytes(value, f) > c.tableBytes() {
			continue
		}
		f.When = all(atMost(f.Capacity))
		out = append(out, f)
	}
	return out
}

// privateBytes is the workgroup memory of a form whose threads have bins of their own, of values of so many bytes.
func privateBytes(value int, f core.Form) int { return value * f.Capacity * f.Group }

// histVector is how many points' elements a thread of a histogram with an operator without an atomic operation loads together, most at
// most.
func (c *chooser) histVector(e *core.SegHist, most int) vector {
	cost := 0
	for _, op := range e.Ops {
		cost += elementCost + 2*c.cost(op.Lambda.Body)
	}
	v := c.vectoriseWithin(histUnrolled, e.Space, e.Body, make([]core.Param, len(valueTypes(e))), cost)
	for v.width*v.inFlight > most {
		v.halve()
	}
	return v
}

// halve has a vector take half as many points.
func (v *vector) halve() {
	if v.inFlight > 1 {
		v.inFlight /= 2
		return
	}
	v.width /= 2
}

// chainable reports whether the code of a histogram is not too large for a kernel with barriers.
func (d *Device) chainable(e *core.SegHist) bool {
	w := d.emulation(&core.Body{Stms: e.Body.Stms})
	for _, op := range e.Ops {
		w += d.emulation(op.Lambda.Body)
	}
	return w <= maxEmulated
}

// valueTypes are the types of all values of a histogram's operators.
func valueTypes(e *core.SegHist) []prim.Type {
	var out []prim.Type
	for _, op := range e.Ops {
		for _, t := range op.Lambda.Ret {
			out = append(out, t.Elem)
		}
	}
	return out
}

// eager reports whether a histogram's only operator updates elements by compare and swap, in workgroup memory or the result.
func (d *Device) eager(e *core.SegHist, shared bool) bool {
	return len(e.Ops) == 1 && d.swaps(e) && d.allAtomic(e, shared)
}

// updates reports whether a histogram's only operator updates elements of device memory in place.
func (d *Device) updates(e *core.SegHist) bool { return len(e.Ops) == 1 && d.allAtomic(e, InGlobal) }

// meets reports whether subgroups update the bins of a histogram in workgroup memory: of one operator that cannot fail, on values that fit
// a word which the device compares and swaps.
func (d *Device) meets(e *core.SegHist) bool {
	if d.SubgroupSize < 2 || !d.Converges || d.WideGroup < joinGroups*d.SubgroupSize || len(e.Ops) != 1 || !d.swaps(e) {
		return false
	}
	_, ok := d.BinWord(e.Ops[0])
	return ok && !core.Any(e.Ops[0].Lambda.Body, core.MayFail)
}

// leads reports whether a histogram's only operator updates words of workgroup memory by compare and swap, and the threads of a subgroup
// can bring its values together by shuffles.
func (d *Device) leads(e *core.SegHist) bool {
	if !d.eager(e, InShared) || histTypes(e)[0].Bits() != 32 {
		return false
	}
	o := histOperators(e, 0)
	return d.joins(o, d.WideGroup) && !d.costly(o)
}

// ledTable adds the form in which one thread of a subgroup updates a bin for others: see Note [Leaders] of package lower. Its threads have
// so many registers that a unit has room for one workgroup at a time, so there is one for each.
func (c *chooser) ledTable(out []core.Form, e *core.SegHist) []core.Form {
	v := c.histVector(e, chainPoints)
	f := core.Form{
		Way: core.WayJoin, Group: c.WideGroup, Least: chainLeast, Vector: v.width, Flight: v.inFlight, Tries: ledTries,
		Groups: c.saturating(2 * c.WideGroup), Copies: maxCopies, Slices: ledSlices,
	}
	f.Capacity = (c.tableBytes() - joinReserved) / c.sharedBytes(valueTypes(e))
	if f.Capacity < 1 {
		return out
	}
	f.When = all(atMost(f.Capacity * f.Slices))
	return append(out, f)
}

// BinWord is the type of the word that holds a bin of an operator, all values of it, where subgroups update bins: the smallest one that the
// device compares and swaps, if there is one.
func (d *Device) BinWord(op core.HistOp) (word prim.Type, ok bool) {
	bytes := 0
	for _, t := range op.Lambda.Ret {
		if !t.IsScalar() {
			return word, false
		}
		bytes += t.Elem.Size()
	}
	switch word = prim.U32; {
	case bytes > 8 || bytes > 4 && !d.Atomic64:
		return word, false
	case len(op.Lambda.Ret) == 1 && bytes >= 4:
		word = op.Lambda.Ret[0].Elem
	case bytes > 4:
		word = prim.U64
	}
	return word, true
}

// joinTables adds the forms whose bins subgroups update. With little code and memory for each workgroup several of them share a compute
// unit's memory, and some have loads under way while others update bins; bins that do not fit have all the memory, and then are cut into
// slices.
func (c *chooser) joinTables(out []core.Form, e *core.SegHist) []core.Form {
	for _, groups := range []int{joinGroups, 1} {
		points := chainPoints
		if groups > 1 {
			points = joinPoints
		}
		v := c.histVector(e, points)
		f := core.Form{
			Way: core.WayJoin, Group: min(c.WideGroup, 2*c.WideGroup/groups), Least: chainLeast, Vector: v.width, Flight: v.inFlight,
			Groups: groups * c.saturating(2*c.WideGroup),
		}
		f.Capacity = (c.tableBytes()/groups - joinReserved) / c.binBytes(e, f)
		if f.Capacity < 1 {
			continue
		}
		if groups > 1 {
			f.Copies = maxCopies
		} else {
			f.Slices = eagerSlices
		}
		f.When = all(atMost(f.Capacity * max(1, f.Slices)))
		out = append(out, f)
	}
	return out
}

// chainForm is a form of chains, as far as all are alike.
func (c *chooser) chainForm(e *core.SegHist, way core.Way, eager bool) core.Form {
	v := c.histVector(e, chainPoints)
	f := core.Form{Way: way, Group: c.WideGroup, Least: chainLeast, Vector: v.width, Flight: v.inFlight}
	if eager {
		f.Tries = eagerTries
	}
	return f
}

// chainBytes is how much workgroup memory a form of chains has for entries, the words that tell who has a bin where bins share them, and
// what else it needs besides bins.
func (c *chooser) chainBytes(e *core.SegHist, f core.Form) int {
	entry, entries := c.sharedBytes(valueTypes(e))+4, f.Group
	if f.Owners > 0 {
		entry += 4
	}
	entries *= max(1, f.Entries)
	return entry*entries + c.ownerBytes(e, f)*f.Owners + chainReserved
}

// ownerBytes is how much workgroup memory a form of chains has for each word that tells who has a bin: beside it is a contended bin's
// number and value, where workgroups keep these.
func (c *chooser) ownerBytes(e *core.SegHist, f core.Form) int {
	if f.Samples == 0 {
		return 4
	}
	return 4 + 4 + c.sharedBytes(valueTypes(e))
}

// binBytes is how much workgroup memory a form of chains has for each bin.
func (c *chooser) binBytes(e *core.SegHist, f core.Form) int {
	switch value := c.sharedBytes(valueTypes(e)); {
	case f.Way == core.WayJoin:
		word, _ := c.BinWord(e.Ops[0])
		return word.Size()
	case f.Way != core.WayChain:
		return 0
	case f.Owners > 0:
		return value
	default:
		return value + 4
	}
}

// chainTable adds the form that has a table in workgroup memory of so many bytes, of which entries have so many sixteenths.
func (c *chooser) chainTable(out []core.Form, e *core.SegHist, bytes, entries int) []core.Form {
	f := c.chainForm(e, core.WayChain, c.eager(e, InShared))
	f.Copies = maxCopies
	if bytes < c.tableBytes() {
		f.Group = max(1, c.WideGroup/2)
	}
	if f.Tries == 0 {
		v := c.histVector(e, tablePoints)
		f.Vector, f.Flight = v.width, v.inFlight
		f.Entries = min(chainEntries, v.width*v.inFlight)
	}
	for c.chainBytes(e, f)-chainReserved > bytes*entries/16 {
		switch {
		case f.Group > chainThreads:
			f.Group /= 2
		case f.Entries > 1:
			f.Entries /= 2
		case f.Group > 1:
			f.Group /= 2
		default:
			return out
		}
	}
	if entries == fewEntries {
		f.Slices = chainCut
	}
	return c.withTable(out, e, f, bytes)
}

// chainSliced adds the form whose table has a slice of the bins, which share the words that tell who has them.
func (c *chooser) chainSliced(out []core.Form, e *core.SegHist) []core.Form {
	bytes := c.tableBytes()
	f := c.chainForm(e, core.WayChain, c.eager(e, InShared))
	f.Slices = chainSlices
	if f.Tries > 0 {
		f.Slices = eagerSlices
	}
	f.Owners = 2 * f.Group
	for f.Group > chainThreads && c.chainBytes(e, f) > bytes/4 {
		f.Group /= 2
		f.Owners /= 2
	}
	return c.withTable(out, e, f, bytes)
}

// withTable adds a form whose bins have what is left of so many bytes. Compute units have memory for four workgroups with little each, for
// two with a part of a large memory, or for one with much. Threads that begin with eager updates of several points have more than half of
// the registers that a thread may have: half of a unit's threads have room, and further workgroups would come behind these.
func (c *chooser) withTable(out []core.Form, e *core.SegHist, f core.Form, bytes int) []core.Form {
	f.Capacity = (bytes - c.chainBytes(e, f)) / c.binBytes(e, f)
	if f.Capacity < 1 {
		return out
	}
	threads := max(f.Group, c.WideGroup/2)
	switch {
	case bytes < c.tableBytes():
		threads = c.WideGroup
	case bytes >= 2*largeMemory:
		threads = 2 * c.WideGroup
	case f.Tries > 0 && f.Vector*f.Flight > 1:
		threads = 2 * f.Group
	}
	f.Groups = c.saturating(threads)
	f.When = all(atMost(f.Capacity * max(1, f.Slices)))
	return append(out, f)
}

// chainResults adds the forms without a table.
func (c *chooser) chainResults(out []core.Form, e *core.SegHist) []core.Form {
	f := c.chainForm(e, core.WayChainCopies, c.eager(e, InGlobal))
	if f.Tries > 0 && !core.Chooses(e.Ops[0].Lambda) {
		f.Tries, f.Samples = resultTries, samples
	}
	if !c.fitOwners(e, &f) {
		return out
	}
	updates := f
	updates.Way, updates.When = core.WayChainUpdates, all(atMost(chainMost))
	if c.eager(e, InGlobal) {
		f.Way, f.Copies, f.Budget, f.When = core.WayChainSpread, maxCopies, spreadBudget, all(atMost(spreadBudget/2))
		return append(out, f, updates)
	}
	f.Budget, f.When = c.copiesBudget(), all(atMost(chainMost))
	if !c.allAtomic(e, InGlobal) {
		return append(out, f)
	}
	times := max(1, f.Groups/core.CopiesPerPoint)
	few := core.Bound{Times: times, X: core.MeasureBins, Op: core.AtMost, By: 1, Y: core.MeasureSize}
	f.When = all(atMost(f.Budget/f.Groups), few)
	return append(out, f, updates)
}

// fitOwners has a form of chains share the words that tell who has a bin, as many of them and of threads as workgroup memory has room for.
func (c *chooser) fitOwners(e *core.SegHist, f *core.Form) bool {
	f.Owners = chainOwners
	if f.Samples > 0 {
		f.Owners = min(f.Owners, 2*f.Group)
	}
	bytes := c.tableBytes()
	for f.Group > chainThreads && 2*(c.chainBytes(e, *f)-c.ownerBytes(e, *f)*f.Owners) > bytes {
		f.Group /= 2
	}
	for f.Owners > f.Group && c.chainBytes(e, *f) > bytes {
		f.Owners /= 2
	}
	f.Groups = c.saturating(f.Group)
	return c.chainBytes(e, *f) <= bytes
}

// contended adds the form that updates the result where its bins are not contended (Note [Contended bins] of package lower), for the
// operators for which threads else would whatever the keys. A device that is a processor has few threads, and its atomic operations are not
// slower by far where these meet.
func (c *chooser) contended(e *core.SegHist) []core.Form {
	if !c.updates(e) || !c.chainable(e) {
		return nil
	}
	f := c.chainForm(e, core.WayChainUpdates, c.updates(e))
	f.Tries, f.Samples, f.Least = resultTries, samples, updateLeast
	if !c.Loops(e.Ops[0].Lambda) {
		if c.Software {
			return nil
		}
		f.Tries = 1
	}
	if !c.fitOwners(e, &f) {
		return nil
	}
	f.When = all(atMost(chainMost), core.Compare(core.MeasureSize, core.Above, updatePoints))
	return c.withShuffles([]core.Form{f}, e)
}

// copiesBudget is how many elements of eight bytes fit a part of the largest buffer.
func (c *chooser) copiesBudget() int {
	n := chainBudget
	for n > 1 && c.BufferBytes > 0 && int64(n)*8 > c.BufferBytes/ownShare {
		n /= 2
	}
	return n
}
