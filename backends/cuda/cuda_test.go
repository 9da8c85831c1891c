package cuda_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"skald/backends/cuda"
	"skald/middle/goldentest"
	"skald/middle/imp"
	"skald/middle/imp/imptest"
)

// TestGolden shows what becomes of kernels, without the text of the support library, which has tests of its own. That the text is CUDA C
// is tested by testsuite/kernels.
func TestGolden(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.imp")
	if err != nil || len(paths) == 0 {
		t.Fatal("no kernels", err)
	}
	for _, path := range paths {
		var got strings.Builder
		for _, k := range imptest.KernelsOf(t, path) {
			c, err := cuda.Print(k)
			if err != nil {
				t.Fatal(err)
			}
			got.WriteString(own(c.Source))
		}
		golden := strings.TrimSuffix(path, ".imp") + ".cu"
		goldentest.File(t, golden, got.String())
	}
}

// own drops the declarations of the support library from a module.
func own(source string) string {
	var out []string
	skip := false
	for _, line := range strings.SplitAfter(source, "\n") {
		start := strings.HasPrefix(line, "SKALD_FN") || strings.HasPrefix(line, "#define") ||
			strings.HasPrefix(line, "typedef ") && !strings.HasPrefix(line, "typedef struct")
		skip = skip || start
		if !skip {
			out = append(out, line)
		}
		if strings.HasPrefix(line, "}") || start && strings.ContainsAny(line, "};") || strings.HasPrefix(line, "#define") {
			skip = false
		}
	}
	return strings.Join(out, "")
}

// A kernel declares workgroup memory up to 48 KiB. The launch of one with more asks for it, all of which arrays take.
func TestMuchWorkgroupMemoryIsAskedForAtLaunch(t *testing.T) {
	for text, shared := range map[string]int{
		"kernel k() group 32 {\n  shared @a_0: f32[12288]\n}":                              0,
		"kernel k() group 32 {\n  shared @a_0: i8[3]\n  shared @b_1: f64[6144]\n}":         49152 + 3,
		"kernel k() group 32 {\n  shared @a_0: bool[100000]\n  shared @b_1: i16[10000]\n}": 120000,
	} {
		c, err := cuda.Print(imptest.Kernel(t, text))
		if err != nil {
			t.Fatal(err)
		}
		if c.Shared != shared || strings.Contains(c.Source, "extern __shared__") != (shared > 0) {
			t.Errorf("%s\nasks for %d bytes, not %d:\n%s", text, c.Shared, shared, c.Source)
		}
	}
}

// The word that a small element lies in is workgroup memory, all of it, where a kernel updates elements by words.
func TestWordsAroundSmallElements(t *testing.T) {
	const update = "  atomic add @a_0[local_id] 1:i8\n"
	for _, tt := range []struct{ arrays, body, want string }{
		{"shared @a_0: i8[5]\n  shared @b_1: i8[5]", update + "  atomic max @b_1[local_id] 1:i8\n", "4 a[8] 4 b[8] = 16 + 0"},
		{"shared @a_0: i8[5]\n  shared @b_1: i16[5]", update + "  atomic max @b_1[local_id] 1:i16\n", "4 a[8] 4 b[6] = 20 + 0"},
		{"shared @a_0: i8[5]\n  shared @b_1: i8[5]", update + "  @b_1[local_id] = 1:i8\n", "4 a[8] 1 b[5] = 13 + 0"},
		{"shared @a_0: i8[5]\n  shared @b_1: i32[5]", "  atomic add @b_1[local_id] 1:i32\n  @a_0[local_id] = 1:i8\n", "1 a[5] 4 b[5] = 25 + 0"},
		{"shared @a_0: i8[5]\n  shared @b_1: i8[49147]", update + "  @b_1[local_id] = 1:i8\n", " = 0 + 49152"},
		{"shared @a_0: i8[5]\n  shared @b_1: i8[49150]", update + "  @b_1[local_id] = 1:i8\n", " = 0 + 49156"},
	} {
		k := imptest.Kernel(t, "kernel k() group 32 {\n  "+tt.arrays+"\n"+tt.body+"}")
		c, err := cuda.Print(k)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, m := range regexp.MustCompile(`__shared__ __align__\((\d)\) [a-z0-9 ]+ (\w\[\d+\]);`).FindAllStringSubmatch(c.Source, -1) {
			got = append(got, m[1]+" "+m[2])
		}
		if has := fmt.Sprintf("%s = %d + %d", strings.Join(got, " "), c.Declared, c.Dynamic(k, nil)); has != tt.want {
			t.Errorf("%s: %s, not %s", tt.arrays, has, tt.want)
		}
	}
}

func TestAnArrayInChunksIsALimit(t *testing.T) {
	k := imp.SplitMems(imptest.Kernel(t, "kernel k(write @xs_0: f32) group 32 {\n  @xs_0[0:idx] = 0x3f800000:f32\n}"), []int{2}, 20)
	if _, err := cuda.Print(k); err == nil || !strings.Contains(err.Error(), "larger than one buffer") {
		t.Error(err)
	}
}

// An index that a wide kernel computes has 64 bits, of which none is cut off.
func TestWideIndicesAreNotCutOff(t *testing.T) {
	k := imptest.Kernel(t, "kernel k(write @xs_0: u8, i_1: idx) group 32 {\n  @xs_0[i_1] = @xs_0[add.idx(i_1, 4:idx)]\n"+
		"  loadvec a_2: u8, b_3: u8 = @xs_0[i_1]\n  storevec @xs_0[i_1] = b_3, a_2\n}")
	c, err := cuda.Print(imp.WidenKernel(k))
	if err != nil {
		t.Fatal(err)
	}
	_, body, _ := strings.Cut(c.Source, "kernel_main(")
	if strings.Contains(body, "(i32)") || !strings.Contains(body, "xs[i] = ") {
		t.Error(body)
	}
}

// What a loop loads before it computes functions with branches is used there; a single element, or one for other functions, is not.
func TestLoadsBeforeBranchesStayThere(t *testing.T) {
	const held = `asm volatile("" :: "f"(a), "f"(b));`
	const loads = "let a_4: f32 = @xs_1[i_3]\n let b_5: f32 = @xs_1[add.idx(i_3, 1:idx)]\n "
	for body, want := range map[string]string{
		loads + "s_2 = add.f32(s_2, add.f32(call.exp.f32(a_4), b_5))":                            held,
		loads + "let e_6: f32 = call.exp.f32(a_4)\n s_2 = add.f32(s_2, add.f32(e_6, b_5))":       held,
		loads + "let e_6: f32 = call.floor.f32(a_4)\n s_2 = add.f32(s_2, add.f32(e_6, b_5))":     "",
		"let a_4: f32 = @xs_1[i_3]\n let e_6: f32 = call.exp.f32(a_4)\n s_2 = add.f32(s_2, e_6)": "",
	} {
		c, err := cuda.Print(imptest.Kernel(t, "kernel k(n_1: idx, write @ys_0: f32, read @xs_1: f32) group 32 {\n let s_2: f32 = 0x0:f32\n"+
			" for i_3: idx < n_1 {\n "+body+"\n }\n @ys_0[0:idx] = s_2\n}"))
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(c.Source, "asm volatile") != (want != "") || !strings.Contains(c.Source, want) {
			t.Errorf("%s:\n%s", body, c.Source)
		}
	}
}

// All threads that a multiprocessor can have are resident where workgroups whose subgroups update bins share it.
func TestThreadsThatShareAMultiprocessorAreResident(t *testing.T) {
	text, err := os.ReadFile("testdata/subgroup_update.imp")
	if err != nil {
		t.Fatal(err)
	}
	for group, want := range map[string]string{"64": "(64)", "512": "(512, 4)", "1024": "(1024)"} {
		c, err := cuda.Print(imptest.Kernel(t, strings.Replace(string(text), "group 64", "group "+group, 1)))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(c.Source, "__launch_bounds__"+want+" void") {
			t.Errorf("%s threads: not %s:\n%s", group, want, c.Source)
		}
	}
}

// Kernels whose threads have arrays that are no registers have enough resident threads, if they have no workgroup memory.
func TestThreadsWithLargeArraysAreResident(t *testing.T) {
	for _, tt := range []struct {
		elements, group int
		memory, want    string
	}{
		{64, 64, "", "__launch_bounds__(64)"},
		{65, 64, "", "__launch_bounds__(64, 8)"},
		{65, 256, "", "__launch_bounds__(256, 2)"},
		{65, 512, "", "__launch_bounds__(512)"},
		{65, 64, "  shared @a_1: f32[16]\n", "__launch_bounds__(64)"},
	} {
		p := 1 + strings.Count(tt.memory, "@")
		text := fmt.Sprintf("kernel many(write @r_0: i32) group %d {\n%s  private @p_%d: i32[%d]\n", tt.group, tt.memory, p, tt.elements)
		text += fmt.Sprintf("  @p_%d[0:idx] = 1:i32\n  let x_1: i32 = @p_%d[0:idx]\n  @r_0[0:idx] = x_1\n}", p, p)
		c, err := cuda.Print(imptest.Kernel(t, text))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(c.Source, tt.want+" void") {
			t.Errorf("%d elements, %d threads, %q: not %s:\n%s", tt.elements, tt.group, tt.memory, tt.want, c.Source)
		}
	}
}
