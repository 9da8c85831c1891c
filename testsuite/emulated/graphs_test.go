package emulated

import (
	"fmt"
	"strings"
	"testing"
)

// stepsSource has two launches a step, which do not depend on anything that the host reads, and a check in one of them.
const stepsSource = `def main [n] (k: i32) (at: []i64) (xs: [n]i32) : [n]i32 =
  loop xs for i < k do
    let ys = map2 (\x y -> x + 3 * y + i) (rotate 1 xs) xs
    in map (\j -> ys[j % n] - ys[at[0]]) (iota n)
`

// steps is what the program returns.
func steps(k int32, at int, xs []int32) []int32 {
	n := len(xs)
	for i := range k {
		ys, next := make([]int32, n), make([]int32, n)
		for j := range ys {
			ys[j] = xs[(j+1)%n] + 3*xs[j] + i
		}
		for j := range next {
			next[j] = ys[j] - ys[at]
		}
		xs = next
	}
	return xs
}

func TestLoopsOfLaunchesAreGraphs(t *testing.T) {
	const k, at = 600, 2
	xs := []int32{1, -2, 3, 40, -500, 6, 7}
	text := make([]string, len(xs))
	for i, x := range steps(k, at, xs) {
		text[i] = fmt.Sprintf("%di32", x)
	}
	want := "[" + strings.Join(text, ", ") + "]\n"
	p := buildProgram(t, stepsSource, fmt.Sprintf("%d [%d] [1, -2, 3, 40, -500, 6, 7]", k, at))
	const report = "SKALD_EMULATED_REPORT=1"
	for _, c := range []struct {
		what   string
		env    []string
		graphs bool
	}{
		{"graphs", nil, true},
		{"none can be made", []string{"SKALD_EMULATED_FAILURES=GraphCreate=801"}, false},
		{"none can be made executable", []string{"SKALD_EMULATED_FAILURES=GraphInstantiate=801"}, false},
		{"nodes cannot be set", []string{"SKALD_EMULATED_FAILURES=GraphExecKernelNodeSetParams=801"}, true},
		{"none can be launched", []string{"SKALD_EMULATED_FAILURES=GraphLaunch=801"}, false},
	} {
		o := p.run(t, append(c.env, report), []string{"--device", "cuda"})
		if o.code != 0 || o.out != want {
			t.Errorf("%s: exit code %d, %q instead of %q\n%s", c.what, o.code, o.out, want, o.err)
		}
		if graphs := strings.Contains(o.err, "a graph of 16 launches"); graphs != c.graphs {
			t.Errorf("%s: graphs: %v", c.what, graphs)
		}
	}
	p.input = fmt.Sprintf("%d [%d] [1, 2, 3]", k, 3)
	o := p.run(t, []string{report}, []string{"--device", "cuda"})
	wantError(t, o, "Index.*out of bounds")
	if !strings.Contains(o.err, "a graph of") {
		t.Error("the failing launches were in no graph")
	}
}
