package main

import (
	"bytes"
	"encoding/csv"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"skald/compiler"
)

// The table has a row for all passes and one for each that can be left out, of which fuse makes more launches when it is.
func TestTableHasARowForEachPass(t *testing.T) {
	dir := t.TempDir()
	program, input := filepath.Join(dir, "sums.fut"), filepath.Join(dir, "sums.in")
	text := "entry sums (xs: []f32): f32 = f32.sum (map (+ 1) (map (* 2) xs))\n"
	if err := os.WriteFile(program, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(input, []byte("[1.0f32, 2.5f32, -3.0f32]"), 0o644); err != nil {
		t.Fatal(err)
	}
	c, err := newCase(program + ":sums:" + input)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	if err := c.rows(w, setting{device: "cpu", runs: 2, rounds: 1, limit: time.Minute, passes: leftOut("", "")}); err != nil {
		t.Fatal(err)
	}
	w.Flush()
	rows, err := csv.NewReader(&out).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	launches := map[string]int{}
	for _, r := range rows {
		if launches[r[1]], err = strconv.Atoi(r[4]); err != nil {
			t.Error(err)
		}
	}
	for _, s := range compiler.Stages() {
		if _, ok := launches[s.Name]; !ok && s.Needed == "" {
			t.Errorf("no row for %s", s.Name)
		}
	}
	if launches["fuse"] <= launches[""] {
		t.Errorf("%d launches, and %d without fuse", launches[""], launches["fuse"])
	}
	if _, err := newCase("sums.fut"); err == nil || !strings.Contains(err.Error(), "PROGRAM:ENTRY:INPUT") {
		t.Errorf("an argument of one part: %v", err)
	}
}
