package compiler_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"skald/compiler"
	"skald/runtime/bundle"
	"skald/runtime/value"
)

// built is a program as an executable of some build of skald carries it.
func built(t *testing.T, p *compiler.Program, build string, carried ...bundle.Section) *compiler.Program {
	t.Helper()
	out, err := compiler.Load(p.Bundle(append(carried, bundle.Section{Name: "build", Data: []byte(build)})...))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// takes runs a program and says where its result for the device was kept.
func takes(t *testing.T, p *compiler.Program, dev *compiler.Device, input, want []value.Value) string {
	t.Helper()
	on, err := p.On(dev)
	if err != nil {
		t.Fatal(err)
	}
	defer on.Close()
	got, err := on.Call("main", input)
	if err != nil {
		t.Fatal(err)
	}
	compare(t, p.KeptIn(), got, want)
	return p.KeptIn()
}

func openCPU(t *testing.T) *compiler.Device {
	t.Helper()
	dev, _, err := compiler.OpenDevice(compiler.DeviceOptions{Name: "cpu"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := dev.Close(); err != nil {
			t.Error(err)
		}
	})
	return dev
}

func TestKeptProgramsMeanTheSame(t *testing.T) {
	t.Setenv("SKALD_CACHE", t.TempDir())
	dev := openCPU(t)
	for _, c := range stageCases(t) {
		p := compile(t, c.source)
		if where := takes(t, built(t, p, c.name), dev, c.input, c.want); where != "" {
			t.Errorf("%s: the first run takes it from the %s", c.name, where)
		}
		again := built(t, p, c.name)
		if where := takes(t, again, dev, c.input, c.want); where != "cache" {
			t.Errorf("%s: the second run takes it from %q", c.name, where)
		}
	}
}

const keptSource = "def main [n] (xs: [n]i32) : i32 = i32.sum (map (\\x -> assert (x < 100) (x * 2)) xs)\n"

var (
	keptInput = []value.Value{value.FromSlice([]int32{1, 2, 3})}
	keptWant  = []value.Value{value.FromSlice([]int32{12}).Row(0)}
)

func TestKeptProgramsAreThoseOfTheBuildTheFactsAndThePasses(t *testing.T) {
	t.Setenv("SKALD_CACHE", t.TempDir())
	dev := openCPU(t)
	p := compile(t, keptSource)
	takes(t, built(t, p, "one"), dev, keptInput, keptWant)
	if where := takes(t, built(t, p, "two"), dev, keptInput, keptWant); where != "" {
		t.Errorf("another build takes it from the %s", where)
	}
	less := built(t, p, "one")
	if err := less.LeaveOut([]string{"simplify-memory"}); err != nil {
		t.Fatal(err)
	}
	if where := takes(t, less, dev, keptInput, keptWant); where != "" {
		t.Errorf("without a pass it is taken from the %s", where)
	}
	model := *dev.Model
	model.Lowering.Groups++
	if where := takes(t, built(t, p, "one"), &compiler.Device{Device: dev.Device, Model: &model}, keptInput, keptWant); where != "" {
		t.Errorf("with other facts it is taken from the %s", where)
	}
	other := compile(t, strings.Replace(keptSource, "x * 2", "x + x", 1))
	if where := takes(t, built(t, other, "one"), dev, keptInput, keptWant); where != "" {
		t.Errorf("another program is taken from the %s", where)
	}
	unknown, err := compiler.Load(p.Bundle())
	if err != nil {
		t.Fatal(err)
	}
	if where := takes(t, unknown, dev, keptInput, keptWant); where != "" {
		t.Errorf("a program of an unknown build is taken from the %s", where)
	}
}

// Entries that are damaged, cut off, foreign or another program's are made again, and then they are right again.
func TestKeptProgramsAreMadeAgainWhenTheyAreDamaged(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("SKALD_CACHE", dir)
	dev := openCPU(t)
	p := compile(t, keptSource)
	takes(t, built(t, p, "one"), dev, keptInput, keptWant)
	entries, err := filepath.Glob(filepath.Join(dir, "programs", "*"))
	if err != nil || len(entries) != 1 {
		t.Fatalf("entries: %v, %v", entries, err)
	}
	whole, err := os.ReadFile(entries[0])
	if err != nil {
		t.Fatal(err)
	}
	flipped := append([]byte(nil), whole...)
	flipped[len(flipped)/2] ^= 1
	takes(t, built(t, compile(t, strings.Replace(keptSource, "x * 2", "x + x", 1)), "one"), dev, keptInput, keptWant)
	var foreign []byte
	now, err := filepath.Glob(filepath.Join(dir, "programs", "*"))
	for _, e := range now {
		if e != entries[0] {
			foreign, err = os.ReadFile(e)
		}
	}
	if err != nil || foreign == nil {
		t.Fatal("there is no entry of the other program", err)
	}
	for what, data := range map[string][]byte{
		"empty": {}, "cut off": whole[:len(whole)-5], "damaged": flipped, "foreign": []byte("hello"), "another program's": foreign,
	} {
		if err := os.WriteFile(entries[0], data, 0o600); err != nil {
			t.Fatal(err)
		}
		if where := takes(t, built(t, p, "one"), dev, keptInput, keptWant); where != "" {
			t.Errorf("an entry that is %s is taken", what)
		}
		if where := takes(t, built(t, p, "one"), dev, keptInput, keptWant); where != "cache" {
			t.Errorf("an entry that was %s is not replaced", what)
		}
	}
}

func TestWithoutACacheProgramsAreMadeEachTime(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("SKALD_CACHE", file)
	dev := openCPU(t)
	p := compile(t, keptSource)
	for range 2 {
		one := built(t, p, "one")
		if where := takes(t, one, dev, keptInput, keptWant); where != "" {
			t.Errorf("taken from the %s", where)
		}
		if one.NotKept() == nil {
			t.Error("nothing says that it is not kept")
		}
	}
	t.Setenv("SKALD_CACHE", t.TempDir())
	for range 2 {
		one := built(t, p, "one")
		takes(t, one, dev, keptInput, keptWant)
		if err := one.NotKept(); err != nil {
			t.Errorf("%s: not kept: %v", one.KeptIn(), err)
		}
	}
}

func TestExecutablesCarryKeptPrograms(t *testing.T) {
	t.Setenv("SKALD_CACHE", t.TempDir())
	dev := openCPU(t)
	p := compile(t, keptSource)
	runner := []byte("a binary of skald")
	kept, _, err := p.Keep(compiler.NewRunner(runner), dev.Model)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "runner")
	if err := os.WriteFile(path, runner, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := p.WriteExecutable(path+"-prog", path, kept...); err != nil {
		t.Fatal(err)
	}
	b, err := bundle.Open(path + "-prog")
	if err != nil {
		t.Fatal(err)
	}
	loaded, err := compiler.Load(b)
	if err != nil {
		t.Fatal(err)
	}
	if where := takes(t, loaded, dev, keptInput, keptWant); where != "executable" {
		t.Errorf("taken from %q", where)
	}
	if entries, err := os.ReadDir(filepath.Join(os.Getenv("SKALD_CACHE"), "programs")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("written to the cache: %v, %v", entries, err)
	}
}

// Programs that start at once may all make the result; each writes it whole.
func TestProgramsThatStartAtOnceKeepOneResult(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("SKALD_CACHE", dir)
	dev := openCPU(t)
	p := compile(t, keptSource)
	var all sync.WaitGroup
	for range 8 {
		b := built(t, p, "one")
		all.Go(func() {
			on, err := b.On(dev)
			if err == nil {
				_, err = on.Call("main", keptInput)
				on.Close()
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	files, err := os.ReadDir(filepath.Join(dir, "programs"))
	if err != nil || len(files) != 1 {
		t.Errorf("%d files, %v", len(files), err)
	}
	if where := takes(t, built(t, p, "one"), dev, keptInput, keptWant); where != "cache" {
		t.Errorf("taken from %q", where)
	}
}

// Facts that no pass asks for, such as what a device is called, are no part of the key.
func TestModelsAreKeyedByWhatProgramsDependOn(t *testing.T) {
	keys := map[string]string{}
	for _, name := range []string{"portable", "native", "sm_90", "cpu"} {
		m := compiler.DeviceProfile(name)
		if other, ok := keys[m.Key()]; ok {
			t.Errorf("%s has the key of %s", name, other)
		}
		keys[m.Key()] = name
		facts := *m.Facts
		facts.Name, facts.Driver = "another", "another"
		if m.Target.Model(&facts).Key() != m.Key() {
			t.Errorf("%s: the name of a device is part of the key", name)
		}
		facts.MaxBindings++
		if m.Target.Model(&facts).Key() == m.Key() {
			t.Errorf("%s: the number of bindings is no part of the key", name)
		}
	}
	if _, err := compiler.Load(nil); err == nil || errors.Is(err, os.ErrNotExist) {
		t.Errorf("an empty bundle: %v", err)
	}
}

// The cache has the text of the kernels that the first call launched; what a later call launches besides is printed then.
func TestKeptProgramsPrintWhatTheFirstCallDidNotNeed(t *testing.T) {
	t.Setenv("SKALD_CACHE", t.TempDir())
	dev := openCPU(t)
	p := compile(t, `entry main [n] (xs: [n]i32) : i32 =
  if n < 4 then i32.sum xs else (hist (+) 0 4 (map (\x -> i64.i32 (x & 3)) xs) xs)[1]
`)
	few := []value.Value{value.FromSlice([]int32{1, 2, 3})}
	many := []value.Value{value.FromSlice([]int32{1, 2, 3, 5, 9})}
	six, fifteen := []value.Value{value.FromSlice([]int32{6}).Row(0)}, []value.Value{value.FromSlice([]int32{15}).Row(0)}
	if where := takes(t, built(t, p, "one"), dev, few, six); where != "" {
		t.Errorf("the first run takes it from the %s", where)
	}
	for range 2 {
		if where := takes(t, built(t, p, "one"), dev, many, fifteen); where != "cache" {
			t.Errorf("the second run takes it from %q", where)
		}
	}
}
