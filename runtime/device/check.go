package device

import "fmt"

// CheckSpec reports what in a spec the device could not run, before any driver
// sees it, so that every device returns the same error for the same mistake.
func CheckSpec(f *Facts, s *KernelSpec) error {
	switch {
	case s.Entry == "":
		return misuse("compile kernel %s: it has no entry point", s.Name)
	case s.Buffers > f.MaxBindings:
		return limit("compile kernel %s: it takes %d buffers, the device allows %d", s.Name, s.Buffers, f.MaxBindings)
	case s.Params > f.MaxParams:
		return limit("compile kernel %s: its params block has %d bytes, the device allows %d", s.Name, s.Params, f.MaxParams)
	case s.Immediate && s.Params > f.MaxImmediates:
		return limit("compile kernel %s: its params block has %d bytes, the device allows %d in a command",
			s.Name, s.Params, f.MaxImmediates)
	case s.Threads() > f.MaxThreads:
		return limit("compile kernel %s: its workgroups have %d threads, the device allows %d",
			s.Name, s.Threads(), f.MaxThreads)
	case s.Declared+s.Shared > f.WorkgroupMemory:
		return limit("compile kernel %s: it needs %d bytes of workgroup memory, the device has %d",
			s.Name, s.Declared+s.Shared, f.WorkgroupMemory)
	}
	for d, n := range s.Workgroup {
		if n > f.MaxWorkgroup[d] {
			return limit("compile kernel %s: dimension %d of its workgroups has %d threads, the device allows %d",
				s.Name, d, n, f.MaxWorkgroup[d])
		}
	}
	return nil
}

// CheckLaunch reports a launch that breaks the contract or a limit. Bindings are
// made explicit: their Size is set where it was 0.
func CheckLaunch(f *Facts, l *Launch) error {
	if l.Kernel == nil {
		return misuse("launch of no kernel")
	}
	s := l.Kernel.Spec()
	if len(l.Buffers) != s.Buffers {
		return misuse("launch %s: %d buffers given, %d expected", s.Name, len(l.Buffers), s.Buffers)
	}
	if len(l.Params) != s.Params {
		return misuse("launch %s: %d bytes of params given, %d expected", s.Name, len(l.Params), s.Params)
	}
	if l.Shared < 0 || l.Shared > s.Shared {
		return misuse("launch %s: %d bytes of workgroup memory asked for, at most %d expected", s.Name, l.Shared, s.Shared)
	}
	for d, n := range l.Groups {
		if n > f.MaxGroups[d] {
			return limit("launch %s: %d workgroups in dimension %d, the device allows %d", s.Name, n, d, f.MaxGroups[d])
		}
	}
	for i := range l.Buffers {
		if err := checkBinding(f, s, l.Buffers, i); err != nil {
			return err
		}
	}
	return nil
}

// checkBinding checks binding i for itself and against those before it.
func checkBinding(f *Facts, s *KernelSpec, bs []Binding, i int) error {
	b := &bs[i]
	if b.Buffer == nil {
		return misuse("launch %s: buffer %d is nil", s.Name, i)
	}
	if b.Size == 0 {
		b.Size = b.Buffer.Size() - b.Offset
	}
	switch {
	case b.Offset < 0 || b.Size < 0 || b.Offset+b.Size > b.Buffer.Size():
		return misuse("launch %s: buffer %d: bytes %d..%d of a buffer of %d",
			s.Name, i, b.Offset, b.Offset+b.Size, b.Buffer.Size())
	case f.OffsetAlign > 0 && b.Offset%f.OffsetAlign != 0:
		return misuse("launch %s: buffer %d: offset %d is no multiple of %d", s.Name, i, b.Offset, f.OffsetAlign)
	case b.Size > f.MaxBindingSize:
		return limit("launch %s: buffer %d: binding of %d bytes, the device allows %d", s.Name, i, b.Size, f.MaxBindingSize)
	}
	for j := range i {
		o := &bs[j]
		if o.Buffer == b.Buffer && b.Size > 0 && o.Size > 0 &&
			b.Offset < o.Offset+o.Size && o.Offset < b.Offset+b.Size {
			return misuse("launch %s: buffers %d and %d overlap", s.Name, j, i)
		}
	}
	return nil
}

// CheckAlloc reports a size that no buffer of the device can have.
func CheckAlloc(f *Facts, size int64) error {
	if size >= 0 && size <= f.MaxBufferSize {
		return nil
	}
	return &Error{
		Fault: OutOfMemory, Op: fmt.Sprintf("allocate %d bytes", size),
		Detail: fmt.Sprintf("one buffer may have at most %d", f.MaxBufferSize), Hint: "use smaller arrays",
	}
}

// CheckRange reports a range that does not lie in a buffer.
func CheckRange(op string, b Buffer, offset, n int64) error {
	if b == nil {
		return misuse("%s: buffer is nil", op)
	}
	if offset < 0 || n < 0 || offset+n > b.Size() || offset+n < offset {
		return misuse("%s: bytes %d..%d of a buffer of %d", op, offset, offset+n, b.Size())
	}
	return nil
}

func misuse(format string, args ...any) error {
	return &Error{Fault: Misuse, Op: fmt.Sprintf(format, args...)}
}

func limit(format string, args ...any) error {
	return &Error{
		Fault: Limit, Op: fmt.Sprintf(format, args...), Hint: "compile the program for this device, or use one with larger limits",
	}
}
