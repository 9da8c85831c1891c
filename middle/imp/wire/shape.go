package wire

import (
	"reflect"
	"sync"

	"skald/middle/imp"
)

// Shapes tells which kernels of a program have the same code.
type Shapes struct {
	funs map[*imp.DeviceFunction]int
}

// ShapesOf is that of some kernels.
func ShapesOf(ks []*imp.Kernel) Shapes {
	s := Shapes{funs: map[*imp.DeviceFunction]int{}}
	for _, k := range ks {
		for _, f := range imp.DeviceFunctions(k.Body) {
			if s.funs[f] == 0 {
				s.funs[f] = len(s.funs) + 1
			}
		}
	}
	return s
}

// writers are those that no shape is written by.
var writers = sync.Pool{New: func() any { return new(writer) }}

// Of is the shape of one of the kernels: two kernels have the same if they differ in names, comments and the sites of assertions alone, so
// that a back end prints one as it prints the other, but for these. It may be called from several goroutines at once.
func (s Shapes) Of(k *imp.Kernel) string {
	w := writers.Get().(*writer)
	w.out, w.funs, w.shape = w.out[:0], s.funs, true
	kernelCoder.write(w, reflect.ValueOf(k))
	shape := string(w.out)
	writers.Put(w)
	return shape
}
