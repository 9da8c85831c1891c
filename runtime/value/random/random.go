package random

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"strings"

	"skald/runtime/prim"
	"skald/runtime/value"
)

// source is Steele, Lea and Flood's SplitMix64 generator ("Fast splittable pseudorandom number generators", 2014).
type source struct{ state, gamma uint64 }

const golden = 0x9e3779b97f4a7c15

func newSource(seed uint64) source {
	return source{state: mix(seed), gamma: mixGamma(seed + golden)}
}

func (s *source) next() uint64 {
	s.state += s.gamma
	return mix(s.state)
}

// mix is the finaliser of MurmurHash3.
func mix(z uint64) uint64 {
	z = (z ^ z>>33) * 0xff51afd7ed558ccd
	z = (z ^ z>>33) * 0xc4ceb9fe1a85ec53
	return z ^ z>>33
}

// mixGamma is Stafford's variant 13 of the finaliser, made odd and, if its bits change too seldom, flipped.
func mixGamma(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	z = z ^ z>>31 | 1
	if bits.OnesCount64(z^z>>1) < 24 {
		z ^= 0xaaaaaaaaaaaaaaaa
	}
	return z
}

// Bounds are the least and greatest values to make, inclusive, by element type. Bools are not bounded.
type Bounds [prim.NumTypes][2]prim.Value

// DefaultBounds are the full range for integers, and 0 to 1 for floats.
func DefaultBounds() *Bounds {
	var b Bounds
	for _, t := range prim.AllTypes() {
		if t.IsFloat() {
			b[t] = [2]prim.Value{prim.Zero(t), prim.One(t)}
		} else {
			b[t] = [2]prim.Value{prim.Lowest(t), prim.Highest(t)}
		}
	}
	return &b
}

// Set sets the bounds of one type from a text like "-10:10", as the options of the data set tool take it.
func (b *Bounds) Set(t prim.Type, text string) error {
	low, high, ok := strings.Cut(text, ":")
	if !ok {
		return fmt.Errorf("bounds %q for %s: want MIN:MAX", text, t)
	}
	var pair [2]prim.Value
	for i, s := range []string{low, high} {
		v, err := prim.ParseValueAs(strings.TrimSpace(s), t)
		if err != nil {
			return fmt.Errorf("bounds %q for %s: %w", text, t, err)
		}
		pair[i] = v
	}
	b[t] = pair
	return nil
}

// Make makes a random value of a type, all of whose dimensions must be known.
func Make(b *Bounds, t value.Type, seed uint64) value.Value {
	v := value.New(t.Elem, t.Dims...)
	src := newSource(seed)
	draw := element(t.Elem, b[t.Elem], &src)
	data := v.Bytes()
	switch t.Elem.Size() { // Arrays may have 10^8 elements: what differs by type is outside of the loops.
	case 4:
		for i := 0; i < len(data); i += 4 {
			binary.LittleEndian.PutUint32(data[i:], uint32(draw()))
		}
	case 8:
		for i := 0; i < len(data); i += 8 {
			binary.LittleEndian.PutUint64(data[i:], draw())
		}
	default:
		for i := range v.Len() {
			v.SetWord(i, draw())
		}
	}
	return v
}

// element returns the function that draws canonical words of a type within bounds.
func element(t prim.Type, b [2]prim.Value, src *source) func() uint64 {
	low, high := b[0], b[1]
	switch {
	case t == prim.Bool:
		return func() uint64 { return src.next() & 1 }
	case t.IsFloat():
		return float(t, low.Float(), high.Float(), src)
	}
	if prim.EvalCmp(prim.Gt, low, high) {
		low, high = high, low
	}
	base := low.Word()
	spread := (high.Word() - base) & (math.MaxUint64 >> (64 - t.Bits()))
	var offset func() uint64
	if t.IsUnsigned() && t != prim.U64 {
		offset = func() uint64 { return src.multiplied(uint32(spread)) }
	} else {
		offset = func() uint64 { return src.masked(spread) }
	}
	return func() uint64 { return prim.Canonical(t, base+offset()) }
}

// masked draws a number up to spread, inclusive: it cuts draws to the bits of spread and rejects those above.
func (s *source) masked(spread uint64) uint64 {
	mask := uint64(math.MaxUint64) >> bits.LeadingZeros64(spread|1)
	for {
		if x := s.next() & mask; x <= spread {
			return x
		}
	}
}

// multiplied draws a number up to spread, inclusive, as the upper half of a product (Lemire, "Fast random integer
// generation in an interval", 2019).
func (s *source) multiplied(spread uint32) uint64 {
	if spread == math.MaxUint32 {
		return uint64(uint32(s.next()))
	}
	n := spread + 1
	least := -n % n
	for {
		m := uint64(uint32(s.next())) * uint64(n)
		if uint32(m) >= least {
			return m >> 32
		}
	}
}

// float returns the function that draws floats: x*low + (1-x)*high for x in [0, 1], where each operation rounds to the
// type; f16 is made by rounding f32.
func float(t prim.Type, low, high float64, src *source) func() uint64 {
	if t == prim.F64 {
		return func() uint64 {
			x := float64(src.next()) / float64(math.MaxUint64)
			return prim.MakeF64(between(x, low, high)).Word()
		}
	}
	return func() uint64 {
		x := float32(uint32(src.next())) / float32(math.MaxUint32)
		return prim.MakeFloat(t, float64(between(x, float32(low), float32(high)))).Word()
	}
}

// between interpolates. The conversions keep the products from being fused with the sum.
func between[F float32 | float64](x, low, high F) F {
	if low == high {
		return low
	}
	return F(x*low) + F((1-x)*high) //nolint:unconvert // rounds each product, as a conversion may not be fused
}
