package host

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"skald/middle/imp"
	"skald/runtime/device"
	"skald/runtime/prim"
	"skald/runtime/value"
)

// Args are the arguments of an entry point on the device. They may be used for
// several runs.
type Args struct {
	entry *imp.Entry
	words []uint64 // by parameter of the function
	held  []uint64 // the blocks among them
	fresh []owned  // those that a run may overwrite
}

// owned is a block that an entry point consumes: each run gets a copy.
type owned struct {
	param int
	elem  prim.Type
	bytes int64
}

// Upload checks the arguments of an entry point and brings them to the device.
func (p *Program) Upload(entry string, args []value.Value) (*Args, error) {
	e := p.Entry(entry)
	if e == nil {
		return nil, fmt.Errorf("the program has no entry point %q", entry)
	}
	n := 0
	for _, param := range e.Params {
		n += len(param.Parts)
	}
	switch {
	case len(args) < n:
		return nil, fmt.Errorf("entry point %s: too few arguments", entry)
	case len(args) > n:
		return nil, fmt.Errorf("entry point %s takes %d arguments, not %d", entry, n, len(args))
	}
	next := 0
	return p.UploadStreams(entry, func(int, value.Type) (*value.Stream, error) {
		next++
		return args[next-1].Stream(), nil
	})
}

// UploadStreams is Upload of arguments that come as streams, so that large ones need not lie in the host's memory. next returns
// the next value, which belongs to the parameter with that index; the value before has been taken to its end then.
func (p *Program) UploadStreams(entry string, next func(param int, t value.Type) (*value.Stream, error)) (*Args, error) {
	return p.uploadTo(entry, next, p.dev.Upload)
}

// UploadWhile is UploadStreams that does something else while small arguments are brought to the device: a driver takes as long
// for the first as for compiling a kernel. meanwhile is told the arguments when all have come; it must not run the program with them.
func (p *Program) UploadWhile(
	entry string, next func(param int, t value.Type) (*value.Stream, error), meanwhile func(*Args) error,
) (*Args, error) {
	later := laterUploads{dev: p.dev}
	a, err := p.uploadTo(entry, next, later.upload)
	if err != nil {
		return nil, err
	}
	sent := make(chan error)
	go func() { sent <- later.send() }()
	err = meanwhile(a)
	if err = errors.Join(<-sent, err); err != nil {
		p.FreeArgs(a)
		return nil, err
	}
	return a, nil
}

// mostLater bounds the bytes of uploads that wait, in copies.
const mostLater = 4 << 20

// laterUploads are small uploads that wait until they are sent.
type laterUploads struct {
	dev   device.Device
	list  []laterUpload
	bytes int
}

type laterUpload struct {
	to   device.Buffer
	at   int64
	data []byte
}

// upload notes an upload, or makes it if it is not small.
func (l *laterUploads) upload(to device.Buffer, at int64, data []byte) error {
	if l.bytes+len(data) > mostLater {
		return l.dev.Upload(to, at, data)
	}
	l.bytes += len(data)
	l.list = append(l.list, laterUpload{to, at, slices.Clone(data)})
	return nil
}

// send makes the uploads that wait.
func (l *laterUploads) send() error {
	for _, u := range l.list {
		if err := l.dev.Upload(u.to, u.at, u.data); err != nil {
			return err
		}
	}
	return nil
}

// uploadTo checks the arguments of an entry point, which come as streams, and has upload take their data.
func (p *Program) uploadTo(
	entry string, next func(param int, t value.Type) (*value.Stream, error), upload func(device.Buffer, int64, []byte) error,
) (_ *Args, err error) {
	e := p.Entry(entry)
	if e == nil {
		return nil, fmt.Errorf("the program has no entry point %q", entry)
	}
	fun, err := p.parts.Function(e.Fun)
	if err != nil {
		return nil, err
	}
	n := len(fun.Params)
	a := &Args{entry: e, words: make([]uint64, n)}
	defer func() {
		if err != nil {
			p.FreeArgs(a)
		}
	}()
	known := make([]bool, n)
	for i := range e.Params {
		for _, part := range e.Params[i].Parts {
			s, err := next(i, value.ArrayType(part.Elem, len(part.Shape)))
			if err != nil {
				return nil, err
			}
			if err := a.sizes(known, &e.Params[i], part, s.Type()); err != nil {
				return nil, err
			}
			if len(part.Shape) > 0 {
				err = p.uploadArray(a, &e.Params[i], part, s, upload)
			} else {
				err = a.scalar(known, part, s)
			}
			if err != nil {
				return nil, err
			}
		}
	}
	return a, nil
}

// sizes checks the type of an argument against its part, and takes its sizes over.
func (a *Args) sizes(known []bool, param *imp.EntryValue, part imp.EntryPart, t value.Type) error {
	if t.Elem != part.Elem || len(t.Dims) != len(part.Shape) {
		return fmt.Errorf("entry point %s: argument %s should have type %s, but is a %s of rank %d",
			a.entry.Name, param.Name, param.Type, t.Elem, len(t.Dims))
	}
	for i, d := range part.Shape {
		want := d.N
		if d.Kind == imp.DimParam {
			if !known[d.N] {
				known[d.N], a.words[d.N] = true, uint64(t.Dims[i])
			}
			want = int64(a.words[d.N])
		}
		if want != int64(t.Dims[i]) {
			return fmt.Errorf("entry point %s: invalid sizes: argument %s has size %d where its type %s and the other arguments ask for %d",
				a.entry.Name, param.Name, t.Dims[i], param.Type, want)
		}
	}
	return nil
}

// scalar takes a scalar argument over.
func (a *Args) scalar(known []bool, part imp.EntryPart, s *value.Stream) error {
	v, err := s.Value()
	if err != nil {
		return err
	}
	a.words[part.At], known[part.At] = v.Scalar().Word(), true
	return nil
}

// uploadArray makes a block for an argument and uploads what comes.
func (p *Program) uploadArray(
	a *Args, param *imp.EntryValue, part imp.EntryPart, s *value.Stream, upload func(device.Buffer, int64, []byte) error,
) error {
	bytes := s.Bytes()
	h, to, err := p.allocArg(part.Elem, bytes)
	if err != nil {
		return err
	}
	a.words[part.At] = h
	a.held = append(a.held, h)
	if param.Unique {
		a.fresh = append(a.fresh, owned{part.At, part.Elem, bytes})
	}
	for at := int64(0); ; {
		piece, err := s.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := upload(to.Buffer, to.Offset+at, piece); err != nil {
			return err
		}
		at += int64(len(piece))
	}
}

func (p *Program) allocArg(elem prim.Type, bytes int64) (uint64, device.Binding, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	h, err := p.blocks.alloc(elem, bytes)
	if err != nil {
		return 0, device.Binding{}, err
	}
	return h, p.blocks.place(h), nil
}

// FreeArgs frees the blocks of arguments.
func (p *Program) FreeArgs(a *Args) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.freeArgs(a)
}

func (p *Program) freeArgs(a *Args) {
	for _, h := range a.held {
		p.blocks.release(h)
	}
	a.held = nil
}
