package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"skald/compiler"
	"skald/runtime/bundle"
	"skald/runtime/value"
)

// client talks to a server.
type client struct {
	t   *testing.T
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
	end io.Closer // of out
	dir string
}

// buildServer makes a server of a program: a copy of the test binary, which TestMain makes run it.
func buildServer(t *testing.T, text string) (exe string) {
	t.Helper()
	dir := t.TempDir()
	source := filepath.Join(dir, "prog.fut")
	if err := os.WriteFile(source, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	prog, sink, ok := compiler.Check(source, compiler.CheckOptions{})
	if !ok {
		t.Fatal(sink.Sorted())
	}
	compiled, d := compiler.Compile(prog, compiler.CompileOptions{})
	if d != nil {
		t.Fatal(d)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	exe = filepath.Join(dir, "prog")
	if runtime.GOOS == "windows" {
		exe += ".exe"
	}
	syscall.ForkLock.RLock() // or a process that another test starts now keeps the file open, so that it cannot be run
	defer syscall.ForkLock.RUnlock()
	if err := compiled.WriteExecutable(exe, self, bundle.Section{Name: sectionServer}); err != nil {
		t.Fatal(err)
	}
	return exe
}

// serve starts a server of a program.
func serve(t *testing.T, text string, options ...string) *client {
	t.Helper()
	return startServer(t, buildServer(t, text), options...)
}

func startServer(t *testing.T, exe string, options ...string) *client {
	t.Helper()
	c := &client{t: t, cmd: exec.Command(exe, append([]string{"-d", "cpu"}, options...)...), dir: filepath.Dir(exe)}
	c.cmd.Dir, c.cmd.Stderr = c.dir, os.Stderr
	in, err := c.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	c.in, c.out, c.end = in, bufio.NewReader(out), out
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.in.Close()
		_ = c.cmd.Wait()
	})
	if _, err := c.answer(); err != nil {
		t.Fatal(err)
	}
	return c
}

// answer reads an answer; the error is the message of a command that failed.
func (c *client) answer() (string, error) {
	var lines []string
	failed := -1
	for {
		line, err := c.out.ReadString('\n')
		if err != nil {
			return strings.Join(lines, "\n"), err
		}
		line = strings.TrimSuffix(line, "\n")
		switch line {
		case "%%% OK":
			if failed >= 0 {
				return strings.Join(lines[:failed], "\n"), errors.New(strings.Join(lines[failed:], "\n"))
			}
			return strings.Join(lines, "\n"), nil
		case "%%% FAILURE":
			failed = len(lines)
		default:
			if !strings.HasPrefix(line, "runtime: ") {
				lines = append(lines, line)
			}
		}
	}
}

func (c *client) send(line string) {
	c.t.Helper()
	if _, err := io.WriteString(c.in, line+"\n"); err != nil {
		c.t.Fatal(err)
	}
}

// script runs commands and compares all that they answer: each line of text is a command that succeeds, or after "!" one that fails; lines
// after it that begin with "> " are its answer or a part of its message.
func (c *client) script(text string) {
	c.t.Helper()
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for i := 0; i < len(lines); {
		line := strings.TrimSpace(lines[i])
		var want []string
		for i++; i < len(lines) && strings.HasPrefix(strings.TrimSpace(lines[i]), "> "); i++ {
			want = append(want, strings.TrimPrefix(strings.TrimSpace(lines[i]), "> "))
		}
		command, fails := strings.CutPrefix(line, "!")
		c.send(command)
		got, err := c.answer()
		wanted := strings.Join(want, "\n")
		switch {
		case fails && err == nil:
			c.t.Fatalf("%s: succeeded with %q", command, got)
		case fails && !strings.Contains(err.Error(), wanted):
			c.t.Fatalf("%s: the message is %q, which has no %q", command, err, wanted)
		case !fails && err != nil:
			c.t.Fatalf("%s: %v", command, err)
		case !fails && got != wanted:
			c.t.Fatalf("%s: %s", command, cmp.Diff(wanted, got))
		}
	}
}

// file writes a file beside the server, which is where that runs.
func (c *client) file(name, text string) {
	c.t.Helper()
	if err := os.WriteFile(filepath.Join(c.dir, name), []byte(text), 0o600); err != nil {
		c.t.Fatal(err)
	}
}

// values returns the text of the values in a file, that of whole floats without ".0".
func (c *client) values(name string) string {
	c.t.Helper()
	f, err := os.Open(filepath.Join(c.dir, name))
	if err != nil {
		c.t.Fatal(err)
	}
	defer f.Close() //nolint:errcheck // nothing was written
	vs, err := value.ReadAll(f)
	if err != nil {
		c.t.Fatal(err)
	}
	var text strings.Builder
	for _, v := range vs {
		text.WriteString(v.String() + "\n")
	}
	return strings.ReplaceAll(text.String(), ".0f", "f")
}

const generalProgram = `
type~ point = {x: i32, ys: []f32}

-- | Adds.
#[fast]
entry add (a: i32) (b: i32) : i32 = a + b
entry at [n] (xs: [n]i32) (i: i64) : i32 = xs[i]
entry eat (xs: *[]i32) : *[]i32 = xs with [0] = 9
entry same (xs: []i32) : []i32 = xs
entry pair (x: i32) = (x, x + 1)
entry unit (_: i32) : () = ()
entry make : point = {x = 1, ys = [2, 3]}
entry norm (p: point) : f32 = f32.sum p.ys * f32.i32 p.x
entry tuned (n: i64) : i64 = #[param(k)] (n + 0)
`

func TestServerGeneralCommands(t *testing.T) {
	c := serve(t, generalProgram)
	c.file("in", "1i32 2i32 [1i32, 2i32, 3i32]")
	c.script(`
		entry_points
		> add
		> at
		> eat
		> same
		> pair
		> unit
		> make
		> norm
		> tuned
		!entry_points x
		> takes other arguments
		inputs at
		> []i32
		> i64
		inputs eat
		> *[]i32
		inputs make
		!inputs nothing
		> unknown entry point: nothing
		output eat
		> *[]i32
		output pair
		> (i32, i32)
		!output nothing
		> unknown entry point
		attributes add
		> fast
		attributes at
		!attributes nothing
		> unknown entry point
		kind i32
		> primitive
		kind []i32
		> array
		kind point
		> record
		kind "(i32, i32)"
		> record
		!kind colour
		> unknown type: colour
		restore in a i32 b i32 xs []i32
		!restore in a i32 c i32 ys []i32
		> variable already exists: a
		!restore in c i32
		> more input after the last value
		!restore in c i32 d i64 ys []i32
		> cannot restore variable d of type i64
		!restore in c i32 d i32 ys []i32 zs []i32
		> cannot restore variable zs
		!restore in c i32 d
		> pairs
		!restore missing c i32
		> missing
		!restore in c colour
		> unknown type
		!type c
		> unknown variable: c
		call add s a b
		type s
		> i32
		store out s xs a
		!call add s a b
		> variable already exists: s
		!call add s2 a
		> 2 arguments are expected, but 1 are given
		!call add s2 a xs
		> argument 1 has the wrong type: expected i32, got []i32
		!call add s2 a nothing
		> unknown variable: nothing
		!call nothing s2
		> unknown entry point
		!call add
		> takes other arguments
		!store out nothing
		> unknown variable
		!store /nowhere/out s
		> /nowhere/out
		rename s t
		!type s
		> unknown variable
		!rename s u
		> unknown variable
		!rename t a
		> variable already exists
		free t
		!free t
		> unknown variable
		!free a nothing
		> unknown variable: nothing
		!type a
		> unknown variable: a
		clear
		!type xs
		> unknown variable: xs
		!nonsense
		> unknown command: nonsense
		!type "a
		> quote
		!
		> empty
	`)
	if got, want := c.values("out"), "3i32\n[1i32, 2i32, 3i32]\n1i32\n"; got != want {
		t.Errorf("stored: %q, want %q", got, want)
	}
}

func TestServerListsTypes(t *testing.T) {
	c := serve(t, generalProgram)
	c.send("types")
	got, err := c.answer()
	if err != nil {
		t.Fatal(err)
	}
	want := "i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64 bool []i32 []f32 (i32, i32) () point"
	if got = strings.ReplaceAll(got, "\n", " "); got != want {
		t.Errorf("types:\n%s\nwant:\n%s", got, want)
	}
}

func TestServerFailuresOfTheProgramLeaveItRunning(t *testing.T) {
	c := serve(t, generalProgram)
	c.file("in", "[1i32, 2i32, 3i32] 7i64 1i64")
	c.script(`
		restore in xs []i32 far i64 near i64
		!call at x xs far
		> Index [7] out of bounds
		!type x
		> unknown variable
		call at x xs near
		store out x
	`)
	if got := c.values("out"); got != "2i32\n" {
		t.Errorf("stored: %q", got)
	}
}

func TestServerConsumption(t *testing.T) {
	c := serve(t, generalProgram)
	c.file("in", "[1i32, 2i32, 3i32]")
	c.script(`
		restore in xs []i32
		call same ys xs
		call eat zs xs
		!call same us xs
		> consumed
		!store out xs
		> consumed
		type xs
		> []i32
		rename xs old
		free old
		store ys ys
		store zs zs
		call eat us zs
		store us us
		free ys us zs
	`)
	// What shares memory with a consumed value is as it was.
	if got, want := c.values("ys")+c.values("zs")+c.values("us"), "[1i32, 2i32, 3i32]\n[9i32, 2i32, 3i32]\n[9i32, 2i32, 3i32]\n"; got != want {
		t.Errorf("stored: %q, want %q", got, want)
	}
}

func TestServerUnit(t *testing.T) {
	serve(t, generalProgram).script(`
		new u ()
		type u
		> ()
		fields ()
		output unit
		> ()
		free u
	`)
}

func TestDescriptionsNameTheTuningParametersOfEntryPoints(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "prog.fut"), []byte(generalProgram), 0o600); err != nil {
		t.Fatal(err)
	}
	succeed(t, dir, skaldHere(t), "build", "--server", "prog.fut")
	text, err := os.ReadFile(filepath.Join(dir, "prog.json"))
	if err != nil {
		t.Fatal(err)
	}
	var described struct {
		Entries map[string]struct {
			Tuning []string `json:"tuning_params"`
		} `json:"entry_points"`
	}
	if err := json.Unmarshal(text, &described); err != nil {
		t.Fatal(err)
	}
	if got := described.Entries["tuned"].Tuning; !slices.Contains(got, "k") || len(described.Entries["add"].Tuning) > 0 {
		t.Errorf("%s", text)
	}
}

func TestServerTuningAndProfiling(t *testing.T) {
	c := serve(t, generalProgram, "-P", "--param", "k=5")
	c.file("in", "2i64")
	c.script(`
		tuning_params tuned
		> k
		tuning_params add
		!tuning_params nothing
		> unknown entry point
		tuning_param_class k
		> param
		!tuning_param_class nothing
		> unknown tuning parameter
		restore in n i64
		call tuned a n
		set_tuning_param k 7
		call tuned b n
		store out a b
		!set_tuning_param nothing 1
		> there is no tuning parameter "nothing"
		!set_tuning_param k many
		> integer
		pause_profiling
		unpause_profiling
	`)
	if got := c.values("out"); got != "5i64\n7i64\n" {
		t.Errorf("stored: %q", got)
	}
	c.send("report")
	got, err := c.answer()
	if err != nil || !strings.HasPrefix(got, `{"events":[`) || !strings.Contains(got, `"memory":{`) {
		t.Errorf("report: %q, %v", got, err)
	}
}

const arrayProgram = `
type t = {n: i32, xs: [2]f32}
entry mk (n: i32) (xs: [2]f32) : t = {n, xs}
entry ts : []t = [{n = 1, xs = [1, 2]}, {n = 2, xs = [3, 4]}]
entry ts2 : [][]t = [[{n = 1, xs = [1, 2]}, {n = 2, xs = [3, 4]}]]
entry zs (xs: []i32) (ys: [][]f32) = zip xs ys
entry both (x: t) (y: t) : [2]t = [x, y]
entry m (x: i8) : [][]i8 = [[x, 2, 3], [4, 5, 6]]
`

func TestServerArrayCommands(t *testing.T) {
	c := serve(t, arrayProgram)
	c.file("in", "7i8 8i8 [5i32, 6i32] [[1f32, 2f32], [3f32, 4f32]] [[1f32, 2f32]]")
	c.script(`
		restore in a i8 b i8 xs []i32 ys [][]f32 short [][]f32
		rank [][]i8
		> 2
		elemtype [][]i8
		> i8
		rank [][]t
		> 2
		elemtype [][]t
		> t
		kind []t
		> array
		!rank i32
		> not an array type
		!elemtype t
		> not an array type
		call m m a
		shape m
		> 2
		> 3
		!shape a
		> not an array type
		index e m 1 2
		type e
		> i8
		!index e m 1 1
		> already exists
		!index f m 1
		> 2 indices are expected
		!index f m 2 0
		> out of bounds
		!index f m -1 0
		> out of bounds
		!index f m x 0
		> out of bounds
		set m b 0 1
		!set m xs 0 1
		> wrong type
		!set m b 0 3
		> out of bounds
		!set a b
		> not an array type
		new_array v []i8 3 a b a
		new_array w [][]i8 1 2 a b
		new_array none []t 0
		!new_array v []i8 3 a b a
		> already exists
		!new_array u []i8 3 a b
		> 3 values are expected, but 2 are given
		!new_array u []i8 3 a b xs
		> wrong type
		!new_array u []i8 -1
		> invalid size
		!new_array u i8 1 a
		> not an array type
		call ts ts
		index t0 ts 0
		type t0
		> t
		index t1 ts 1
		set ts t1 0
		new_array us []t 2 t1 t0
		shape us
		> 2
		!index t2 ts 2
		> out of bounds
		!set ts t1 2
		> out of bounds
		fields "[](i32, []f32)"
		> 0 []i32
		> 1 [][]f32
		zip z "[](i32, []f32)" xs ys
		!zip z2 "[](i32, []f32)" xs short
		> compatible shapes
		!zip z2 "[](i32, []f32)" ys xs
		> wrong type
		!zip z2 []i32 xs
		> not a type of arrays of records
		unzip z p q
		!unzip z p2
		> 2 arrays are expected
		!unzip xs p2
		> not a type of arrays of records
		!unzip z p2 p2
		> already exists
		index z1 z 1
		type z1
		> (i32, []f32)
		store out m e v w none ts us p q z1
		free z xs ys m ts us
		store out2 p q
	`)
	want := `[[7i8, 8i8, 3i8], [4i8, 5i8, 6i8]]
6i8
[7i8, 8i8, 7i8]
[[7i8, 8i8]]
empty([0]i32)
empty([0][2]f32)
[2i32, 2i32]
[[3f32, 4f32], [3f32, 4f32]]
[2i32, 1i32]
[[3f32, 4f32], [1f32, 2f32]]
[5i32, 6i32]
[[1f32, 2f32], [3f32, 4f32]]
6i32
[3f32, 4f32]
`
	if diff := cmp.Diff(want, c.values("out")); diff != "" {
		t.Error(diff)
	}
	if got, want := c.values("out2"), "[5i32, 6i32]\n[[1f32, 2f32], [3f32, 4f32]]\n"; got != want {
		t.Errorf("what was shared is %q, want %q", got, want)
	}
}

const opaqueProgram = `
type inner = (i32, bool)
type~ sum = #none | #one i32 | #many ([]i32) (f32, f32)
type~ rec = {b: inner, a: []f32, c: sum}
type sized [n] = #left ([n]i32) | #right ([n]f32)
entry id (r: rec) : rec = r
entry count (s: sum) : i64 =
  match s
  case #none -> 0
  case #one x -> i64.i32 x
  case #many xs _ -> length xs
entry many [n] (xs: [n]i32) : sum = #many xs (1, 2)
entry sized [n] (_: sized [n]) : i64 = n
`

func TestServerRecordsAndSums(t *testing.T) {
	c := serve(t, opaqueProgram)
	c.file("in", "4i32 true [1f32, 2f32] [1i32, 2i32, 3i32] 2.5f32")
	c.script(`
		restore in i i32 b bool fs []f32 is []i32 f f32
		fields rec
		> a []f32
		> b inner
		> c sum
		!fields sum
		> not a record type
		new p inner i b
		!new p inner i b
		> already exists
		!new q inner i
		> 2 fields are expected
		!new q inner b i
		> wrong type
		!new q sum
		> not a record type
		variants sum
		> many
		> - []i32
		> - (f32, f32)
		> none
		> one
		> - i32
		!variants rec
		> not a sum type
		new ff "(f32, f32)" f f
		construct s sum many is ff
		construct n sum none
		construct o sum one i
		!construct s sum none
		> already exists
		!construct x sum two
		> no such variant
		!construct x sum one
		> 1 values are expected
		!construct x sum one f
		> wrong type
		!construct x rec none
		> not a sum type
		variant s
		> many
		variant n
		> none
		!variant i
		> not a sum type
		destruct n
		destruct s is2 ff2
		!destruct o
		> one has 1 values
		!destruct o is2
		> already exists
		!destruct i x
		> not a sum type
		new r rec fs p s
		call id r2 r
		project a r2 a
		project pb r2 b
		project first pb 0
		project c r2 c
		!project x r2 d
		> no such field
		!project a r2 a
		> already exists
		!project x i 0
		> not a record type
		call count k c
		call many s3 is
		call count k3 s3
		construct l sized left is
		call sized k4 l
		store out is2 ff2 a first k k3 k4
		store whole r
		restore whole back rec
		project bc back c
		variant bc
		> many
		!restore whole bad inner
		> cannot restore
	`)
	want := "[1i32, 2i32, 3i32]\n2.5f32\n2.5f32\n[1f32, 2f32]\n4i32\n3i64\n3i64\n3i64\n"
	if diff := cmp.Diff(want, c.values("out")); diff != "" {
		t.Error(diff)
	}
}

func TestServerEndsWhenItsInputDoes(t *testing.T) {
	c := serve(t, generalProgram)
	if err := c.in.Close(); err != nil {
		t.Fatal(err)
	}
	if err := c.cmd.Wait(); err != nil {
		t.Error(err)
	}
}

// forever computes for as long as nobody stops it.
const forever = "entry main (n: i64) : i64 = loop x = n while x >= 0 do i64.sum (map (% (x + 2)) (iota 1000)) % 2\n"

// busy starts a server with a call that does not end.
func busy(t *testing.T) *client {
	t.Helper()
	c := serve(t, forever)
	c.file("in", "5i64")
	c.script("restore in n i64")
	c.send("call main m n")
	time.Sleep(200 * time.Millisecond)
	return c
}

func TestServerEndsACallWhenItIsInterrupted(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("skipped: Windows has no signals")
	}
	c := busy(t)
	if err := c.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, c.out)
	if _ = c.cmd.Wait(); c.cmd.ProcessState.ExitCode() != exitSignal+int(syscall.SIGINT) {
		t.Errorf("exit: %v", c.cmd.ProcessState)
	}
}

func TestServerEndsACallWhenItsClientGoesAway(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("skipped: Windows does not tell")
	}
	c := busy(t)
	_ = c.in.Close()
	_ = c.end.Close()
	done := make(chan error, 1)
	go func() { done <- c.cmd.Wait() }()
	select {
	case err := <-done:
		t.Logf("it ended: %v", err)
	case <-time.After(20 * time.Second):
		_ = c.cmd.Process.Kill()
		t.Error("the server goes on though nobody reads what it says")
	}
}

// Constants are computed before the first answer; without them nothing is served.
func TestServerDoesNotStartWithoutItsConstants(t *testing.T) {
	exe := buildServer(t, "def bad : i32 = ([1, 2, 3])[i64.i32 (i32.sum [1, 2, 3])]\nentry main (x: i32) : i32 = x + bad\n")
	out, err := exec.Command(exe, "-d", "cpu").Output()
	if err == nil || !strings.HasPrefix(string(out), "%%% FAILURE\nIndex [6] out of bounds") {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestServerOptionsAreChecked(t *testing.T) {
	exe := buildServer(t, generalProgram)
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--runs", "2"}, "unknown flag: --runs"},
		{[]string{"-b"}, "unknown shorthand flag"},
		{[]string{"x"}, "too much"},
		{[]string{"-d", "nothing"}, `no device is called "nothing"`},
		{[]string{"-d", "cpu", "--param", "j=1"}, `there is no tuning parameter "j"`},
		{[]string{"-d", "cpu", "--cache-file", filepath.Join(t.TempDir(), "x"), "--print-params"}, ""},
		{[]string{"-d", "cpu", "--cache-file", filepath.Join(filepath.Dir(exe), "prog.fut")}, "no cache file of skald"},
	} {
		cmd := exec.Command(exe, c.args...)
		out, err := cmd.CombinedOutput()
		if (err != nil) != (c.want != "") || !strings.Contains(string(out), c.want) {
			t.Errorf("%v: %v\n%s", c.args, err, out)
		}
	}
}
