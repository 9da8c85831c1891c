package main

import (
	"cmp"
	"slices"
	"strings"
	"testing"
)

func TestCSVHasARowForEachResult(t *testing.T) {
	var got strings.Builder
	err := writeCSV(&got, []Result{
		{Case: "copy", Device: "cub", Times: []float64{9}},
		{Case: "copy", Device: "webgpu", Times: []float64{9, 10, 12}, Floor: 8, Target: 11},
		{Case: "matmul", Device: "cuda", Times: []float64{4, 4, 5}, Flops: 8e6},
		{Case: "far", Device: "webgpu", Skip: "no subgroups"},
		{Case: "bad", Device: "webgpu", Error: "differs"},
	})
	want := `case,device,floor_us,median_us,min_us,max_us,wanted_us,tflops,note
copy,cub,,9.0,9.0,9.0,,,
copy,webgpu,8,10.0,9.0,12.0,11,,
matmul,cuda,,4.0,4.0,5.0,,2.0,
far,webgpu,,,,,,,no: no subgroups
bad,webgpu,,,,,,,WRONG
`
	if err != nil || got.String() != want {
		t.Errorf("%v\n%s\nwant\n%s", err, got.String(), want)
	}
}

func TestSubgroupsOfOneThreadLeaveTheOperand(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"let a = subgroupAdd(f(x, y)) + 1u;", "let a = (f(x, y)) + 1u;"},
		{"subgroupShuffle(subgroupMax(v), l[0])", "((v))"},
		{"subgroupExclusiveAdd(v)", "((v) - (v))"},
		{"subgroupBallot(b).x", "vec4<u32>(select(0u, 1u, b), 0u, 0u, 0u).x"},
	} {
		if got := single(c.in); got != c.want {
			t.Errorf("%s becomes %s, want %s", c.in, got, c.want)
		}
	}
}

func TestReferenceOfSortsIsAStableSort(t *testing.T) {
	for _, of := range []sorting{sortKeys, sortI32, sortPairs, sortI64, sortWide} {
		in := sortInput(of, 3_000, 0x80000007)
		order := make([]int, 3_000)
		for i := range order {
			order[i] = i
		}
		key := func(i int) int64 {
			switch {
			case of.key == 2:
				return int64(in[1][i])<<32 | int64(in[0][i])
			case of.signed:
				return int64(int32(in[0][i]))
			}
			return int64(in[0][i])
		}
		slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(key(i), key(j)) })
		for w, words := range sorted(of, in) {
			for i, x := range words {
				if x != in[w][order[i]] {
					t.Fatalf("%s: word %d of element %d is %#x, want %#x", of.name, w, i, x, in[w][order[i]])
				}
			}
		}
	}
}
