package main

import (
	"bytes"
	"encoding/csv"
	"path/filepath"
	"testing"
)

// On a device with few bindings no array is copied to be bound: of the examples, and of a program whose kernels have more arrays than the
// device binds.
func TestNoArrayIsCopiedToBeBound(t *testing.T) {
	t.Chdir("../../..")
	var out bytes.Buffer
	if err := printBindings(&out, bindingsProfile, "", ""); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&out).ReadAll()
	if err != nil || len(rows) != 1+len(ours) {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for _, row := range rows[1:] {
		if note, copied := row[len(row)-1], row[len(row)-2]; note != "" || copied != "0" {
			t.Errorf("%v", row)
		}
	}
	m, err := findProfile(bindingsProfile)
	if err != nil {
		t.Fatal(err)
	}
	many := tableCase{
		program: filepath.Join("testsuite", "programs", "arrays", "many-arrays.fut"), entry: "sums",
		args: []string{"[1000]i32", "[1000]i64", "[1000]bool"},
	}
	b, err := many.binds(m, ".")
	if err != nil {
		t.Fatal(err)
	}
	if b.packed == 0 || b.mostArrays <= int64(m.Facts.MaxBindings) || b.launches == 0 || b.copied != 0 {
		t.Errorf("%+v", b)
	}
}
