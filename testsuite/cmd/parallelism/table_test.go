package main

import (
	"bytes"
	"encoding/csv"
	"slices"
	"testing"
)

// The examples run on the profile's facts, and each row says what was counted.
func TestTheTableHasARowForEachExample(t *testing.T) {
	t.Chdir("../../..")
	var out bytes.Buffer
	if err := printTable(&out, "h200-wgpu", "", "", 1000); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&out).ReadAll()
	if err != nil || len(rows) != 1+len(ours) {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for _, row := range rows[1:] {
		if note := row[len(row)-1]; note != "" || row[4] == "0" || row[5] == "0" {
			t.Errorf("%v", row)
		}
	}
}

// Arguments of the suite's programs can be made, those apart that are files there.
func TestArgumentsOfTheSuiteCanBeMade(t *testing.T) {
	if n := len(ours) + len(suite); n < 25 {
		t.Errorf("%d programs", n)
	}
	for _, c := range slices.Concat(suite, trafficSuite, bindingsSuite) {
		if c.file != "" {
			continue
		}
		if args, err := c.arguments(""); err != nil || len(args) != len(c.args) {
			t.Errorf("%s: %d arguments, %v", c.program, len(args), err)
		}
	}
}
