package cuda

import (
	"slices"
	"sync/atomic"
	"unsafe"
)

// Note [Graphs of launches]
// ~~~~~~~~~~~~~~~~~~~~~~~~~
// A launch costs the driver 3.4 to 3.9 us of the host's time on an H200, and a kernel node of a graph 0.3 to 0.9 us if its arguments are
// set again, so that a loop of small kernels is bound by the host unless its launches are nodes of a graph. Graphs of the sizes in
// graphSizes are made once, as chains of nodes: any launch can be any node, as the driver lets a node take another kernel.
//
// The first launches after a wait go into the stream one by one, so that the GPU starts at once. Those that follow are collected, and go
// into the stream when there are as many as the largest graph takes, or before anything else does: a transfer, a wait, memory that goes
// back to the driver. The largest graph that they fill takes the first of them, and so on; what fills none is launched one by one. A node
// that has the arguments already, as in a loop that swaps two arrays, keeps them.
//
// Where the host waits often, launches that are late make it wait longer: a quicksort that waits after each 27 launches, all with other
// arguments, took 11.6 ms by graphs and 9.9 ms without, while k-means, which waits after each 13 with the arguments of the iteration
// before, took 1.40 ms instead of 1.56. So the launches between two waits count: where they were few the last time, and a graph has
// to be set for most of its nodes, no launches are collected up to that number. Loops without waits have gained most (H200, 2026-11-22;
// us): 10^4 steps on 256 numbers 50,190 → 13,410, srad 3,394 → 1,459, fluid 1,279 → 615, pathfinder 453 → 248.
//
// Graphs are made when a program has had a number of launches that could have been collected, since making them costs 3 us a node. Where
// the driver cannot do any of this, or a launch fails, launches go one by one for good, and the one that fails says so.

// graphSizes are how many launches a graph takes, the largest first.
var graphSizes = [...]int{16, 8, 4}

const (
	// aheadOfGraphs is how many launches go into the stream one by one after a wait, and farAheadOfGraphs is how many where waits are
	// frequent and arguments new.
	aheadOfGraphs, farAheadOfGraphs = 4, 64
	// launchesBeforeGraphs is how many launches could have been collected before graphs are made.
	launchesBeforeGraphs = 256
)

// graphSymbols are the entry points of graphs, some of which drivers before CUDA 11.4 lack.
type graphSymbols struct {
	GraphCreate, GraphAddKernelNode, GraphInstantiateWithFlags, GraphExecKernelNodeSetParams, GraphLaunch, GraphExecDestroy,
	GraphDestroy uintptr
}

// nodeParams is CUDA_KERNEL_NODE_PARAMS.
type nodeParams struct {
	function        uintptr
	groups, threads [3]uint32
	shared          uint32
	arguments       *unsafe.Pointer
	extra           uintptr
}

// launch is one that is not in the stream yet.
type launch struct {
	kernel *kernel
	groups [3]uint32
	shared int
	args   arguments
}

// params are those of a node for the launch.
func (w *launch) params() nodeParams {
	s := &w.kernel.spec
	p := nodeParams{function: w.kernel.function, groups: w.groups, shared: uint32(w.shared), arguments: &w.args.list[0]}
	for i, n := range s.Workgroup {
		p.threads[i] = max(n, 1)
	}
	return p
}

// same reports whether two launches are of one kernel with the same arguments.
func (w *launch) same(v *launch) bool {
	return w.kernel == v.kernel && w.groups == v.groups && w.shared == v.shared && slices.Equal(w.args.used(), v.args.used())
}

// graph is an executable graph, a chain of launches.
type graph struct {
	exec, graph uintptr
	nodes       []uintptr
	has         []launch   // What each node launches; its list of arguments is not kept.
	params      nodeParams // For the call of the driver that is under way.
}

// collector collects launches for graphs: see Note [Graphs of launches].
type collector struct {
	off     bool
	far     bool // farAheadOfGraphs counts.
	since   int  // Launches since the last wait,
	before  int  // and between the last two.
	could   int  // Launches that could have been collected, up to launchesBeforeGraphs.
	waiting []launch
	n       atomic.Int32 // How many of waiting are used. Only this is read without the lock.
	graphs  [len(graphSizes)]*graph
}

// collects reports whether the next launch is to be collected.
func (c *collector) collects() bool {
	ahead := aheadOfGraphs
	if c.far {
		ahead = farAheadOfGraphs
	}
	c.since++
	switch {
	case c.off || c.since <= ahead:
		return false
	case c.could < launchesBeforeGraphs:
		c.could++
		return false
	}
	return true
}

// waits notes that the host waits.
func (c *collector) waits() {
	if c.since == 0 {
		return
	}
	c.before, c.since = c.since, 0
	if c.before >= farAheadOfGraphs {
		c.far = false
	}
}

// next is where the next launch is collected.
func (c *collector) next() *launch {
	if c.waiting == nil {
		c.waiting = make([]launch, graphSizes[0])
	}
	return &c.waiting[c.n.Load()]
}

// collected puts all collected launches into the stream. The lock is held.
func (d *Device) collected() error {
	c := &d.collector
	n := c.n.Swap(0)
	if n == 0 {
		return nil
	}
	rest := c.waiting[:n]
	failing := ""
	status, err := d.within(func() (status uint32) {
		for i, size := range graphSizes {
			for len(rest) >= size && !c.off {
				if d.launchGraph(&c.graphs[i], rest[:size]) != 0 {
					c.off = true // What is wrong shows when the launches go one by one.
					break
				}
				rest = rest[size:]
			}
		}
		for i := range rest {
			if status = d.start(&rest[i]); status != 0 {
				failing = rest[i].kernel.spec.Name
				break
			}
		}
		return status
	})
	if status != 0 {
		return d.failed("launch "+failing, status)
	}
	return err
}

// launchGraph launches as a graph, which it makes if there is none yet. The context is current.
func (d *Device) launchGraph(g **graph, of []launch) uint32 {
	if *g == nil {
		*g = &graph{}
		if status := (*g).make(d.drv, of); status != 0 {
			return status
		}
	} else {
		changed, status := (*g).set(d.drv, of)
		if status != 0 {
			return status
		}
		c := &d.collector
		c.far = c.far || 2*changed > len(of) && max(c.before, c.since) < farAheadOfGraphs
	}
	if status := call(d.drv.graphs.GraphLaunch, (*g).exec, d.stream); status != 0 {
		return status
	}
	d.stats.Launches += int64(len(of))
	d.pending = true
	return 0
}

// make makes the graph of some launches.
func (g *graph) make(drv *driver, of []launch) uint32 {
	handle := new(uintptr)
	if status := call(drv.graphs.GraphCreate, uintptr(unsafe.Pointer(handle)), 0); status != 0 {
		return status
	}
	g.graph = *handle
	g.nodes, g.has = make([]uintptr, len(of)), make([]launch, len(of))
	var before *uintptr
	for i := range of {
		g.params = of[i].params()
		status := call(drv.graphs.GraphAddKernelNode, uintptr(unsafe.Pointer(&g.nodes[i])), g.graph,
			uintptr(unsafe.Pointer(before)), uintptr(min(i, 1)), uintptr(unsafe.Pointer(&g.params)))
		if status != 0 {
			return status
		}
		before = &g.nodes[i]
		g.keep(i, &of[i])
	}
	*handle = 0
	status := call(drv.graphs.GraphInstantiateWithFlags, uintptr(unsafe.Pointer(handle)), g.graph, 0)
	g.exec = *handle
	return status
}

// set makes the nodes launch what is given, and says how many had to be changed.
func (g *graph) set(drv *driver, of []launch) (changed int, status uint32) {
	for i := range of {
		if g.has[i].same(&of[i]) {
			continue
		}
		g.params = of[i].params()
		status = call(drv.graphs.GraphExecKernelNodeSetParams, g.exec, g.nodes[i], uintptr(unsafe.Pointer(&g.params)))
		if status != 0 {
			return changed, status
		}
		g.keep(i, &of[i])
		changed++
	}
	return changed, 0
}

// keep notes what a node launches.
func (g *graph) keep(i int, w *launch) {
	has := &g.has[i]
	has.kernel, has.groups, has.shared = w.kernel, w.groups, w.shared
	has.args.memory = append(has.args.memory[:0], w.args.used()...)
	has.args.words = w.args.words
}

// release destroys the graphs. The context is current.
func (c *collector) release(drv *driver) {
	for _, g := range c.graphs {
		if g == nil {
			continue
		}
		if g.exec != 0 {
			call(drv.graphs.GraphExecDestroy, g.exec)
		}
		if g.graph != 0 {
			call(drv.graphs.GraphDestroy, g.graph)
		}
	}
	c.graphs, c.off = [len(graphSizes)]*graph{}, true
}
