package dynlib

import (
	"runtime"
	"testing"
)

func TestBindFindsSymbolsAndNamesTheMissing(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("SKIPPED: names the C library of Linux")
	}
	l, err := Open("libc.so.6", Private)
	if err != nil {
		t.Skipf("SKIPPED: %v", err)
	}
	var table struct {
		Len     uintptr `symbol:"len"`
		Nowhere uintptr
	}
	missing := l.Bind("str", &table)
	if table.Len == 0 || table.Nowhere != 0 || len(missing) != 1 || missing[0] != "strNowhere" {
		t.Errorf("table %+v, missing %v", table, missing)
	}
	if _, err := Open("/nowhere/lib.so", Private); err == nil {
		t.Error("a library that is not there was opened")
	}
}
