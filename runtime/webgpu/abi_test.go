package webgpu

import (
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"unsafe"

	"skald/runtime/dynlib"
)

// TestStructsByValueArrive calls C functions, compiled for the system that the test
// runs on, in the ways in which the library is called and calls back.
func TestStructsByValueArrive(t *testing.T) {
	cc, err := exec.LookPath("cc")
	if err != nil || runtime.GOOS == "windows" {
		t.Skip("SKIPPED: no C compiler for this system")
	}
	path := filepath.Join(t.TempDir(), "libabi.so")
	if out, err := exec.Command(cc, "-O2", "-shared", "-fPIC", "-o", path, "testdata/abi.c").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	lib, err := dynlib.Open(path, dynlib.Private)
	if err != nil {
		t.Fatal(err)
	}
	if got := callStruct(lib.Symbol("take_info"), []uintptr{3, 4, 5, 6, 7}, 1, 2); got != 1234567 {
		t.Errorf("info behind two arguments: %d", got)
	}
	if got := callStruct(lib.Symbol("take_info_last"), []uintptr{5, 6, 7, 8, 9}, 1, 2, 3, 4); got != 123456789 {
		t.Errorf("info behind four arguments: %d", got)
	}
	at := lib.Symbol("taken")
	taken := *(**uintptr)(unsafe.Pointer(&at))
	callStruct(lib.Symbol("take_description"), []uintptr{1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3})
	if *taken != 123456789123 {
		t.Errorf("description: %d", *taken)
	}
	list := []uint32{7, 8, 9}
	callPair(lib.Symbol("take_set"), uintptr(len(list)), uintptr(unsafe.Pointer(&list[0])))
	if *taken != 3009 {
		t.Errorf("set: %d", *taken)
	}
	for name, c := range map[string]struct {
		callback uintptr
		want     result
	}{
		"answer_object": {callbackTable().object, result{status: 3, object: 42, text: "made"}},
		"answer_scope":  {callbackTable().scope, result{status: 1, kind: 2, text: "an error"}},
	} {
		id, ch := expect()
		call(lib.Symbol(name), c.callback, id)
		if got := <-ch; got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}
