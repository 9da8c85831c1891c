package main

import (
	"errors"
	"os"
	"strings"
	"testing"
)

func TestPanicsAreInternalErrors(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	err := guard(func() error { panic("lost count") })
	var f *failure
	if !errors.As(err, &f) || f.code != exitInternal || !strings.HasPrefix(f.text, "internal error: lost count") {
		t.Fatalf("got %v", err)
	}
	_, name, _ := strings.Cut(f.text, "the contents of ")
	if stack, err := os.ReadFile(name); err != nil || !strings.Contains(string(stack), "TestPanicsAreInternalErrors") {
		t.Errorf("the stack is %q, %v", stack, err)
	}
	if err := guard(func() error { return nil }); err != nil {
		t.Errorf("got %v from what goes well", err)
	}
}
