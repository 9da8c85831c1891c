package imp

import "math/bits"

// SplitMems is a copy of k in which global array i is bound as counts[i] buffers, if that is not zero, of 2^log bytes each but the
// last.
func SplitMems(k *Kernel, counts []int, log int) *Kernel {
	out := *k
	out.Mems = append([]MemDecl(nil), k.Mems...)
	for i, n := range counts {
		if n > 0 {
			m := &out.Mems[i]
			m.Chunks, m.ChunkLog = n, log-bits.TrailingZeros(uint(m.Elem.Size()))
		}
	}
	return &out
}
