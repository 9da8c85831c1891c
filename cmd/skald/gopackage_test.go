package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skald/testsuite/depth"
)

const goProgram = `
type point = {x: f32, y: f32}
type sum = #none | #some i32
-- | The dot product.
entry dot [n] (xs: [n]f32) (ys: [n]f32) : f32 = f32.sum (map2 (*) xs ys)
entry scale (k: f32) (m: [][]f32) : [][]f32 = map (map (* k)) m
entry centre (ps: []point) : point =
  let n = f32.i64 (length ps)
  in {x = f32.sum (map (.x) ps) / n, y = f32.sum (map (.y) ps) / n}
entry two (type': i64) (b: bool) = (b, [type', 2])
entry some (x: i32) : sum = #some x
entry unsome (s: sum) : i32 = match s case #some x -> x case #none -> 0
entry at [n] (xs: [n]i64) (i: i64) : i64 = xs[i]
`

const goCaller = `package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"example.com/caller/prog"
	"skald"
)

func check(err error) {
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

func main() {
	ctx := context.Background()
	p, err := prog.Open(skald.DeviceOptions{Name: "cpu"})
	check(err)
	dot, err := p.Dot(ctx, []float32{1, 2, 3}, []float32{4, 5, 6})
	check(err)
	m, err := p.Scale(ctx, 2, prog.Array2[float32]{Data: []float32{1, 2, 3, 4, 5, 6}, Shape: [2]int{2, 3}})
	check(err)
	c, err := p.Centre(ctx, prog.PointArray1{X: []float32{1, 3}, Y: []float32{2, 4}})
	check(err)
	b, xs, err := p.Two(ctx, 7, true)
	check(err)
	s, err := p.Some(ctx, 5)
	check(err)
	five, err := p.Unsome(ctx, s)
	check(err)
	fmt.Println(dot, m.Data, m.Shape, c.X, c.Y, b, xs, five)
	var failure *skald.Failure
	_, err = p.At(ctx, []int64{1}, 1)
	fmt.Println(errors.As(err, &failure))
	_, err = p.Dot(ctx, []float32{1}, []float32{1, 2})
	fmt.Println(err != nil)
	_, err = p.Scale(ctx, 2, prog.Array2[float32]{Data: []float32{1}, Shape: [2]int{2, 3}})
	fmt.Println(err != nil)
	_, err = p.Unsome(ctx, prog.Sum{})
	fmt.Println(err)
	check(p.Close())
}
`

// A module outside of this one uses a generated package, as docs/go.md says. Full tests have both modules in a workspace, where Go builds
// ours as it does here, which is done already.
func TestGoPackagesWorkInAnotherModule(t *testing.T) {
	depth.Need(t, depth.Full)
	dir := t.TempDir()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"prog.fut": goProgram, "main.go": goCaller} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	succeed(t, dir, skaldHere(t), "build", "--go", "prog", "prog.fut")
	succeed(t, dir, "go", "mod", "init", "example.com/caller")
	if depth.Of() < depth.Deep {
		succeed(t, dir, "go", "work", "init", ".", root)
		succeed(t, dir, "go", "build", "-o", "caller", ".")
	} else {
		copyTo(t, dir, "../../go.sum") // of what is fetched already
		succeed(t, dir, "go", "mod", "edit", "-require=skald@v0.0.0", "-replace=skald="+root)
		succeed(t, dir, "go", "build", "-mod=mod", "-o", "caller", ".")
	}
	got := succeed(t, dir, filepath.Join(dir, "caller"))
	want := "32 [2 4 6 8 10 12] [2 3] 2 3 true [7 2] 5\ntrue\ntrue\ntrue\na value of type Sum is empty\n"
	if got != want {
		t.Errorf("the program printed\n%s\nwant\n%s", got, want)
	}
	text, err := os.ReadFile(filepath.Join(dir, "prog", "prog.go"))
	const dot = "// The dot product.\nfunc (p *Program) Dot(ctx context.Context, xs []float32, ys []float32) (out0 float32, err error)"
	if err != nil || !strings.Contains(string(text), dot) {
		t.Errorf("%v\n%s", err, text)
	}
}
