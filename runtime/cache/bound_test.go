package cache

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

func TestTheOldestEntriesGoFirst(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("SKALD_CACHE", dir)
	for i, name := range []string{"old", "older", "new"} {
		if err := Write(make([]byte, 1000), "some", name); err != nil {
			t.Fatal(err)
		}
		age := time.Now().Add(-time.Duration([]int{2, 3, 1}[i]) * time.Hour)
		if err := os.Chtimes(filepath.Join(dir, "some", name), age, age); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		most int64
		want []string
	}{{4000, []string{"old", "older", "new"}}, {2500, []string{"old", "new"}}, {1500, []string{"new"}}, {0, nil}} {
		if err := Bound(c.most, "some"); err != nil {
			t.Fatal(err)
		}
		left, err := os.ReadDir(filepath.Join(dir, "some"))
		if err != nil || len(left) != len(c.want) {
			t.Errorf("%d bytes: %v, %v", c.most, left, err)
		}
		for _, name := range c.want {
			if Read("some", name) == nil {
				t.Errorf("%d bytes: %s is gone", c.most, name)
			}
		}
	}
}

func TestKeptEntriesBoundTheirFolder(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("SKALD_CACHE", dir)
	const most, size = 20_000, 1000
	for i := range 20 * looksIn {
		if err := Keep(make([]byte, size), most, "some", strconv.Itoa(i)); err != nil {
			t.Fatal(err)
		}
	}
	left, err := os.ReadDir(filepath.Join(dir, "some"))
	if err != nil || len(left) > most/size+10*looksIn {
		t.Errorf("%d entries are left of %d, %v", len(left), 20*looksIn, err)
	}
}
