package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skald/compiler"
	"skald/runtime/cpu"
	"skald/runtime/device"
	"skald/runtime/host"
	"skald/runtime/prim"
	"skald/runtime/value"
	"skald/testsuite/depth"
)

// Every expression of core runs in parallel at every place in a nest: a table of expressions, each a function of an array, and one of
// positions, each an entry point that calls it. What runs in few threads is listed, with the reason.

// matrixRow is how many elements the arrays of the matrix have, or their rows.
const matrixRow = 4096

// longRow is how many elements rows have that no workgroup has memory for.
const longRow = 1 << 16

// expressions are the bodies of functions of xs, an array of n elements, which return as many.
var expressions = []struct{ name, body string }{
	{"map", `map (\x -> x * 3 + 1) xs`},
	{"reduce", `let s = i32.sum xs in map (+ s) xs`},
	{"reduction of pairs", `let (m, s) = reduce (\(a, b) (c, d) -> (i32.max a c, b + d)) (0, 0) (zip xs (map (* 2) xs))
     in map (\x -> x + m - s) xs`},
	{"scan", `scan (+) 0 xs`},
	{"map of a scan", `map2 (\x y -> 2 * x + y) (scan (+) 0 xs) xs`},
	{"scan and reduction", `let s = scan (+) 0 xs in let m = i32.maximum xs in map (+ m) s`},
	{"histogram of few bins", `let h = reduce_by_index (replicate 16 0) (+) 0 (map (\x -> i64.i32 x % 16) xs) xs
     in map (\x -> h[i64.i32 x % 16]) xs`},
	{"histogram of many bins", `reduce_by_index (copy xs) (+) 0 (map (\x -> i64.i32 x % n) xs) xs`},
	{"scatter", `scatter (copy xs) (map (\x -> i64.i32 x % n) xs) (map (+ 1) xs)`},
	{"iota", `map2 (+) xs (map i32.i64 (iota n))`},
	{"replicate", `let ys = replicate n xs[0] in scan (+) 0 (map2 (+) xs ys)`},
	{"literal", `let ys = [xs[0], xs[1], 7] in map (\x -> ys[i64.i32 x % 3]) xs`},
	{"concat", `(xs[n / 2:] ++ map (+ 1) xs[:n / 2]) :> [n]i32`},
	{"copy", `let ys = copy xs in map2 (+) (scan (+) 0 ys) ys`},
	{"update of a slice", `copy xs with [0:n / 2] = map (* 2) xs[n / 2:2 * (n / 2)]`},
	{"update of an element", `copy xs with [xs[0] % 4 |> i64.i32] = 5`},
	{"slice", `map (+ 1) xs[n / 2:] ++ map (* 2) xs[:n / 2] :> [n]i32`},
	{"reverse", `reverse (scan (+) 0 (reverse xs))`},
	{"rotate", `rotate 3 xs`},
	{"transpose", `let k = n / 64 in flatten (transpose (unflatten (xs :> [k * 64]i32))) :> [n]i32`},
	{"reshape", `let k = n / 64 in flatten (map (scan (+) 0) (unflatten (xs :> [k * 64]i32))) :> [n]i32`},
	{"maps of maps", `let k = n / 64 in flatten (map (\ys -> let s = i32.sum ys in map (+ s) ys) (unflatten (xs :> [k * 64]i32))) :> [n]i32`},
	{"index of an index", `map (\x -> xs[i64.i32 xs[i64.i32 x % n] % n]) xs`},
	{"branch on a size", `if n > 10 then map (+ 1) xs else scan (+) 0 xs`},
	{"branch on an element", `if xs[0] > 5 then scan (+) 0 xs else map (+ 1) xs`},
	{"match", `match xs[0] % 3 case 0 -> map (+ 1) xs case 1 -> scan (+) 0 xs case _ -> scan i32.max 0 xs`},
	{"for loop", `loop ys = xs for i < 3 do map2 (+) ys (rotate 1 (map (+ i) ys))`},
	{"while loop", `let (ys, _) = loop (ys, k) = (xs, 0) while k < 2 + xs[0] % 2 do (scan (+) 0 ys, k + 1) in ys`},
	{"filter", `let ys = filter (> 5) xs in let s = i32.sum ys in map (+ s) xs`},
	{"partition", `let (ys, zs) = partition (> 5) xs in (ys ++ zs) :> [n]i32`},
	{"assertion", `assert (n > 3) (scan (+) 0 xs)`},
	{"call", `let ys = #[noinline] (called xs) in map2 (+) xs ys`},
	{"derivative", `vjp (\ys -> i32.sum (map2 (*) ys (scan (+) 0 ys))) xs 1`},
}

// positions are entry points that use the function f. Their arguments are made by matrixArgs.
var positions = []struct{ name, text string }{
	{"alone", `entry alone [n] (xs: [n]i32) = f xs`},
	{"looped", `entry looped [n] (xs: [n]i32) = loop ys = xs for _i < 2 do f ys`},
	{"mapped", `entry mapped [l][n] (xss: [l][n]i32) = map f xss`},
	{"nested", `entry nested [l][m][n] (xsss: [l][m][n]i32) = map (map f) xsss`},
	{"loop_in_map", `entry loop_in_map [l][n] (xss: [l][n]i32) = map (\xs -> loop ys = xs for _i < 2 do f ys) xss`},
	{"long", `entry long [l][n] (xss: [l][n]i32) = map f xss`},
	{"long_loop", `entry long_loop [l][n] (xss: [l][n]i32) = map (\xs -> loop ys = xs for _i < 2 - xs[0] % 2 do f ys) xss`},
	{"branch_in_map", `entry branch_in_map [l][n] (xss: [l][n]i32) = map (\xs -> if xs[1] > 2 then f xs else map (+ 1) xs) xss`},
	{"invariant", `entry invariant [l][n] (ks: [l]i32) (zs: [n]i32) = map (\k -> f (map (+ k) zs)) ks`},
	{"irregular", `entry irregular [l] (ns: [l]i64) = map (\m -> i32.sum (f (map (\i -> i32.i64 i % 97) (iota m)))) ns`},
	{"matrices", `entry matrices [l] (ns: [l]i64) =
  map (\m -> let a = map (\k -> f (map (\i -> i32.i64 (i + k) % 97) (iota m))) (iota (m / 1024))
             let b = map (map (+ 1)) a
             in i32.sum (map i32.sum (transpose b))) ns`},
}

// matrixArgs are the arguments of a position.
func matrixArgs(position string) []value.Value {
	numbers := func(shape ...int) value.Value {
		v := value.New(prim.I32, shape...)
		for i := range v.Len() {
			v.Set(i, prim.MakeI32(int32(i*7919%1000)))
		}
		return v
	}
	switch position {
	case "alone", "looped":
		return []value.Value{numbers(matrixRow)}
	case "long", "long_loop":
		return []value.Value{numbers(2, longRow)}
	case "nested":
		return []value.Value{numbers(2, 2, matrixRow)}
	case "invariant":
		return []value.Value{numbers(3), numbers(matrixRow)}
	case "irregular", "matrices":
		return []value.Value{value.FromSlice([]int64{matrixRow, matrixRow - 64, matrixRow + 64})}
	}
	return []value.Value{numbers(3, matrixRow)}
}

// ofMatrices are expressions of a, a matrix of m rows of k elements, where both differ from point to point; they are matrices, too.
var ofMatrices = []struct{ name, body string }{
	{"map", `map (map (+ 1)) a`},
	{"scans of rows", `map (scan (+) 0) a`},
	{"sums of rows", `map (\r -> let s = i32.sum r in map (+ s) r) a`},
	{"transpose", `transpose (map (map (+ 1)) (transpose a))`},
	{"copy", `map2 (map2 (+)) (copy a) (transpose (copy (transpose a)))`},
	{"concat", `(a[m / 2:] ++ map (map (+ 1)) a[:m / 2]) :> [m][k]i32`},
	{"reverse", `reverse (map reverse a)`},
	{"flatten", `unflatten (scan (+) 0 (flatten a))`},
	{"transpose and flatten", `transpose (unflatten (scan (+) 0 (flatten (transpose a))))`},
	{"replicate", `let r = scan (+) 0 a[0] in map2 (map2 (+)) (replicate m r) a`},
	{"update of a row", `copy a with [m / 2] = map (+ 1) a[0]`},
	{"update of a part", `copy a with [m / 2:, :k / 2] = map (map (+ 1)) a[m / 2:, :k / 2]`},
	{"loop", `loop b = a for i < 3 do map (map (+ i)) b`},
	{"loop of points", `loop b = a for _i < 2 + m % 2 do map (scan (+) 0) b`},
	{"branch", `if m % 2 == 0 then map (scan (+) 0) a else map (map (+ 1)) a`},
	{"index", `map (\i -> a[(i * 7) % m]) (iota m)`},
	{"histogram", `map (\r -> reduce_by_index (replicate k 0) (+) 0 (map (\x -> i64.i32 x % k) r) r) a`},
	{"scatter of rows", `scatter (copy a) (iota m) (map (map (+ 2)) a)`},
	{"sum of rows as vectors", `let s = reduce (map2 (+)) (replicate k 0) a in map (map2 (+) s) a`},
	{"scan of rows as vectors", `scan (map2 (+)) (replicate k 0) a`},
}

func TestMatricesOfPointsAreParallel(t *testing.T) {
	for _, e := range ofMatrices {
		t.Run(strings.ReplaceAll(e.name, " ", "_"), func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "cell.fut")
			text := `def f [m][k] (a: [m][k]i32) : [m][k]i32 = ` + e.body + `
entry matrices [l] (ns: [l]i64) =
  map (\n -> let (m, k) = (n / 64, n / 32)
             let a = map (\i -> map (\j -> i32.i64 (i * 3 + j) % 97) (iota k)) (iota m)
             in i32.sum (map i32.sum (f a))) ns
`
			if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			openMatrix(t, file).check(t, e.name, "matrices")
		})
	}
}

// sequentialCells says why some cells of the matrix, by expression and position, run in few threads: none do.
var sequentialCells = map[string]string{}

// A launch that accesses as many elements as a row has runs in at least so many threads that each has this many of them.
const elementsOfThread = 32

// matrixAccesses are more than any launch makes whose threads do not each go through what all of them need together.
const matrixAccesses = 1 << 22

func TestEveryExpressionIsParallelAtEveryPosition(t *testing.T) {
	every := depth.Choose(4, 1, 1) // They take 13 s of a processor in all.
	for i, e := range expressions {
		if i%every != 0 {
			continue
		}
		t.Run(strings.ReplaceAll(e.name, " ", "_"), func(t *testing.T) {
			t.Parallel()
			var text strings.Builder
			fmt.Fprintf(&text, "def called [n] (xs: [n]i32) : [n]i32 = scan (+) 0 xs\ndef f [n] (xs: [n]i32) : [n]i32 = %s\n", e.body)
			for _, p := range positions {
				fmt.Fprintln(&text, p.text)
			}
			file := filepath.Join(t.TempDir(), "cell.fut")
			if err := os.WriteFile(file, []byte(text.String()), 0o644); err != nil {
				t.Fatal(err)
			}
			m := openMatrix(t, file)
			for _, p := range positions {
				m.check(t, e.name, p.name)
			}
		})
	}
}

// matrix is the program of one expression on the evaluator.
type matrix struct {
	running  *host.Program
	launches []cpu.Access
	stats    func() device.Stats
}

func openMatrix(t *testing.T, file string) *matrix {
	t.Helper()
	prog, sink, ok := compiler.Check(file, compiler.CheckOptions{})
	if !ok {
		t.Fatal(sink.Sorted()[0].Message)
	}
	p, d := compiler.Compile(prog, compiler.CompileOptions{})
	if d != nil {
		t.Fatal(d)
	}
	profile, err := findProfile(tableProfile)
	if err != nil {
		t.Fatal(err)
	}
	m := &matrix{}
	target := profile.Evaluated(cpu.Options{Watch: func(a cpu.Access) { m.launches = append(m.launches, a) }})
	m.stats = target.Stats
	running, err := p.On(target)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { running.Close() }) //nolint:errcheck // all results are in
	m.running = running
	return m
}

// check calls one position, and checks the threads of its launches.
func (m *matrix) check(t *testing.T, expression, position string) {
	t.Helper()
	m.launches = nil
	before := m.stats()
	if _, err := m.running.Call(position, matrixArgs(position)); err != nil {
		t.Errorf("%s: %v", position, err)
		return
	}
	for _, l := range m.launches {
		if l.Elements > matrixAccesses {
			t.Errorf("%s: %d accesses in %s", position, l.Elements, l.Kernel)
		}
	}
	row := int64(matrixRow)
	if strings.HasPrefix(position, "long") {
		row = longRow
	}
	fewest := (&report{launches: m.launches}).fewest(row / 2)
	why, listed := sequentialCells[expression+" "+position]
	few := fewest != nil && fewest.Threads < row/elementsOfThread/2
	switch {
	case few && !listed:
		t.Errorf("%s: %d threads make %d accesses in %s", position, fewest.Threads, fewest.Elements, fewest.Kernel)
	case !few && listed:
		t.Errorf("%s: it runs in parallel, although it is listed: %s", position, why)
	}
	t.Logf("%s: %d launches, fewest threads %+v", position, m.stats().Launches-before.Launches, threadsOf(fewest))
}

func threadsOf(a *cpu.Access) int64 {
	if a == nil {
		return 0
	}
	return a.Threads
}
