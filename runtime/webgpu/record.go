package webgpu

import (
	"encoding/binary"
	"slices"
	"sync"

	"skald/runtime/device"
)

// Note [Batches]
// ~~~~~~~~~~~~~~
// A submission costs ten times what a dispatch costs, so launches, copies and
// fills go into one encoder, and launches that follow each other into one pass,
// in which WebGPU orders them as if each were alone. Params blocks lie in uniform
// buffers that are written once a batch and bound with a dynamic offset, so
// launches with the same buffers share a bind group; where the library has immediate variables
// they are part of the commands. The queue orders the writes
// of a batch behind the work of earlier ones, hence the same uniform buffers serve
// every batch. Small uploads to buffers that the batch uses already travel in the same
// way, and a recorded copy takes them out. A batch is submitted when somebody
// waits, or when it is long: the device should not idle while the host records, which takes it about as long
// as a small kernel takes the device. So all batches have one length but the first after somebody has waited, which is shorter, as the
// device has nothing to do before it, unless something was submitted behind what was waited for: a longer one leaves the device waiting
// before it and the host behind it, and each costs the host some 20 µs. Of the 502 launches of srad, which take an H200 1,620 µs,
// calls took 2,240, 2,000 and 3,320 µs
// with 16, 32 and all launches a batch, and 2,790 with batches that grew from 16 to twice the one before; pagerank and fluid likewise.
// With a first batch of 5 (another H200, 2026-11-27) fft took 404 µs instead of 495, fluid 650 instead of 846, pathfinder 494 instead of
// 631, nw 3,365 instead of 3,538; 3 and 8 were no better, and nothing got slower beyond what calls differ by.
// Full batches that were finished and submitted by another thread, while the host recorded the next, won nothing: of the medians on one
// H200 (2026-11-24), srad's was 1.10 of what it is, pagerank's 1.46, pathfinder's 1.20, fluid's 0.92. Nor did a thread that looks for
// batches instead of sleeping (2026-11-27, 50 calls each): canny 1.08, pagerank 1.13, fluid 0.97, bfs_iter 1.02, fft 0.81 in its spread.
// Of 3,490 µs of a call of srad finishing its 14 batches takes 1,340, the four calls of each launch 550, submitting 220, the rest of the
// host some 1,000; a call takes 1,740 at other moments, as if all of these took half.
// Where somebody waits, nothing lies between a submission and the request for an answer: what it was made of is released
// while the device works, and the library is polled for the answer alone.

const (
	batchLength   = 32   // Launches after which a batch is submitted.
	firstLength   = 5    // The same of the first after somebody has waited.
	unsyncedMost  = 512  // Batches after which the host waits for the device.
	mostBindGroup = 4096 // Bind groups that are kept.
)

// batch is what is recorded but not submitted. Device.mu protects it: see Note [Batches].
type batch struct {
	encoder  encoderHandle // 0 when nothing is recorded.
	next     encoderHandle // For the next batch; 0 if it is not made yet.
	pass     passHandle    // 0 outside a compute pass.
	pipeline pipelineHandle
	length   int
	bindings []bound // Memory for those of a launch.
	unsynced int     // Batches submitted since the last wait.
	written  int     // Bytes uploaded, which the library holds until the next submission.

	number uint64     // Of this batch, from 1 on: see block.batch.
	group  *bindGroup // What is bound in the pass; nil if that has a dynamic offset.

	params  ring // Params blocks of the launches.
	uploads ring // Small uploads to buffers that earlier commands use.
}

// Launch implements device.Device.
func (d *Device) Launch(l device.Launch) error {
	if err := device.CheckLaunch(&d.facts, &l); err != nil {
		return err
	}
	k, ok := l.Kernel.(*kernel)
	if !ok || k.owner != d {
		return &device.Error{Fault: device.Misuse, Op: "launch " + l.Kernel.Spec().Name, Detail: "kernel of another device"}
	}
	if l.Groups[0] == 0 || l.Groups[1] == 0 || l.Groups[2] == 0 {
		return d.usable()
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.usable(); err != nil {
		return err
	}
	bindings := d.batch.bindings[:0]
	for _, g := range l.Buffers {
		b, err := d.memory.Own(k.launching, g.Buffer, g.Offset, g.Size)
		if err != nil {
			return err
		}
		size := min(max((g.Size+3)&^3, 4), b.Handle.size-g.Offset)
		bindings = append(bindings, bound{block: b.Handle, offset: g.Offset, size: size})
	}
	d.batch.bindings = bindings
	if !d.options.Checked {
		wholeBlocks(bindings, d.facts.MaxBindingSize)
	}
	k, err := k.forBindings(bindings)
	if err != nil {
		return err
	}
	return d.record(k, l.Groups, bindings, l.Params)
}

// bound is a range of a block that a kernel sees.
type bound struct {
	block        *block
	offset, size int64
}

// wholeBlocks lets bindings show all of their block, of at most limit bytes, so that a bind group serves arrays of other sizes that get
// the same blocks: making one costs more than all else of a launch. What shares its block with another binding, or starts inside, stays
// as it is.
func wholeBlocks(bs []bound, limit int64) {
	for i, b := range bs {
		alone := func(o bound) bool { return o.block != b.block }
		if b.offset == 0 && all(bs[:i], alone) && all(bs[i+1:], alone) {
			bs[i].size = min(b.block.size, limit)
		}
	}
}

func all(bs []bound, f func(bound) bool) bool {
	return !slices.ContainsFunc(bs, func(b bound) bool { return !f(b) })
}

// record appends a launch to the batch. The lock is held.
func (d *Device) record(k *kernel, groups [3]uint32, bindings []bound, params []byte) error {
	b := &d.batch
	var uniform *block
	var offset int64
	if len(params) > 0 && !k.layout.immediate {
		var err error
		if uniform, offset, err = b.params.place(d, params); err != nil {
			return err
		}
	}
	d.beginLaunch(k)
	for _, g := range bindings {
		g.block.batch = b.number
	}
	group := d.groups.find(d.conn, k.layout, bindings, uniform)
	switch {
	case uniform != nil:
		d.conn.setGroup(b.pass, group.handle, withOffset, uint32(offset))
		b.group = nil
	case group != b.group:
		d.conn.setGroup(b.pass, group.handle, withoutOffset, 0)
		b.group = group
	}
	if k.layout.immediate {
		d.conn.setImmediates(b.pass, params)
	}
	if d.profile.inside {
		from := d.profile.add(k.spec.Name)
		d.conn.writeTimestamp(b.pass, d.profile.set, from)
		d.conn.dispatch(b.pass, groups)
		d.conn.writeTimestamp(b.pass, d.profile.set, from+1)
	} else {
		d.conn.dispatch(b.pass, groups)
	}
	d.stats.Launches++
	b.length++
	if d.profile.on && !d.profile.inside {
		d.endPass()
	}
	if b.length >= b.most() {
		return d.submit()
	}
	return nil
}

// begin makes sure that there is an encoder. The lock is held.
func (d *Device) begin() {
	if b := &d.batch; b.encoder == 0 {
		b.encoder, b.next = b.next, 0
		if b.encoder == 0 {
			b.encoder = d.conn.createEncoder()
		}
		b.number++
	}
}

// most is how many launches the batch may have.
func (b *batch) most() int {
	if b.unsynced == 0 {
		return firstLength
	}
	return batchLength
}

// synced notes that the host waits for all batches so far.
func (b *batch) synced() { b.syncedTo(0) }

// syncedTo notes that the host waits for all submissions but the last few.
func (b *batch) syncedTo(rest int64) { b.unsynced = int(rest) }

// uses reports whether recorded commands use a block.
func (b *batch) uses(k *block) bool { return b.encoder != 0 && k.batch == b.number }

// beginLaunch makes sure that there is a pass with the kernel's pipeline set.
func (d *Device) beginLaunch(k *kernel) {
	d.begin()
	b := &d.batch
	if b.pass == 0 {
		b.pass = d.conn.beginPass(b.encoder, d.profile.pass(k.spec.Name))
		b.pipeline, b.group = 0, nil
	}
	if b.pipeline != k.pipeline {
		d.conn.setPipeline(b.pass, k.pipeline)
		b.pipeline = k.pipeline
	}
}

// endPass ends the pass if there is one. The lock is held.
func (d *Device) endPass() {
	if d.batch.pass != 0 {
		d.conn.endPass(d.batch.pass)
		d.batch.pass = 0
	}
}

// submit hands the batch to the queue. The lock is held: see Note [Batches].
func (d *Device) submit() error {
	b := &d.batch
	if b.encoder == 0 && b.written == 0 {
		return d.usable()
	}
	if err := d.send(); err != nil {
		return err
	}
	d.conn.releaseSpent()
	if b.unsynced++; b.unsynced >= unsyncedMost {
		b.synced()
		return d.finish(d.conn.workDone(), "wait for the device")
	}
	if d.conn.lib.native {
		d.conn.poll(withoutWaiting) // Frees what finished batches held.
	}
	return d.usable()
}

// send is submit before somebody waits, who releases what is spent then. The lock is held.
func (d *Device) send() error {
	b := &d.batch
	if b.encoder == 0 && b.written == 0 {
		return d.usable()
	}
	d.begin()
	d.endPass()
	d.profile.resolve(d, b.encoder)
	b.params.flush(d.conn)
	b.uploads.flush(d.conn)
	d.conn.finish(b.encoder)
	b.encoder, b.length, b.written = 0, 0, 0
	if err := d.askAlive(); err != nil {
		d.conn.releaseSpent()
		return err
	}
	d.conn.submit()
	if err := d.alive(); err != nil {
		return err
	}
	d.profile.submitted(d.conn)
	d.stats.Submits++
	return nil
}

// Note [Lost devices]
// ~~~~~~~~~~~~~~~~~~~
// Most calls on a device that is lost succeed, or report an error and go on, but
// wgpu-native panics in wgpuQueueSubmit. So before each submission the next batch's encoder is
// made: on a device that is known to be lost that fails,
// the error handler hears of it, and the device has ended. A loss of which the
// driver tells only then is for Note [Panics of the library].

// askAlive returns the failure that has ended the device, after asking wgpu-native
// whether one has. See Note [Lost devices].
func (d *Device) askAlive() error {
	if d.conn.lib.native && d.batch.next == 0 {
		d.batch.next = d.conn.createEncoder()
	}
	return d.alive()
}

// alive returns the failure that has ended the device, if the library has panicked
// that. See Note [Lost devices].
func (d *Device) alive() error {
	if d.conn.broken.Load() {
		return d.health.End(&device.Error{
			Fault: device.Lost, Op: "run commands", Hint: openAgain,
			Detail: d.conn.lib.title + " gave up; what it says of the driver is on standard error",
		})
	}
	return d.usable()
}

// Flush implements device.Device.
func (d *Device) Flush() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.submit()
}

// Sync implements device.Device.
func (d *Device) Sync() error {
	d.mu.Lock()
	if err := d.send(); err != nil {
		d.mu.Unlock()
		return err
	}
	d.batch.synced()
	d.stats.Syncs++
	done := d.conn.workDone()
	d.conn.releaseSpent()
	d.mu.Unlock()
	return d.finish(done, "wait for the device")
}

// groupCache keeps bind groups by what they bind.
type groupCache struct {
	mu     sync.Mutex
	groups map[string]*bindGroup
	key    []byte
}

// bindGroup is a bind group. Its handle may be another's after its release, its address is not while somebody has it.
type bindGroup struct{ handle bindGroupHandle }

// find returns the bind group of a layout with these buffers, and with a uniform buffer for
// params blocks if the layout has one.
func (g *groupCache) find(c *connection, l *layout, bs []bound, uniform *block) *bindGroup {
	g.mu.Lock()
	defer g.mu.Unlock()
	key := binary.LittleEndian.AppendUint64(g.key[:0], uint64(l.group))
	for _, b := range bs {
		key = binary.LittleEndian.AppendUint64(key, b.block.number)
		key = binary.LittleEndian.AppendUint64(key, uint64(b.offset))
		key = binary.LittleEndian.AppendUint64(key, uint64(b.size))
	}
	if uniform != nil {
		key = binary.LittleEndian.AppendUint64(key, uniform.number)
	}
	g.key = key
	if found := g.groups[string(key)]; found != nil {
		return found
	}
	if len(g.groups) >= mostBindGroup {
		g.drop(c)
	}
	if g.groups == nil {
		g.groups = map[string]*bindGroup{}
	}
	made := &bindGroup{c.createBindGroup(l.group, entries(l, bs, uniform))}
	g.groups[string(key)] = made
	return made
}

// entries lists what a bind group binds.
func entries(l *layout, bs []bound, uniform *block) []bindGroupEntry {
	var out []bindGroupEntry
	for i, b := range bs {
		out = append(out, bindGroupEntry{
			binding: uint32(i), buffer: b.block.handle, offset: uint64(b.offset), size: uint64(b.size),
		})
	}
	if uniform != nil {
		out = append(out, bindGroupEntry{binding: uint32(len(bs)), buffer: uniform.handle, size: uint64(l.params)})
	}
	return out
}

// clear forgets all bind groups; recorded commands keep those that they use.
func (g *groupCache) clear(c *connection) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.drop(c)
}

func (g *groupCache) drop(c *connection) {
	for _, h := range g.groups {
		c.releaseBindGroup(h.handle)
	}
	g.groups = nil
}
