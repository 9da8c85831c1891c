package host

import (
	"fmt"
	"slices"

	"skald/middle/imp"
	"skald/runtime/device"
)

// Note [Launch plans]
// ~~~~~~~~~~~~~~~~~~~
// Most executions of a launch statement take the same form of its kernel, and only the buffers and the arguments differ. So each
// session keeps a plan for each statement: the form that the last execution took, and the memory that bindings and parameters are
// put in. An execution that fits the plan looks nothing up and allocates nothing. What the plan does not cover (arrays that are
// bound as one, or larger than a binding) goes the way of launchRare.

// plan is what the executions of one launch statement share.
type plan struct {
	round    *round  // of the statement
	form     *kernel // nil before the first
	alias    []int   // of the blocks, in the last execution: see Program.form
	room     []int64 // how many elements sized arrays had, in the last execution
	wide     bool    // in the last execution
	bindings []device.Binding
	params   []byte
}

// Launch records a launch.
func (s *session) Launch(l *imp.Launch, groups int64, args, blocks []uint64, room []int64, wide bool) error {
	if err := s.Ended(); err != nil {
		return err
	}
	pl := s.plans[l]
	if pl == nil {
		pl = &plan{round: s.p.rounds.launches[l], alias: make([]int, len(blocks))}
		s.plans[l] = pl
	}
	wide = wide || s.p.exceed(l.Kernel, blocks)
	if err := pl.choose(s.p, l, blocks, room, wide); err != nil {
		return err
	}
	pl.bindings = pl.bindings[:0]
	rare := pl.form.into != nil
	for i, b := range blocks {
		if pl.alias[i] == i {
			place := s.p.blocks.place(b)
			pl.bindings = append(pl.bindings, place)
			rare = rare || place.Size > s.p.ordinary
		}
	}
	if rare {
		return s.launchRare(pl, groups, args)
	}
	return s.launchForm(pl.form, groups, args, pl)
}

// exceed reports whether an ordinary form of a kernel has too small indices for one of these blocks. (No kernel by that name is an error
// where the form is chosen.)
func (p *Program) exceed(kernel string, blocks []uint64) bool {
	for i, b := range blocks {
		size := p.blocks.place(b).Size
		if size < imp.NarrowLimit {
			continue
		}
		if k, err := p.parts.Kernel(kernel); err == nil && size/int64(k.Mems[i].Elem.Size()) >= imp.NarrowLimit {
			return true
		}
	}
	return false
}

// choose makes form the form of the kernel for these blocks and this room.
func (pl *plan) choose(p *Program, l *imp.Launch, blocks []uint64, room []int64, wide bool) error {
	same := pl.form != nil && pl.wide == wide && (p.dev.Facts().SizesAtLaunch || slices.Equal(pl.room, room))
	pl.room = append(pl.room[:0], room...)
	for i, b := range blocks {
		first := 0
		for blocks[first] != b {
			first++
		}
		same = same && pl.alias[i] == first
		pl.alias[i] = first
	}
	if same {
		return nil
	}
	in, err := p.roomFor(l.Kernel, room, p.rounds.changes[l])
	if err != nil {
		return err
	}
	k, err := p.formFor(l.Kernel, pl.alias, in, wide)
	if err == nil {
		err = p.printForm(k)
	}
	if err != nil {
		pl.form = nil
		return err
	}
	pl.form, pl.wide = k, wide
	pl.params = make([]byte, k.code.Bytes)
	return nil
}

// launchRare launches on arrays of which some are bound as one, or that are larger than ordinary ones.
func (s *session) launchRare(pl *plan, groups int64, args []uint64) error {
	k, own := pl.form, pl.bindings
	if err := s.p.indexable(k, own); err != nil {
		return err
	}
	if s.p.blocks.arenas == nil {
		return s.launchIn(k, pl, own, groups, args)
	}
	k, err := s.p.packed(k, own)
	if err != nil {
		return err
	}
	if _, ok := s.p.suits(k, own); ok {
		return s.launchIn(k, pl, own, groups, args)
	}
	g, err := s.p.gather(k, own)
	if err != nil {
		return err
	}
	defer g.free(s.p.dev)
	if k, err = s.p.packed(k, g.own); err != nil {
		return err
	}
	if needs, ok := s.p.suits(k, g.own); !ok {
		return k.decl.Limit(fmt.Errorf("its arrays need %d bindings of up to %d bytes, the device allows %d",
			needs, s.p.dev.Facts().MaxBindingSize, k.most))
	}
	if err := s.launchIn(k, pl, g.own, groups, args); err != nil {
		return err
	}
	return g.copyBack(s.p.dev)
}

// launchIn launches a form of a kernel, which suits arrays that lie in own, in the round and with the room of a plan.
func (s *session) launchIn(k *kernel, pl *plan, own []device.Binding, groups int64, args []uint64) error {
	if err := s.p.printForm(k); err != nil {
		return err
	}
	bindings, args := k.bind(own, args)
	k, bindings, err := s.p.inChunks(k, bindings)
	if err != nil {
		return err
	}
	return s.launchForm(k, groups, args, &plan{round: pl.round, room: pl.room, bindings: bindings, params: make([]byte, k.code.Bytes)})
}

// launchForm launches a form of a kernel, with the bindings in pl, which has memory for its parameters.
func (s *session) launchForm(k *kernel, groups int64, args []uint64, pl *plan) error {
	if k.run == nil {
		if err := s.p.makeRound(pl.round, k); err != nil {
			return err
		}
		clear(s.p.rehearsed)
	}
	if k.code.Failure {
		pl.bindings = append(pl.bindings, device.Binding{Buffer: s.failure})
		s.risk = true
	}
	most := s.p.mostGroups
	rows := (groups + most - 1) / most
	s.busy = true
	shared := k.code.Shared
	if len(k.code.Rooms) > 0 {
		shared = k.code.Dynamic(k.decl, pl.room)
	}
	return s.launch(k, device.Launch{
		Kernel: k.run, Buffers: pl.bindings, Params: k.code.PackInto(pl.params, k.decl, args, groups, pl.room...), Shared: shared,
		Groups: [3]uint32{uint32((groups + rows - 1) / rows), uint32(rows), 1},
	}, groups)
}
