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

// constructs are what a workgroup can do together; each computes of a row what its program in testdata/group does.
var constructs = map[string]func(xs []int32) []int32{
	"map":    func(xs []int32) []int32 { return each(xs, func(_ int, x int32) int32 { return 3 * x }) },
	"reduce": func(xs []int32) []int32 { return each(xs, func(_ int, x int32) int32 { return total(xs) - x }) },
	"scan": func(xs []int32) []int32 {
		return each(xs, func(j int, _ int32) int32 { return total(xs[:len(xs)-j]) })
	},
	"hist": func(xs []int32) []int32 {
		var counts [7]int32
		for _, x := range xs {
			counts[x]++
		}
		return each(xs, func(_ int, x int32) int32 { return x + 1000*counts[3] + counts[1] })
	},
	"scatter": func(xs []int32) []int32 { return each(xs, func(j int, _ int32) int32 { return xs[len(xs)-1-j] }) },
	"loop": func(xs []int32) []int32 {
		rounds := xs[0]
		for range rounds {
			xs = each(xs, func(j int, x int32) int32 { return x + xs[min(j+1, len(xs)-1)] })
		}
		return xs
	},
	"branch": func(xs []int32) []int32 {
		return each(xs, func(j int, _ int32) int32 {
			if xs[0] < 3 {
				return total(xs[:len(xs)-j])
			}
			return -xs[len(xs)-1-j]
		})
	},
}

// Each construct by itself does inside of a workgroup what it does outside.
func TestWorkgroupsRunEachConstruct(t *testing.T) {
	for name, want := range constructs {
		t.Run(name, func(t *testing.T) {
			onDevices(t, "group/"+name, 100_000, func(t *testing.T, p *host.Program) {
				for _, m := range []int{1, 2, 31, 33, 300} {
					const n = 7
					xs, rows := make([][]int32, n), make([][]int32, n)
					for i := range xs {
						xs[i] = make([]int32, m)
						for j := range xs[i] {
							xs[i][j] = int32(pseudo(m*i+j) % 7)
						}
						rows[i] = want(xs[i])
					}
					check(t, p, []value.Value{scalar(int64(n)), scalar(int64(m)), matrix(t, xs)}, []value.Value{matrix(t, rows)})
				}
			})
		})
	}
}

func each(xs []int32, f func(j int, x int32) int32) []int32 {
	out := make([]int32, len(xs))
	for j, x := range xs {
		out[j] = f(j, x)
	}
	return out
}

func total(xs []int32) (sum int32) {
	for _, x := range xs {
		sum += x
	}
	return sum
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
