package reference

import (
	"math/big"
)

// scaled returns floor(x · 2^64) for 0 <= x < 1, as the tables of the shader library hold their numbers.
func scaled(x *big.Float) uint64 {
	n, _ := work.scale(x, 64).Int(nil)
	return n.Uint64()
}

// Tables computes the tables of the shader library that have a closed form, by name. The others are interpolations,
// which the functions' error bounds vouch for.
func Tables() map[string][]uint64 {
	a := work
	t := map[string][]uint64{}
	factorial := a.int(1)
	for k := range int64(17) {
		factorial = a.mul(factorial, a.int(k+2))
		t["TABLE_EXPM1"] = append(t["TABLE_EXPM1"], scaled(a.div(a.int(1), factorial)))
	}
	factorial = a.int(1)
	for k := range int64(20) {
		factorial = a.mul(factorial, a.int(k+1))
		t["TABLE_ERF"] = append(t["TABLE_ERF"], scaled(a.div(a.int(1), a.mul(factorial, a.int(2*k+3)))))
	}
	for k := range int64(9) {
		t["TABLE_ATAN_EIGHTHS"] = append(t["TABLE_ATAN_EIGHTHS"], scaled(a.atan(a.scale(a.int(k), -3))))
		n := 2*k + 2
		b := new(big.Rat).Abs(bernoulli[k])
		t["TABLE_STIRLING"] = append(t["TABLE_STIRLING"], scaled(a.div(a.zero().SetRat(b), a.int(n*(n-1)))))
	}
	return t
}

// TwoOverPi returns n words of the bits of 2 / pi behind the point, highest first.
func TwoOverPi(n int) []uint32 {
	a := arith{uint(32*n + 64)}
	bits, _ := a.scale(a.div(a.int(2), a.pi()), 32*n).Int(nil)
	words := make([]uint32, n)
	for i := range words {
		w := new(big.Int).Rsh(bits, uint(32*(n-1-i)))
		words[i] = uint32(w.Uint64())
	}
	return words
}
