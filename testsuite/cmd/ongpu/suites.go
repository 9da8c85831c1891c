package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"skald/compiler"
	"skald/testsuite/random"
	"skald/testsuite/random/compare"
	"skald/tooling/conformance"
)

// suiteNames are the suites, in the order in which they are run: folders, and the random programs.
var suiteNames = []string{"programs", "examples", "large", "futhark-tests", randomSuite}

const randomSuite = "random"

func (o *options) suitePath(name string) string { return filepath.Join(o.folder, name) }

// autoOutput is the folder of reference outputs, if there is one.
func (o *options) autoOutput() string {
	path := filepath.Join(o.folder, "auto-output")
	if _, err := os.Stat(filepath.Join(path, "index.csv")); err != nil {
		return ""
	}
	return path
}

// programs lists what is to be run, by suite: files below the folder, and numbers of random programs.
func (o *options) programs() ([]string, error) {
	var all []string
	for _, suite := range o.suites {
		switch {
		case !slices.Contains(suiteNames, suite):
			return nil, fmt.Errorf("no suite is called %q; there are %s", suite, strings.Join(suiteNames, ", "))
		case suite == randomSuite:
			for i := range o.random {
				all = append(all, fmt.Sprintf("%s/%d", randomSuite, o.seed+i))
			}
			continue
		}
		var files []string
		err := filepath.WalkDir(o.suitePath(suite), func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && strings.HasSuffix(path, ".fut") {
				files = append(files, path)
			}
			return err
		})
		if os.IsNotExist(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		slices.Sort(files)
		all = append(all, files...)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s has none of the suites %s", o.folder, strings.Join(o.suites, ", "))
	}
	return all, nil
}

// configurations are the backends, or each without each of the passes to leave out.
func (o *options) configurations() []string {
	if o.without == nil {
		return o.backends
	}
	var all []string
	for _, pass := range o.without {
		for _, b := range o.backends {
			all = append(all, conformance.Without(b, pass))
		}
	}
	return all
}

// shareOf are the programs that configuration i runs.
func (o *options) shareOf(programs []string, i int) []string {
	if o.without == nil || o.share < 2 {
		return programs
	}
	var some []string
	for j := i % o.share; j < len(programs); j += o.share {
		some = append(some, programs[j])
	}
	return some
}

// optionalPasses are the passes of devices' pipelines that can be left out.
func optionalPasses() []string {
	var names []string
	for _, s := range compiler.Stages() {
		if s.Pipeline == compiler.PipelineGPU && s.Needed == "" {
			names = append(names, s.Name)
		}
	}
	return names
}

// suiteOf is the suite that a program is of.
func (o *options) suiteOf(program string) string {
	if rel, err := filepath.Rel(o.folder, program); err == nil && !strings.HasPrefix(program, randomSuite+"/") {
		program = rel
	}
	suite, _, _ := strings.Cut(filepath.ToSlash(program), "/")
	return suite
}

// test runs one program: a file with its test blocks, or a random program, which is compared with the interpreter.
func (o *options) test(program string, c conformance.Options) []conformance.Result {
	number, isRandom := strings.CutPrefix(program, randomSuite+"/")
	if !isRandom {
		return conformance.File(program, c)
	}
	var seed uint64
	r := conformance.Result{File: program, Kind: conformance.Ran, Entry: "main", Case: "compared with the interpreter"}
	if _, err := fmt.Sscan(number, &seed); err != nil {
		r.Status, r.Reason = conformance.Fail, err.Error()
	} else {
		c.Begin(r)
		switch v := compare.Run(random.Make(seed), c.Executor); v.Verdict {
		case compare.Agrees, compare.Fails:
		case compare.Differs:
			r.Status, r.Reason = conformance.Fail, v.Reason
		default:
			r.Status, r.Reason = conformance.Skip, string(v.Verdict)+": "+v.Reason
		}
	}
	if c.Known == 0 {
		c.Each(r)
	}
	return []conformance.Result{r}
}
