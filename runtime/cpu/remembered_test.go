package cpu

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Code that a compiler made is used when it has gone, by its own program; of what is not kept one line says why it is evaluated.
func TestKeptCodeNeedsNoCompiler(t *testing.T) {
	needCompiler(t)
	const none = "/nowhere/cc"
	run := func(compiler, program, factor string) (x int32, api string, warned string) {
		t.Helper()
		d, said, run := opened(t, Options{
			Print: printAs(fillText(factor + " * p->x")), Build: []byte("a"), Program: program, Compiler: compiler,
		})
		x, failed, err := run()
		if failed != 4 || err != nil {
			t.Errorf("failure %d, %v", failed, err)
		}
		return x, d.Facts().API, strings.Join(*said, "\n")
	}
	if x, _, warned := run(none, "p", "2"); x != 7 || !strings.Contains(warned, "no C compiler is found (/nowhere/cc)") {
		t.Errorf("before there is code: %d, %q", x, warned)
	}
	if x, api, warned := run("", "p", "2"); x != 14 || api != "compiled code" || warned != "" {
		t.Errorf("compiled: %d by %s, %q", x, api, warned)
	}
	if x, api, warned := run(none, "p", "3"); x != 14 || api != "kept compiled code" || warned != "" {
		t.Errorf("kept: %d by %s, %q", x, api, warned)
	}
	if x, _, warned := run(none, "q", "3"); x != 7 || !strings.Contains(warned, "no C compiler is found") {
		t.Errorf("another program: %d, %q", x, warned)
	}
	if x, api, warned := run("", "q", "3"); x != 14 || api != "compiled code" || warned != "" {
		t.Errorf("kept for another program: %d by %s, %q", x, api, warned)
	}
	if x, _, warned := run(none, "q", "3"); x != 14 || warned != "" {
		t.Errorf("kept for both: %d, %q", x, warned)
	}
	kept, err := filepath.Glob(filepath.Join(os.Getenv("SKALD_CACHE"), cacheFolder, "*.code"))
	if err != nil || len(kept) != 1 {
		t.Fatalf("%v %v", kept, err)
	}
	if err := os.Remove(kept[0]); err != nil {
		t.Fatal(err)
	}
	if x, _, warned := run(none, "p", "3"); x != 7 || !strings.Contains(warned, "not all code of the program is kept, and no C compiler") {
		t.Errorf("without the code: %d, %q", x, warned)
	}
	pretend(t, "other")
	if x, _, warned := run(none, "p", "3"); x != 7 || strings.Contains(warned, "is kept") {
		t.Errorf("another processor: %d, %q", x, warned)
	}
}
