package core

import "slices"

// Note [Choices]
//
// How a device runs a segmented operation is said by its Choice, which package choose makes last before lowering, from what is known of
// the device: forms, of which the first whose conditions on sizes hold runs. What is known only at run time is a condition; what a form
// is made of (threads of a workgroup, elements of a vector) is a number, since kernels are printed with it. The meaning of the operation
// is the same with any choice.
//
// A program of StageChosen has a choice at each segmented operation, one of an earlier stage has none. Verify checks that forms are of the
// operation's kind and complete; what the device must have for them, package choose checks, which knows it.

// Choice is how a device runs a segmented operation.
type Choice struct {
	// Forms are alternatives: the first whose conditions hold runs. The last one has none.
	Forms []Form
	// Merge is how partial results are combined behind those forms that leave some in device memory: a list of forms for each operator of
	// a histogram, one list for all operators of a reduction.
	Merge [][]Form
}

// Form is one way to run a segmented operation. Numbers that its way has no use for are zero; ways lists those that it has.
type Form struct {
	Way Way
	// When is on what condition the form runs: any of the lists, of which all bounds must hold. None is always.
	When [][]Bound

	// Group is how many threads a workgroup has.
	Group int
	// Factor is how many elements of an operation a thread of the workgroup takes at a time; zero, like one, is one. See Note [Elements of a
	// thread] of package lower.
	Factor int
	// Room is how many bytes of workgroup memory the arrays of a workgroup have together at most whose sizes are not constant; zero is all
	// that there is.
	Room int
	// Vector is how many neighbouring elements a thread loads and stores together; zero, like one, is single elements.
	Vector int
	// Flight is how many vectors, or elements, a thread loads before it uses the first; zero is one.
	Flight int
	// Rows is how many vectors of a tile a thread has, or how many rows of points a task does together; zero, like one, is one: see Notes
	// [Tiles of scans] and [Jammed rows] of package lower.
	Rows int
	// Least is how many points a thread has at least, and Groups how many workgroups there are at most: as many as saturate the device.
	Least, Groups int
	// Readers is how many workgroups a kernel has at most that combines the partial results of a reduction at its start, where no launch has
	// done so; zero is that a launch does.
	Readers int
	// Side is the number of rows and columns of the tiles of a transposition, and how many neighbouring bins of a histogram a workgroup has
	// that combines copies of them; and how many points of the last dimension a workgroup of a map takes that takes a block of points. Zero,
	// like one, is one.
	Side int
	// Shape is which shape of the operation's Tiling, counted from one, and Unroll how many iterations of its loop are unrolled.
	Shape, Unroll int
	// Capacity is how many bins a table in workgroup memory has, copies counted, and Slices into how many tables' parts bins are cut at
	// most; zero is not at all.
	Capacity, Slices int
	// Owners is how many words of workgroup memory tell who has a bin, a power of two, where bins share them; zero is one word for each bin.
	Owners int
	// Entries is how many of a thread's points workgroup memory has room for at a time; zero is one.
	Entries int
	// Copies is how many copies of the bins there are at most, and Budget how many elements all copies of an array have at most.
	Copies, Budget int
	// Tries is how often a thread tries to update a bin at once before it notes that bins are contended; zero is that it does not begin so.
	// See Note [Eager updates] of package lower.
	Tries int
	// Samples says that of so many batches one begins with chains, which tell whether bins are contended; zero is none. A workgroup then
	// keeps what it has for such bins. See Note [Contended bins] of package lower.
	Samples int
	// Tasks is how many tasks share the points at most, and Each how many points a task has at least.
	Tasks, Each int
	// Lanes is how many accumulators a task folds its run in, and Run how many neighbouring elements one has where their order matters.
	Lanes, Run int
	// Square is how many elements of its run a lane takes at a time, or how many iterations of a run of rows a thread reads for a tile;
	// zero is one.
	Square int
	// Short is how many elements of a segment one thread takes in any case, and Few the part of the threads that segments must at least
	// occupy for each to have one thread.
	Short, Few int

	// Sequential says that one thread runs all points, in order: updates of these cannot be atomic.
	Sequential bool
	// Shuffles says that the threads of a subgroup join their values by shuffles, Prefixes that they scan them so.
	Shuffles, Prefixes bool
	// Looped says that the steps that join values are a loop, since the operator is too large to be repeated.
	Looped bool
	// Copied says that squares are copied to private arrays first, which the compiler reads by vectors.
	Copied bool
}

// Way says who takes the points, or segments, of an operation.
type Way uint8

const (
	// WayThread has a thread for each point, vector of points, or segment. Threads of a histogram update the result.
	WayThread Way = iota
	// WaySubgroup has a subgroup for each segment.
	WaySubgroup
	// WayWorkgroup has a workgroup for each segment, or point of a LevelGroup.
	WayWorkgroup
	// WayGrid assigns the only segment to all workgroups, which leave a value each.
	WayGrid
	// WayShares has some workgroups for each segment, which leave a value each.
	WayShares
	// WayAlone assigns each segment to some threads that meet in no workgroup: the code is too large for barriers.
	WayAlone
	// WayLookBack scans the only segment in one launch, in which workgroups wait for each other.
	WayLookBack
	// WayTile has a workgroup for each tile of points that share what they read.
	WayTile
	// WayTranspose copies in tiles, of which rows are read and columns written.
	WayTranspose
	// WayTable fills a histogram in workgroup memory, and adds that to the result.
	WayTable
	// WayCounters is WayTable with counters of 16 bits.
	WayCounters
	// WaySpread updates copies of the result in device memory, which workgroups share; if there would be one, the next form runs.
	WaySpread
	// WayOwn has a copy of the result for each of some threads: at most as many copies as have Budget elements together, and no more than
	// have Capacity elements where those have more than CopiesPerPoint for each point.
	WayOwn
	// WayChain brings together the values of a workgroup's threads that have one bin, and fills a table in workgroup memory. Its conditions
	// are on the bins of all segments, like those of the next two.
	WayChain
	// WayChainCopies is WayChain with a copy of the result for each workgroup in device memory.
	WayChainCopies
	// WayChainUpdates is WayChainCopies without copies: the result is updated. A map whose points do nothing but update an accumulator has
	// this way, too, and then its elements are the bins.
	WayChainUpdates
	// WayChainSpread is WayChainUpdates on copies of the result, which workgroups share: at most as many copies as have Budget elements.
	WayChainSpread
	// WayJoin has the threads of a subgroup bring together values that have one bin, and fills a table in workgroup memory. Its conditions
	// are on the bins of all segments, too.
	WayJoin
	// WayPrivate has each thread fill bins of its own in workgroup memory, of which Capacity says how many; its conditions are on the bins of
	// all segments, too.
	WayPrivate
	// WayTask assigns points, or whole segments, to the tasks of a processor.
	WayTask
	// WayRuns assigns runs of a segment to the tasks of a processor, and a copy of a histogram's bins; if there would be one copy, the
	// next form runs.
	WayRuns
	// WayMembers assigns the points of LevelInGroup to the threads of the workgroup, and its segments to a thread each or to all together.
	WayMembers
	// WayReaders has no launch for the only point of a map over no dimensions: each thread that reads its scalars computes them.
	WayReaders
)

// node is a kind of segmented operation.
type node uint8

const (
	nodeMap node = 1 << iota
	nodeRed
	nodeScan
	nodeHist
)

// wayInfo is what Verify knows of a way.
type wayInfo struct {
	name   string
	nodes  node
	levels []Level
	// needs and may are the numbers that the way must have, and those that it may have.
	needs, may []string
	flags      []string
	// spaces are how many segments reductions and scans have for which the way is.
	spaces segments
	// leaves are the operations of which the form leaves partial results in device memory.
	leaves node
	// yields says that the form may find at run time that the next one is better.
	yields bool
}

// segments says whether an operation has one segment or many.
type segments uint8

const (
	oneSegment segments = 1 << iota
	manySegments
)

var (
	onGrid  = []Level{LevelGrid}
	onGroup = []Level{LevelGroup, LevelGrid}
	inGroup = []Level{LevelInGroup}
)

// ways has an entry for each way.
var ways = [...]wayInfo{
	WayThread: {
		name: "thread", nodes: nodeMap | nodeRed | nodeScan | nodeHist, levels: onGrid, needs: []string{"group"}, may: []string{"vector", "side"},
		flags:  []string{"sequential"},
		spaces: manySegments,
	},
	WaySubgroup: {
		name: "subgroup", nodes: nodeRed, levels: onGrid, needs: []string{"group"}, may: []string{"flight"},
		flags:  []string{"looped"},
		spaces: manySegments,
	},
	WayWorkgroup: {
		name: "workgroup", nodes: nodeMap | nodeRed | nodeScan | nodeHist, levels: onGroup, needs: []string{"group"},
		may:    []string{"flight", "factor", "room", "side", "readers"},
		flags:  []string{"shuffles", "prefixes", "looped"},
		spaces: manySegments,
	},
	WayGrid: {
		name: "grid", nodes: nodeRed | nodeScan, levels: onGrid, needs: []string{"group", "groups"},
		may: []string{"vector", "flight", "rows", "least"}, flags: []string{"shuffles", "prefixes", "looped"},
		spaces: oneSegment, leaves: nodeRed,
	},
	WayShares: {
		name: "shares", nodes: nodeRed | nodeScan, levels: onGrid, needs: []string{"group", "groups"},
		may:    []string{"flight", "least", "factor"},
		flags:  []string{"shuffles", "prefixes", "looped"},
		spaces: manySegments, leaves: nodeRed,
	},
	WayAlone: {
		name: "alone", nodes: nodeRed | nodeScan, levels: onGrid, needs: []string{"group", "groups"}, may: []string{"least"},
		spaces: oneSegment | manySegments,
	},
	WayLookBack: {
		name: "lookback", nodes: nodeScan, levels: onGrid, needs: []string{"group", "vector", "rows"},
		flags:  []string{"shuffles", "prefixes", "looped"},
		spaces: oneSegment,
	},
	WayTile: {
		name: "tile", nodes: nodeMap, levels: onGrid, needs: []string{"group", "shape", "unroll"}, may: []string{"vector", "square"},
	},
	WayTranspose: {name: "transpose", nodes: nodeMap, levels: onGrid, needs: []string{"group", "side"}},
	WayTable: {
		name: "table", nodes: nodeHist, levels: onGrid, needs: []string{"group", "capacity", "copies", "least", "groups"},
		may: []string{"vector", "flight", "slices"},
	},
	WayCounters: {
		name: "counters", nodes: nodeHist, levels: onGrid, needs: []string{"group", "capacity", "slices", "least", "groups"},
		may: []string{"vector", "flight"},
	},
	WaySpread: {
		name: "spread", nodes: nodeHist, levels: onGrid, needs: []string{"group", "copies", "budget"},
		flags: []string{"sequential"}, yields: true,
		leaves: nodeHist,
	},
	WayOwn: {
		name: "own", nodes: nodeHist, levels: onGrid, needs: []string{"group", "copies", "budget", "capacity", "least"}, leaves: nodeHist,
	},
	WayChain: {
		name: "chain", nodes: nodeHist, levels: onGrid, needs: []string{"group", "capacity", "least", "groups"},
		may:    []string{"vector", "flight", "slices", "owners", "entries", "copies", "tries"},
		flags:  []string{"shuffles"},
		leaves: nodeHist,
	},
	WayChainCopies: {
		name: "chain_copies", nodes: nodeHist, levels: onGrid, needs: []string{"group", "owners", "budget", "least", "groups"},
		may:    []string{"vector", "flight"},
		leaves: nodeHist,
	},
	WayChainUpdates: {
		name: "chain_updates", nodes: nodeMap | nodeHist, levels: onGrid, needs: []string{"group", "owners", "least", "groups"},
		may: []string{"vector", "flight", "tries", "samples"}, flags: []string{"shuffles"},
	},
	WayChainSpread: {
		name: "chain_spread", nodes: nodeHist, levels: onGrid,
		needs: []string{"group", "owners", "copies", "budget", "least", "groups"}, may: []string{"vector", "flight", "tries", "samples"},
		flags:  []string{"shuffles"},
		leaves: nodeHist,
	},
	WayJoin: {
		name: "join", nodes: nodeHist, levels: onGrid, needs: []string{"group", "capacity", "least", "groups"},
		may:    []string{"vector", "flight", "slices", "copies", "tries"},
		flags:  []string{"shuffles"},
		leaves: nodeHist,
	},
	WayPrivate: {
		name: "private", nodes: nodeHist, levels: onGrid, needs: []string{"group", "capacity", "least", "groups"},
		may: []string{"vector", "flight"}, leaves: nodeHist,
	},
	WayTask: {
		name: "task", nodes: nodeMap | nodeRed | nodeScan | nodeHist, levels: onGrid, needs: []string{"tasks", "each"},
		may:    []string{"rows", "lanes", "run", "square"},
		flags:  []string{"copied"},
		spaces: manySegments,
	},
	WayRuns: {
		name: "runs", nodes: nodeRed | nodeScan | nodeHist, levels: onGrid, needs: []string{"tasks", "each"},
		may: []string{"lanes", "run", "square", "least", "copies", "capacity"}, flags: []string{"copied"}, yields: true,
		spaces: oneSegment | manySegments, leaves: nodeHist,
	},
	WayMembers: {
		name: "members", nodes: nodeMap | nodeRed | nodeScan | nodeHist, levels: inGroup,
		may:    []string{"flight", "short", "few"},
		flags:  []string{"sequential", "shuffles", "prefixes", "looped"},
		spaces: oneSegment | manySegments,
	},
	WayReaders: {name: "readers", nodes: nodeMap, levels: onGrid},
}

// String is the way's name in the text form.
func (w Way) String() string { return ways[w].name }

// Ways is how many ways there are.
const Ways = len(ways)

// numbers are the numbers of a form by name, in the order in which they are printed.
func (f *Form) numbers() []formNumber {
	return []formNumber{
		{"group", &f.Group},
		{"factor", &f.Factor},
		{"room", &f.Room},
		{"vector", &f.Vector},
		{"flight", &f.Flight},
		{"rows", &f.Rows},
		{"least", &f.Least},
		{"groups", &f.Groups},
		{"readers", &f.Readers},
		{"side", &f.Side},
		{"shape", &f.Shape},
		{"unroll", &f.Unroll},
		{"capacity", &f.Capacity},
		{"slices", &f.Slices},
		{"owners", &f.Owners},
		{"entries", &f.Entries},
		{"copies", &f.Copies},
		{"budget", &f.Budget},
		{"tries", &f.Tries},
		{"samples", &f.Samples},
		{"tasks", &f.Tasks},
		{"each", &f.Each},
		{"lanes", &f.Lanes},
		{"run", &f.Run},
		{"square", &f.Square},
		{"short", &f.Short},
		{"few", &f.Few},
	}
}

type formNumber struct {
	name string
	at   *int
}

// flags are the flags of a form by name, in the order in which they are printed.
func (f *Form) flags() []formFlag {
	return []formFlag{
		{"sequential", &f.Sequential}, {"shuffles", &f.Shuffles}, {"prefixes", &f.Prefixes}, {"looped", &f.Looped}, {"copied", &f.Copied},
	}
}

type formFlag struct {
	name string
	at   *bool
}

// Numbers are the numbers that the form's way has a use for.
func (f *Form) Numbers() []*int {
	var out []*int
	for _, n := range f.numbers() {
		if w := ways[f.Way]; slices.Contains(w.needs, n.name) || slices.Contains(w.may, n.name) {
			out = append(out, n.at)
		}
	}
	return out
}

// Flags are the flags that the form's way has a use for.
func (f *Form) Flags() []*bool {
	var out []*bool
	for _, n := range f.flags() {
		if slices.Contains(ways[f.Way].flags, n.name) {
			out = append(out, n.at)
		}
	}
	return out
}

// Bound compares a multiple of one measure with a multiple of another, or with By alone.
type Bound struct {
	Times int
	X     Measure
	Op    Comparison
	By    int
	Y     Measure
}

// Comparison is how a bound compares.
type Comparison uint8

const (
	// Below is <.
	Below Comparison = iota
	// Above is >.
	Above
	// AtMost is <=.
	AtMost
)

var comparisons = [...]string{"<", ">", "<="}

// Comparisons is how many there are.
const Comparisons = len(comparisons)

// CopiesPerPoint is how many elements of copies a histogram may have for each of its points: see WayOwn.
const CopiesPerPoint = 4

// Measure is a number that is known at run time.
type Measure uint8

const (
	// MeasureOne is the number one.
	MeasureOne Measure = iota
	// MeasureSize is how many points a segment has.
	MeasureSize
	// MeasureSegments is how many segments there are.
	MeasureSegments
	// MeasureBins is how many bins a histogram has, of its largest operator, or elements what a map updates.
	MeasureBins
	// MeasureIterations is how often the loop of a tiled map runs.
	MeasureIterations
	// MeasureTiles is how many tiles there are.
	MeasureTiles
	// MeasureCovered is how many points the tiles have.
	MeasureCovered
	// MeasureInside is how many of these points the space has; it has as many where there are no tiles.
	MeasureInside
	// MeasureAstray is how far the vectors that tiles read are from where they would be aligned, in sum.
	MeasureAstray
	// MeasureAcross is how many elements a row of a transposition has, or of the results of a map that reads across.
	MeasureAcross
	// MeasureAlong is how many elements a column of a transposition has, or of those results.
	MeasureAlong
	// MeasureLargest is how many points the largest operation inside a workgroup has.
	MeasureLargest
)

// measureInfo is what a measure is called, and which operations have it.
type measureInfo struct {
	name  string
	nodes node
}

// measures has an entry for each measure.
var measures = [...]measureInfo{
	MeasureOne:        {"one", 0},
	MeasureSize:       {"size", nodeRed | nodeScan | nodeHist},
	MeasureSegments:   {"segments", nodeRed | nodeScan | nodeHist},
	MeasureBins:       {"bins", nodeMap | nodeHist},
	MeasureIterations: {"iterations", nodeMap},
	MeasureTiles:      {"tiles", nodeMap},
	MeasureCovered:    {"covered", nodeMap},
	MeasureInside:     {"inside", nodeMap},
	MeasureAstray:     {"astray", nodeMap},
	MeasureAcross:     {"across", nodeMap},
	MeasureAlong:      {"along", nodeMap},
	MeasureLargest:    {"largest", nodeMap},
}

// String is the measure's name in the text form.
func (m Measure) String() string { return measures[m].name }

// Measures is how many measures there are.
const Measures = len(measures)

// Compare is the bound that a measure compares so with a number.
func Compare(x Measure, op Comparison, n int) Bound { return Bound{Times: 1, X: x, Op: op, By: n} }
