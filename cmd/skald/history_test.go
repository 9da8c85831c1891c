package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestHistoryLivesOn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "history")
	first := openHistory(path)
	for _, line := range []string{"a", "b\nb", "b\nb", "  ", "c"} {
		if _, err := first.Write(line); err != nil {
			t.Error(err)
		}
	}
	second := openHistory(path)
	for i, want := range []string{"a", "b\nb", "c"} {
		if got, err := second.GetLine(i); got != want || err != nil {
			t.Errorf("line %d is %q, %v, want %q", i, got, err, want)
		}
	}
	if second.Len() != 3 {
		t.Errorf("%d lines, want 3", second.Len())
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file may be read by others: %v, %v", info, err)
	}
}

func TestHistoryIsBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history")
	var b strings.Builder
	for i := range 2*maxHistory + 5 {
		fmt.Fprintln(&b, i)
	}
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	h := openHistory(path)
	last, err := h.GetLine(h.Len() - 1)
	if h.Len() != maxHistory || last != fmt.Sprint(2*maxHistory+4) || err != nil {
		t.Errorf("%d lines, the last %q, %v", h.Len(), last, err)
	}
	text, err := os.ReadFile(path)
	if err != nil || strings.Count(string(text), "\n") != maxHistory {
		t.Errorf("the file has %d lines, %v", strings.Count(string(text), "\n"), err)
	}
}

func TestHistoryWithoutAFileLastsOneSession(t *testing.T) {
	for _, path := range []string{"", "/dev/null/history"} {
		h := openHistory(path)
		n, err := h.Write("x")
		if line, _ := h.GetLine(0); n != 1 || err != nil || line != "x" {
			t.Errorf("path %q: %d lines, %v", path, n, err)
		}
	}
}

func TestHistoryPathFollowsTheEnvironment(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", "/state")
	if got := historyPath(); got != filepath.Join("/state", "skald", "history") {
		t.Errorf("got %q", got)
	}
	t.Setenv("SKALD_HISTORY", "")
	if got := historyPath(); got != "" {
		t.Errorf("got %q, want none", got)
	}
}
