package main

import (
	"skald/runtime/device"
)

// stream takes the results of a span, batch by batch, from the device that computes them to the one that judges them.
// Where these are two, a batch is computed while the one before it is judged.
type stream struct {
	from, to    device.Device
	fill, judge device.Kernel
	size        int64  // Bytes of a result.
	batch       uint64 // Tuples of a batch.

	task, results device.Buffer // Of from.
	copy          device.Buffer // Of to; results if they are one.
	number, found device.Buffer // Of to.
}

const foundSize = 4 * (8 + classes*kept)

func newStream(s *sweeper, fill, judge device.Kernel, size int64, batch uint64) (*stream, error) {
	st := &stream{from: s.dev, to: s.judge, fill: fill, judge: judge, size: size, batch: batch}
	bytes := size * int64(batch)
	var err error
	alloc := func(d device.Device, n int64) (b device.Buffer) {
		if err == nil {
			b, err = d.Alloc(n)
		}
		return b
	}
	st.task, st.results = alloc(st.from, 8), alloc(st.from, bytes)
	st.copy = st.results
	if st.to != st.from {
		st.copy = alloc(st.to, bytes)
	}
	st.number, st.found = alloc(st.to, 8), alloc(st.to, foundSize)
	if err == nil {
		err = st.to.Fill(st.found, 0, foundSize, 0)
	}
	return st, err
}

func (st *stream) free() {
	st.from.Free(st.task)
	st.from.Free(st.results)
	if st.to != st.from {
		st.to.Free(st.copy)
	}
	st.to.Free(st.number)
	st.to.Free(st.found)
}

// batch is the results of the tuples first, first+1, …; there are no bytes if they stay on the device.
type batch struct {
	first, count uint64
	bytes        []byte
}

// run takes all tuples.
func (st *stream) run(total uint64) error {
	if st.from == st.to {
		for lo := uint64(0); lo < total; lo += st.batch {
			b := batch{first: lo, count: min(st.batch, total-lo)}
			if err := st.compute(b); err != nil {
				return err
			}
			if err := st.look(b); err != nil {
				return err
			}
		}
		return nil
	}
	empty, full := make(chan []byte, 2), make(chan batch)
	for range 2 {
		empty <- make([]byte, st.size*int64(st.batch))
	}
	var failed error
	go func() {
		defer close(full)
		for lo := uint64(0); lo < total; lo += st.batch {
			b := batch{first: lo, count: min(st.batch, total-lo)}
			b.bytes = (<-empty)[:st.size*int64(b.count)]
			if failed = st.compute(b); failed != nil {
				return
			}
			full <- b
		}
	}()
	var judging error
	for b := range full {
		if judging == nil {
			judging = st.look(b)
		}
		empty <- b.bytes
	}
	if failed != nil {
		return failed
	}
	return judging
}

// compute fills a batch, and reads it back if it has bytes.
func (st *stream) compute(b batch) error {
	if err := st.from.Upload(st.task, 0, spanInput(b.first, b.count)); err != nil {
		return err
	}
	groups := uint32((b.count + 63) / 64)
	const across = 1 << 15
	err := st.from.Launch(device.Launch{
		Kernel: st.fill, Groups: [3]uint32{min(groups, across), (groups + across - 1) / across, 1},
		Buffers: []device.Binding{{Buffer: st.task, Size: 8}, {Buffer: st.results, Size: st.size * int64(b.count)}},
	})
	if err != nil || b.bytes == nil {
		return err
	}
	return st.from.Download(device.Region{Buffer: st.results, Data: b.bytes})
}

// look has a batch judged.
func (st *stream) look(b batch) error {
	if err := st.to.Upload(st.number, 0, spanInput(b.first, b.count)); err != nil {
		return err
	}
	if b.bytes != nil {
		if err := st.to.Upload(st.copy, 0, b.bytes); err != nil {
			return err
		}
	}
	return st.to.Launch(device.Launch{
		Kernel: st.judge, Groups: [3]uint32{min(judgeGroups, uint32(b.count+63)/64), 1, 1},
		Buffers: []device.Binding{
			{Buffer: st.number, Size: 8}, {Buffer: st.copy, Size: st.size * int64(b.count)}, {Buffer: st.found, Size: foundSize},
		},
	})
}
