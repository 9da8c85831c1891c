package main

import (
	"os"
	"strings"
	"testing"
)

const header = "program,entry,input,peer,webgpu,cuda,before,agreement\n"

func TestCasesAreInOrderAndWrongResultsHaveNoTime(t *testing.T) {
	cases, err := read(strings.NewReader(header + "a/slow,main,1,10,40,20,1,same\na/none,main,1,10,nan,nan,1,none in 12 s\n" +
		"a/wrong,main,1,10,5,5,1,WRONG 1\na/fast,f,\"1,2\",20,10,40,1,same\n"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, c := range cases {
		names = append(names, c.name)
	}
	if got := strings.Join(names, "|"); got != "fast:f 1,2|slow 1|none 1|wrong 1" {
		t.Errorf("order %s", got)
	}
	for target, want := range []string{
		"WebGPU: 2 of 4 cases have a right result; geometric mean 1.41 of Futhark's time, best 0.50 (fast:f 1,2), worst 4.0 (slow 1)",
		"CUDA: 2 of 4 cases have a right result; geometric mean 2.00 of Futhark's time, best 2.00 (fast:f 1,2), worst 2.0 (fast:f 1,2)",
	} {
		if got := summary(cases, target); got != want {
			t.Errorf("summary %q", got)
		}
	}
}

func TestBadRowsAreNamed(t *testing.T) {
	for text, want := range map[string]string{
		"a,b,c\n":                  "row 2 has 3 fields, not 8",
		"a,main,1,x,1,1,1,same\n":  "row 2: ",
		"a,main,1,0,1,1,1,same\n":  "row 2: 0 µs",
		"a,main,1,1,nil,1,1,same ": "row 2: ",
	} {
		_, err := read(strings.NewReader("h\n" + text))
		if err == nil {
			_, err = read(strings.NewReader(header + text))
		}
		if err == nil {
			t.Errorf("%q is accepted", text)
		} else if !strings.Contains(err.Error(), want) && !strings.Contains(err.Error(), "wrong number of fields") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// The committed chart is that of the committed measurements.
func TestTheChartIsCurrent(t *testing.T) {
	const root = "../../../"
	in, err := os.Open(root + "benchmarks/suite.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	cases, err := read(in)
	if err != nil {
		t.Fatal(err)
	}
	chart, err := os.ReadFile(root + "docs/suite.svg")
	if err != nil {
		t.Fatal(err)
	}
	if string(chart) != draw(cases) {
		t.Error("docs/suite.svg differs from the chart of benchmarks/suite.csv; run go run ./testsuite/cmd/chart")
	}
	page, err := os.ReadFile(root + "BENCHMARKS.md")
	if err != nil {
		t.Fatal(err)
	}
	for target := range targets {
		if !strings.Contains(string(page), summary(cases, target)) {
			t.Errorf("BENCHMARKS.md lacks: %s", summary(cases, target))
		}
	}
}
