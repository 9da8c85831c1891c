package wire

import (
	"reflect"

	"skald/middle/imp"
)

// Shapes tells which kernels of a program have the same code. The zero Shapes is ready for use.
type Shapes struct {
	funs map[*imp.DeviceFunction]int
	out  []byte
}

// Of is the shape of a kernel: two kernels have the same if they differ in names, comments and the sites of assertions alone, so that a
// back end prints one as it prints the other, but for these.
func (s *Shapes) Of(k *imp.Kernel) string {
	for _, f := range imp.DeviceFunctions(k.Body) {
		if s.funs == nil {
			s.funs = map[*imp.DeviceFunction]int{}
		}
		if s.funs[f] == 0 {
			s.funs[f] = len(s.funs) + 1
		}
	}
	w := &writer{out: s.out[:0], funs: s.funs, shape: true}
	kernelCoder.write(w, reflect.ValueOf(k))
	s.out = w.out
	return string(w.out)
}
