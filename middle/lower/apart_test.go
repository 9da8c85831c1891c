package lower

import (
	"testing"

	"skald/middle/imp"
	"skald/runtime/prim"
)

// Wherever an array begins, no read of 16 bytes covers the word behind what it has and another word that is used, of it or of what follows.
func TestTheWordBehindIsApart(t *testing.T) {
	for _, typ := range []prim.Type{prim.Bool, prim.I8, prim.U16, prim.F32} {
		const used = 8
		k := &kernelBuilder{k: &imp.Kernel{}}
		a := behind(k, k.shared("part", imp.Of(typ), used))
		at, size, count := int(a.at.(*imp.Const).Value.Int()), typ.Size(), k.k.Mems[a.mem].Count
		for begin := 0; begin < widestRead; begin += size {
			read := (begin + at*size) / widestRead * widestRead
			if first := read - begin; first < used*size {
				t.Errorf("%s, from byte %d: a read covers word %d", typ, begin, first/size)
			}
			if last := read + widestRead - begin; last > count*size {
				t.Errorf("%s, from byte %d: a read covers what follows", typ, begin)
			}
		}
	}
}
