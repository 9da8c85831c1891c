package everywhere

import (
	"cmp"
	"crypto/sha256"
	"maps"
	"slices"
	"strings"
	"testing"

	"skald/compiler"
	"skald/frontend/diag"
	"skald/frontend/source"
	"skald/middle/imp"
	"skald/middle/imp/wire"
	"skald/middle/pass"
	"skald/testsuite/depth"
	"skald/testsuite/sanitizegpu"
	"skald/tooling/conformance"
	"skald/tooling/spec"
)

// Note [Samples by shape]
//
// Software drivers compile a kernel for up to ten seconds, and the search for races takes its time for each profile. What they find is less
// about a program than about a shape of kernels: which part of which algorithm a kernel is, and what it uses of a device (package
// testsuite/sanitizegpu). So full tests run on some configurations a sample of the entry points: those that together have a kernel of every
// shape that our programs have there. The sample is computed, from what the programs are lowered to for that very device: a shape that is
// new has an entry point at once. Of those with the same shapes the one is taken whose kernels have the least code. On drivers
// each part is run with each thing that it uses, in whatever combination (the search for races has every shape); on SwiftShader through
// wgpu-native each part, and each thing with some part: the library is tried on lavapipe, the driver through Dawn. Quick tests run all
// programs where they run any, deep tests run all everywhere, and so does -configurations.
//
// Half of the kernels for an H200 are the same through WebGPU and CUDA. Those of a shape that one of the two samples of the search for
// races has, and the other could have with the same code, are not evaluated again: for that device the shape counts as there.

// sampled are the configurations that full tests run samples on. Entry points whose kernels have fewer statements than the number run there
// anyway: it bounds what the C compiler costs, half of which is for a twentieth of the programs.
var sampled = map[string]int{
	"cpu":                   1000,
	"native-lavapipe":       0,
	"portable-swiftshader":  0,
	"dawn-swiftshader":      0,
	evaluated + "portable":  0,
	evaluated + "h200-wgpu": 0,
	evaluated + "h200-cuda": 0,
}

// coarse are what counts as a shape on configurations whose samples have not each combination.
var coarse = map[string]func(shapes []string) []string{
	"native-lavapipe": pairs, "dawn-swiftshader": pairs, "portable-swiftshader": singles,
}

// candidate is an entry point of a program that has cases, with the shapes of its kernels on a device, and how much code they have.
type candidate struct {
	file, entry string
	shapes      []string
	cost        int
	codes       map[string][]string // by shape, for the search for races: hashes of the kernels that have it
}

// cover chooses candidates that together have every shape. Of those that greedy chooses it leaves out, the dearest first, those whose
// shapes the others have.
func cover(from []candidate) []candidate {
	chosen := greedy(from)
	having := map[string]int{}
	for _, c := range chosen {
		for _, shape := range c.shapes {
			having[shape]++
		}
	}
	dear := slices.SortedStableFunc(slices.Values(chosen), func(a, b candidate) int { return cmp.Compare(b.cost, a.cost) })
	for _, c := range dear {
		if slices.ContainsFunc(c.shapes, func(shape string) bool { return having[shape] == 1 }) {
			continue
		}
		for _, shape := range c.shapes {
			having[shape]--
		}
		chosen = slices.DeleteFunc(chosen, func(o candidate) bool { return o.file == c.file && o.entry == c.entry })
	}
	return chosen
}

// greedy chooses, again and again, the candidate that has the most shapes that are missing for its cost.
func greedy(from []candidate) (chosen []candidate) {
	seen := map[string]bool{}
	for {
		best, most := -1, 0
		for i, c := range from {
			missing := 0
			for _, shape := range c.shapes {
				if !seen[shape] {
					missing++
				}
			}
			if missing > 0 && (best < 0 || missing*from[best].cost > most*c.cost) {
				best, most = i, missing
			}
		}
		if best < 0 {
			return chosen
		}
		for _, shape := range from[best].shapes {
			seen[shape] = true
		}
		chosen = append(chosen, from[best])
	}
}

// samples are entry points by configuration, where not all are run, and file.
type samples map[string]map[string][]string

// wants reports whether cases of an entry point are run on a configuration; with "" of any.
func (s samples) wants(configuration, file, entry string) bool {
	sample, some := s[configuration]
	return !some || entry == "" && len(sample[file]) > 0 || slices.Contains(sample[file], entry)
}

// samplesFor computes the samples for the configurations of a set.
func samplesFor(t *testing.T, s set, files []string) samples {
	t.Helper()
	out := samples{}
	devices := map[string]*conformance.Device{}
	for _, m := range s {
		if _, some := sampled[m.configuration]; some {
			devices[m.configuration] = m.Executor.(*conformance.Device)
		}
	}
	if *only != "" || depth.Of() != depth.Full || len(devices) == 0 {
		return out
	}
	of := pass.Each(files, func(file string) map[string][]candidate { return candidatesOf(file, devices) })
	evaluatedCodes := map[string]bool{}
	for _, configuration := range slices.Sorted(maps.Keys(devices)) {
		var all []candidate
		for i := range files {
			all = append(all, of[i][configuration]...)
		}
		entries, count := map[string][]string{}, 0
		add := func(c candidate) {
			entries[c.file] = append(entries[c.file], c.entry)
			count++
		}
		for _, c := range cover(without(all, evaluatedCodes)) {
			add(c)
			for _, codes := range c.codes {
				for _, code := range codes {
					evaluatedCodes[code] = true
				}
			}
		}
		for _, c := range all {
			if c.cost < sampled[configuration] && !slices.Contains(entries[c.file], c.entry) {
				add(c)
			}
		}
		out[configuration] = entries
		t.Logf("%s runs %d of %d entry points", configuration, count, len(all))
	}
	return out
}

// without are candidates without the shapes of kernels some of which have one of some codes.
func without(from []candidate, codes map[string]bool) []candidate {
	there := map[string]bool{}
	for _, c := range from {
		for shape, own := range c.codes {
			there[shape] = there[shape] || slices.ContainsFunc(own, func(code string) bool { return codes[code] })
		}
	}
	out := slices.Clone(from)
	for i, c := range out {
		out[i].shapes = slices.DeleteFunc(slices.Clone(c.shapes), func(shape string) bool { return there[shape] })
	}
	return out
}

// candidatesOf are the entry points of a program with their shapes on each of some devices; none if it is to be rejected, or shows a
// limitation.
func candidatesOf(file string, devices map[string]*conformance.Device) map[string][]candidate {
	tested := testedEntries(file)
	prog, _, ok := compiler.Check(file, compiler.CheckOptions{})
	if !ok || len(tested) == 0 {
		return nil
	}
	p, d := compiler.Compile(prog, compiler.CompileOptions{})
	if d != nil {
		return nil
	}
	out := map[string][]candidate{}
	for configuration, d := range devices {
		low, err := d.Lower(p)
		if err != nil {
			continue
		}
		for _, e := range low.Entries {
			if tested[e.Name] {
				c := candidateOf(file, e, low, strings.HasPrefix(configuration, evaluated+"h200-"))
				if counts := coarse[configuration]; counts != nil {
					c.shapes = counts(c.shapes)
				}
				out[configuration] = append(out[configuration], c)
			}
		}
	}
	return out
}

// testedEntries are the entry points that a test block has cases or properties for.
func testedEntries(file string) map[string]bool {
	out := map[string]bool{}
	text, err := source.ReadFile(file)
	if err != nil {
		return out // The test of the program says so.
	}
	var sink diag.Sink
	p := spec.Parse(source.NewFile(file, text), &sink)
	for _, g := range p.Groups {
		out[g.Entry] = out[g.Entry] || len(g.Cases) > 0
	}
	for _, name := range p.Properties {
		out[name] = true
	}
	return out
}

// candidateOf says which shapes the kernels have that an entry point may launch, those of constants among them; with coded, also what
// code. Kernels that call device functions are compared with no others.
func candidateOf(file string, e imp.Entry, low *imp.Prog, coded bool) candidate {
	funs, kernels := map[string]*imp.Fun{}, map[string]*imp.Kernel{}
	for _, f := range low.Funs {
		funs[f.Name] = f
	}
	for _, k := range low.Kernels {
		kernels[k.Name] = k
	}
	launched := map[*imp.Kernel]bool{}
	var visit func(name string)
	visit = func(name string) {
		f := funs[name]
		if f == nil {
			return
		}
		delete(funs, name)
		imp.Walk(f.Body, func(s imp.Stm) bool {
			switch s := imp.MatchStm(s).(type) {
			case *imp.Launch:
				launched[kernels[s.Kernel]] = true
			case *imp.Call:
				visit(s.Fun)
			default:
			}
			return true
		})
	}
	visit(low.Init)
	visit(e.Fun)

	c := candidate{file: file, entry: e.Name, cost: 1, codes: map[string][]string{}}
	shapes := map[string]bool{}
	for k := range launched { // In any order: sums, sets, and shapes that are sorted.
		shape := sanitizegpu.Shape(k)
		shapes[shape] = true
		if coded && len(imp.DeviceFunctions(k.Body)) == 0 {
			sum := sha256.Sum256([]byte(wire.ShapesOf(nil).Of(k)))
			c.codes[shape] = append(c.codes[shape], string(sum[:]))
		}
		imp.Walk(k.Body, func(imp.Stm) bool { c.cost++; return true })
	}
	c.shapes = slices.Sorted(maps.Keys(shapes))
	return c
}

// pairs are the kinds of shapes, each by itself and with each single trait.
func pairs(shapes []string) []string {
	all := map[string]bool{}
	for _, shape := range shapes {
		kind, traits, _ := strings.Cut(shape, ", ")
		all[kind] = true
		for trait := range strings.SplitSeq(traits, ", ") {
			all[kind+", "+trait] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// singles are the kinds of shapes, and the traits, each by itself.
func singles(shapes []string) []string {
	all := map[string]bool{}
	for _, shape := range shapes {
		kind, traits, _ := strings.Cut(shape, ", ")
		all[kind] = true
		for trait := range strings.SplitSeq(traits, ", ") {
			all["with "+trait] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

func TestASampleHasEveryShapeAndLittleElse(t *testing.T) {
	from := []candidate{
		{"all", "main", []string{"map", "scan", "hist", "copy"}, 100, nil},
		{"none", "main", nil, 1, nil},
		{"map", "main", []string{"map"}, 1, nil},
		{"scans", "dear", []string{"scan", "map"}, 30, nil},
		{"scans", "cheap", []string{"scan", "map"}, 10, nil},
		{"rest", "main", []string{"hist", "scan", "copy"}, 20, nil},
		{"first", "main", []string{"copy"}, 1, nil}, // and not needed once rest is there
	}
	var got []string
	for _, c := range cover(from) {
		got = append(got, c.file+" "+c.entry)
	}
	if want := "map main, rest main"; strings.Join(got, ", ") != want {
		t.Errorf("the sample is %v, want %s", got, want)
	}
}
