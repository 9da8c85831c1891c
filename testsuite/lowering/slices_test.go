package lowering

import (
	"testing"

	"skald/compiler"
	"skald/runtime/value"
)

// Bins that fit no table in workgroup memory are cut into slices, whose launches ask for the memory of a slice.
func TestSlicesOfBinsFitWorkgroupMemory(t *testing.T) {
	checked, sink, ok := compiler.Check("testdata/slices.fut", compiler.CheckOptions{})
	if !ok {
		t.Fatal(sink)
	}
	prog, diagnostic := compiler.Compile(checked, compiler.CompileOptions{})
	if diagnostic != nil {
		t.Fatal(diagnostic)
	}
	const n, k = 6_000, 4_096
	vs, sums, products := make([]int32, n), make([]int32, k), make([]int64, k)
	for i := range vs {
		vs[i] = int32(pseudo(i) >> 20)
		b := int(vs[i]%1009) * 7919 % k
		products[b] += int64(sums[b]) * int64(vs[i])
		sums[b] += vs[i]
	}
	p, err := prog.On(checking(t, "sm_75"))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	check(t, p, []value.Value{scalar(int64(k)), value.FromSlice(vs)}, []value.Value{value.FromSlice(sums), value.FromSlice(products)})
}
