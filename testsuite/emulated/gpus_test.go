package emulated

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"skald/compiler"
	"skald/runtime/cuda"
	"skald/runtime/value"
)

// TestOneProgramRunsOnTwoGPUsAtOnce uses the GPUs of this machine if it has two, and else two emulated ones.
func TestOneProgramRunsOnTwoGPUsAtOnce(t *testing.T) {
	if n, err := cuda.Count(); err == nil && n > 1 {
		runOnTwo(t)
		return
	}
	if os.Getenv(folderVariable) != "" {
		t.Fatal("the emulated driver has fewer than two GPUs")
	}
	e := emulate(t)
	child := exec.Command(os.Args[0], "-test.run=^TestOneProgramRunsOnTwoGPUsAtOnce$", "-test.v")
	child.Env = append(e.env(e.compiler), "SKALD_CACHE="+t.TempDir(), "SKALD_EMULATED_GPUS=2")
	out, err := child.CombinedOutput()
	t.Logf("%s", out)
	if err != nil {
		t.Fatal(err)
	}
}

const twoSource = `
def main (n: i64) (seed: i32) : (i32, []i32) =
  let xs = map (\i -> i32.i64 (i * i % 1009) * seed) (iota n)
  let sums = scan (+) 0 xs
  let bins = reduce_by_index (replicate 1009 0) (+) 0 (map (% 1009) (iota n)) xs
  in (i32.sum sums, bins)
`

// runOnTwo compiles a program once and runs it on two GPUs at the same time, several times on each with arguments of its own; the
// processor says what is right.
func runOnTwo(t *testing.T) {
	source := filepath.Join(t.TempDir(), "two.fut")
	if err := os.WriteFile(source, []byte(twoSource), 0o600); err != nil {
		t.Fatal(err)
	}
	checked, _, ok := compiler.Check(source, compiler.CheckOptions{})
	if !ok {
		t.Fatal("the program is rejected")
	}
	p, d := compiler.Compile(checked, compiler.CompileOptions{})
	if d != nil {
		t.Fatal(d)
	}
	const rounds = 8
	want := results(t, p, "cpu", 1, rounds)
	other := results(t, p, "cpu", 2, rounds)
	var both sync.WaitGroup
	var got [2][]string
	for gpu := range got {
		both.Go(func() { got[gpu] = results(t, p, fmt.Sprintf("cuda:%d", gpu), gpu+1, rounds) })
	}
	both.Wait()
	for i := range want {
		if t.Failed() || got[0][i] != want[i] || got[1][i] != other[i] {
			t.Fatalf("round %d differs from the processor", i)
		}
	}
}

// results runs the program on a device and returns what it computes, as text.
func results(t *testing.T, p *compiler.Program, name string, seed, rounds int) (out []string) {
	dev, _, err := compiler.OpenDevice(compiler.DeviceOptions{Name: name})
	if err != nil {
		t.Error(err)
		return nil
	}
	defer dev.Close() //nolint:errcheck // the results are there
	t.Log(dev.Facts().Name, dev.Facts().API)
	on, err := p.On(dev)
	if err != nil {
		t.Error(err)
		return nil
	}
	defer on.Close()
	for i := range rounds {
		args := []value.Value{value.FromSlice([]int64{int64(1000 + 777*i)}).Row(0), value.FromSlice([]int32{int32(seed)}).Row(0)}
		values, err := on.Call("main", args)
		if err != nil {
			t.Error(err)
			return nil
		}
		text := ""
		for _, v := range values {
			text += v.String()
		}
		out = append(out, text)
	}
	return out
}
