package lowering

import (
	"slices"
	"testing"

	"skald/runtime/host"
	"skald/runtime/value"
)

// Every construct inside of a workgroup computes what a loop over its row computes.
func TestWorkgroupsRunWholeBodies(t *testing.T) {
	onDevices(t, "group", 100_000, func(t *testing.T, p *host.Program) {
		for _, m := range []int{1, 2, 31, 32, 33, 45} {
			const n = 3
			xs, turned, counts := make([][]int32, n), make([][]int32, n), make([]int32, n)
			for i := range xs {
				xs[i] = make([]int32, m)
				for j := range xs[i] {
					xs[i][j] = int32(pseudo(m*i+j) % 7)
				}
				turned[i], counts[i] = wholeRow(xs[i])
			}
			check(t, p, []value.Value{scalar(int64(n)), scalar(int64(m)), matrix(t, xs)},
				[]value.Value{matrix(t, turned), value.FromSlice(counts)})
		}
	})
}

// matrix is an array of rows.
func matrix(t *testing.T, rows [][]int32) value.Value {
	t.Helper()
	m, err := value.FromSlice(slices.Concat(rows...)).Reshape(len(rows), len(rows[0]))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// wholeRow is what testdata/group.core computes of a row.
func wholeRow(xs []int32) (out []int32, twos int32) {
	m := len(xs)
	zs := make([]int32, m)
	sum := int32(0)
	for j, x := range xs {
		sum += x
		zs[j] = sum
		if x == 2 {
			twos++
		}
	}
	for range 3 {
		s := int32(0)
		for _, z := range zs {
			s += z
		}
		if s < 100 {
			for j := range zs {
				zs[j] += s
			}
		}
	}
	out = make([]int32, m)
	for j := range zs {
		last := zs[m-1]
		if j == m-1 {
			last = 1000
		}
		out[m-1-j] = last + zs[j] + twos
	}
	return out, twos
}
