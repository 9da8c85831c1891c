package host

import (
	"context"
	"encoding/binary"
	"fmt"

	"skald/middle/imp"
	"skald/middle/imp/eval"
	"skald/runtime/device"
	"skald/runtime/prim"
)

// session is what host code works with: it implements eval.Host.
type session struct {
	p      *Program
	blocks []block // by handle; 0 is none
	unused []uint64
	fail   *eval.Failure
	busy   bool // something was launched since the last wait
	ctx    context.Context
}

// block is a block of memory and how many variables hold it.
type block struct {
	buf  device.Buffer
	refs int
}

var _ eval.Host = (*session)(nil)

func newSession(p *Program) *session {
	return &session{p: p, blocks: make([]block, 1), fail: new(eval.Failure), ctx: context.Background()}
}

// roundUp makes room for access by vectors of words.
func roundUp(n int64) int64 { return max((n+15)&^15, 16) }

// Alloc makes a block.
func (s *session) Alloc(elem prim.Type, count int64) (uint64, error) {
	if count < 0 || count > 1<<50 {
		return 0, fmt.Errorf("cannot allocate an array of %d elements of type %s", count, elem)
	}
	return s.allocBytes(count * int64(elem.Size()))
}

func (s *session) allocBytes(n int64) (uint64, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	buf, err := s.p.dev.Alloc(roundUp(n))
	if err != nil {
		return 0, err
	}
	b := block{buf, 1}
	if n := len(s.unused); n > 0 {
		h := s.unused[n-1]
		s.unused = s.unused[:n-1]
		s.blocks[h] = b
		return h, nil
	}
	s.blocks = append(s.blocks, b)
	return uint64(len(s.blocks) - 1), nil
}

// Retain counts one more holder of a block.
func (s *session) Retain(h uint64) { s.blocks[h].refs++ }

// Release counts one less, and frees the block after the last.
func (s *session) Release(h uint64) {
	b := &s.blocks[h]
	if b.refs--; b.refs == 0 {
		s.p.dev.Free(b.buf)
		b.buf = nil
		s.unused = append(s.unused, h)
	}
}

// holders counts the holders of each block.
func (s *session) holders() []int {
	out := make([]int, len(s.blocks))
	for h, b := range s.blocks {
		out[h] = b.refs
	}
	return out
}

// rollback makes the holders of blocks what they were, after code that broke off. Literals stay: they are uploaded once. The blocks that
// were held before still exist, since whoever called holds them.
func (s *session) rollback(before []int) {
	literals := map[uint64]bool{}
	for _, h := range s.p.literal {
		literals[h] = true
	}
	for h := range s.blocks {
		b := &s.blocks[h]
		was := 0
		if h < len(before) {
			was = before[h]
		}
		switch {
		case b.buf == nil:
		case was > 0:
			b.refs = was
		case literals[uint64(h)]:
			b.refs = 1
		default:
			b.refs = 1
			s.Release(uint64(h))
		}
	}
}

// freeAll frees every block.
func (s *session) freeAll() {
	for i := range s.blocks {
		if s.blocks[i].buf != nil {
			s.p.dev.Free(s.blocks[i].buf)
			s.blocks[i] = block{}
		}
	}
	s.blocks, s.unused = s.blocks[:1], nil
}

// Copy copies elements.
func (s *session) Copy(elem prim.Type, dst uint64, dstOff int64, src uint64, srcOff, count int64) error {
	if count <= 0 {
		return nil
	}
	size := int64(elem.Size())
	return s.p.dev.Copy(s.blocks[dst].buf, dstOff*size, s.blocks[src].buf, srcOff*size, count*size)
}

// Fill sets elements to one value.
func (s *session) Fill(elem prim.Type, b uint64, off, count int64, value uint64) error {
	if count <= 0 {
		return nil
	}
	data := make([]byte, count*int64(elem.Size()))
	for i := range data {
		data[i] = byte(value >> (8 * (i % elem.Size())))
	}
	return s.p.dev.Upload(s.blocks[b].buf, off*int64(elem.Size()), data)
}

// Data uploads a literal once.
func (s *session) Data(d *imp.Data) (uint64, error) {
	h, ok := s.p.literal[d]
	if !ok {
		var err error
		if h, err = s.allocBytes(int64(len(d.Bytes))); err != nil {
			return 0, err
		}
		if err := s.p.dev.Upload(s.blocks[h].buf, 0, d.Bytes); err != nil {
			return 0, err
		}
		s.p.literal[d] = h
	}
	s.Retain(h)
	return h, nil
}

// Read waits for the device and reads elements, and whether a kernel failed.
func (s *session) Read(places []eval.Place) ([]uint64, error) {
	if err := s.ctx.Err(); err != nil {
		return nil, err
	}
	data := make([][8]byte, len(places))
	regions := make([]device.Region, len(places))
	for i, p := range places {
		size := p.Elem.Size()
		regions[i] = device.Region{Buffer: s.blocks[p.Block].buf, Offset: p.Index * int64(size), Data: data[i][:size]}
	}
	if err := s.wait(regions...); err != nil {
		return nil, err
	}
	words := make([]uint64, len(places))
	for i, p := range places {
		words[i] = prim.Canonical(p.Elem, binary.LittleEndian.Uint64(data[i][:]))
	}
	return words, nil
}

// wait reads regions back, and the failure buffer with them.
func (s *session) wait(regions ...device.Region) error {
	s.busy = false
	if !s.p.fails {
		return s.p.dev.Download(regions...)
	}
	failure := make([]byte, 4*imp.FailureWords)
	err := s.p.dev.Download(append(regions, device.Region{Buffer: s.p.failure, Data: failure})...)
	if err != nil {
		return err
	}
	site := binary.LittleEndian.Uint32(failure)
	if site == 0 {
		return nil
	}
	if int(site) > len(s.p.prog.Sites) {
		return fmt.Errorf("the device reports a failure at a place that does not exist (%d)", site)
	}
	values := make([]uint64, len(s.p.prog.Sites[site-1].Types))
	for i := range values {
		values[i] = binary.LittleEndian.Uint64(failure[4*(imp.FailureValues+2*i):])
	}
	s.fail.Set(int32(site-1), values)
	return s.p.dev.Fill(s.p.failure, 0, 4*imp.FailureWords, 0)
}

// Write writes an element.
func (s *session) Write(elem prim.Type, b uint64, index int64, value uint64) error {
	data := binary.LittleEndian.AppendUint64(nil, value)
	return s.p.dev.Upload(s.blocks[b].buf, index*int64(elem.Size()), data[:elem.Size()])
}

// Launch records a launch.
func (s *session) Launch(l *imp.Launch, groups int64, args, blocks []uint64, wide bool) error {
	if err := s.ctx.Err(); err != nil {
		return err
	}
	alias := make([]int, len(blocks))
	for i, b := range blocks {
		alias[i] = i
		for j := range i {
			if blocks[j] == b {
				alias[i] = j
				break
			}
		}
	}
	k, err := s.p.form(l.Kernel, alias, false)
	if err == nil && wide && !k.code.Wide {
		k, err = s.p.form(l.Kernel, alias, true)
	}
	if err != nil {
		return err
	}
	var own []device.Buffer // one for each block
	for i, b := range blocks {
		if alias[i] == i {
			own = append(own, s.blocks[b].buf)
		}
	}
	if err := s.p.indexable(k, own); err != nil {
		return err
	}
	packed, err := s.pack(k, own)
	if err != nil {
		return err
	}
	defer packed.free(s.p.dev)
	k, buffers, err := s.p.inPieces(k, packed.bindings)
	if err != nil {
		return err
	}
	if len(packed.offsets) > 0 {
		args = append(append([]uint64(nil), args...), packed.offsets...)
	}
	out := device.Launch{Kernel: k.run, Params: k.code.Pack(k.decl, args, groups), Buffers: buffers}
	if k.code.Failure {
		out.Buffers = append(out.Buffers, device.Binding{Buffer: s.p.failure})
	}
	most := int64(s.p.dev.Facts().MaxGroups[0])
	rows := (groups + most - 1) / most
	out.Groups = [3]uint32{uint32((groups + rows - 1) / rows), uint32(rows), 1}
	s.busy = true
	if err := s.launch(k, out, groups); err != nil {
		return err
	}
	return packed.copyBack(s.p.dev)
}

// Const is a constant of the program.
func (s *session) Const(i int) uint64 { return s.p.consts[i] }

// Tune is a tuning parameter.
func (s *session) Tune(i int) int64 { return s.p.tunes[i] }

// Failure is where a failed assertion is noted.
func (s *session) Failure() *eval.Failure { return s.fail }
