package wasm_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"

	"skald/backends/wasm"
	"skald/middle/goldentest"
	"skald/middle/imp/imptest"
)

// TestGolden shows what becomes of kernels. That it computes the right things is tested by package targets and the programs of testsuite.
func TestGolden(t *testing.T) {
	src, err := os.ReadFile("testdata/loops.imp")
	if err != nil {
		t.Fatal(err)
	}
	p, errs := wasm.Kernels(imptest.Kernels(t, string(src)))
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
	got := p.Module.Text()
	goldentest.File(t, "testdata/loops.wat.golden", got)
	r := wazero.NewRuntimeWithConfig(t.Context(),
		wazero.NewRuntimeConfigInterpreter().WithCoreFeatures(api.CoreFeaturesV2|experimental.CoreFeaturesThreads))
	m, err := r.CompileModule(t.Context(), p.Module.Binary())
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range p.Entries {
		if m.ExportedFunctions()[e.Name] == nil {
			t.Errorf("the module does not export %s", e.Name)
		}
	}
}

func TestThreadsThatWaitForEachOtherAreALimit(t *testing.T) {
	ks := imptest.Kernels(t, "kernel a() group 2 {\n  barrier\n}\nkernel b() group 1 {\n}")
	p, errs := wasm.Kernels(ks)
	if errs[0] == nil || !strings.Contains(errs[0].Error(), "wait for each other") {
		t.Errorf("%v", errs)
	}
	if text := p.Module.Text(); errs[1] != nil || !strings.Contains(text, p.Entries[1].Name) || strings.Contains(text, "kernel_a") {
		t.Errorf("%v\n%s", errs, text)
	}
	if _, err := wasm.Print(ks[0]); err == nil {
		t.Error("a kernel with threads that wait is printed")
	}
}

// TestParallelLoopsAreVectors says which loops run by lanes: not those of elements of several widths, and of accesses from which vectors
// cannot be made.
func TestParallelLoopsAreVectors(t *testing.T) {
	const head = "kernel k(n_1: idx, read @a_0: i32, read @b_1: u8, write @c_2: i32, write @d_3: u8) group 1 {\n" +
		"  parallel for j_2: idx < n_1 {\n"
	for body, want := range map[string]bool{
		"@c_2[j_2] = add.i32(@a_0[j_2], 1:i32)":         true,
		"@c_2[j_2] = conv.idx.i32(add.idx(j_2, 7:idx))": true,
		"@c_2[j_2] = @a_0[mul.idx(j_2, n_1)]":           true,
		"let x_3: u8 = 0:u8\n if eq.u8(@b_1[j_2], 3:u8) {\n x_3 = @b_1[add.idx(j_2, 1:idx)]\n }\n @d_3[j_2] = x_3":        true,
		"let x_3: i32 = 0:i32\n for k_4: idx < n_1 {\n x_3 = add.i32(x_3, @a_0[add.idx(k_4, j_2)])\n }\n @c_2[j_2] = x_3": true,
		"@c_2[j_2] = conv.u8.i32(@b_1[j_2])":                 false,
		"@c_2[j_2] = mod.i32(@a_0[j_2], 3:i32)":              false,
		"@c_2[j_2] = @a_0[conv.i32.idx(@a_0[j_2])]":          false,
		"@c_2[mul.idx(j_2, 2:idx)] = 0:i32":                  false,
		"if eq.u8(@b_1[j_2], 3:u8) {\n @d_3[j_2] = 1:u8\n }": false,
	} {
		p, errs := wasm.Kernels(imptest.Kernels(t, head+body+"\n  }\n}\n"))
		if errs[0] != nil {
			t.Fatal(errs[0])
		}
		if got := strings.Contains(p.Module.Text(), "v128.store"); got != want {
			t.Errorf("%s: vectors %v, not %v", body, got, want)
		}
	}
}

// TestBranchesOfBranchesAreNone says that lanes do not go different ways where branches in branches set variables to what each lane may
// compute.
func TestBranchesOfBranchesAreNone(t *testing.T) {
	p, errs := wasm.Kernels(imptest.Kernels(t, `kernel k(n_1: idx, read @b_0: u8, write @d_1: u8) group 1 {
  parallel for j_2: idx < n_1 {
    let x_3: u8 = @b_0[j_2]
    let r_4: bool = false
    if eq.u8(x_3, 3:u8) {
      r_4 = true
    } else {
      if eq.u8(x_3, 2:u8) {
        let y_5: u8 = @b_0[j_2]
        r_4 = eq.u8(y_5, 1:u8)
      } else {
        r_4 = false
      }
    }
    @d_1[j_2] = conv.bool.u8(r_4)
  }
}
`))
	if errs[0] != nil {
		t.Fatal(errs[0])
	}
	text := p.Module.Text()
	if !strings.Contains(text, "v128.or") || strings.Contains(text, "v128.any_true") || strings.Contains(text, "v128.bitselect") {
		t.Errorf("lanes branch:\n%s", text)
	}
}

// A loop of a few iterations that is written out computes the addresses of lanes one from the other, and is no reason to call the device.
func TestLanesGoOnFromThoseBefore(t *testing.T) {
	p, errs := wasm.Kernels(imptest.Kernels(t, `kernel k(n_1: idx, run_2: idx, read @xs_0: i32, write @ys_1: i32) group 1 {
  for k_3: idx < n_1 {
    parallel for l_4: idx < 64:idx {
      @ys_1[l_4] = @xs_0[add.idx(mul.idx(l_4, run_2), k_3)]
    }
  }
}
`))
	if errs[0] != nil {
		t.Fatal(errs[0])
	}
	text := p.Module.Text()
	for part, want := range map[string]int{"(local $step_": 1, "(local $place_": 0, "(local $lane_": 63, "replace_lane": 48, "call $poll": 1} {
		if n := strings.Count(text, part); n != want {
			t.Errorf("%d times %s, not %d", n, part, want)
		}
	}
}

// Code that names each of many variables twice takes no time that doubles with each.
func TestVariablesThatAreNamedTwiceAreLookedAtOnce(t *testing.T) {
	for name, elem := range map[string]string{"elements": "i64", "indices": "idx"} {
		var body strings.Builder
		for i := 4; i < 100; i++ {
			fmt.Fprintf(&body, "    let x_%d: %s = mul.%s(x_%d, sub.%s(x_%d, n_1))\n", i, elem, elem, i-1, elem, i-1)
		}
		first, last := "@xs_0[j_2]", "x_99"
		if elem == "idx" {
			first, last = "j_2", "conv.idx.i64(x_99)"
		}
		p, errs := wasm.Kernels(imptest.Kernels(t, fmt.Sprintf(`kernel k(n_1: %[1]s, m_100: idx, read @xs_0: i64, write @ys_1: i64) group 1 {
  parallel for j_2: idx < m_100 {
    let x_3: %[1]s = %[2]s
%[3]s    @ys_1[j_2] = %[4]s
  }
}
`, elem, first, body.String(), last)))
		if errs[0] != nil || p.Module.Text() == "" {
			t.Errorf("%s: %v", name, errs[0])
		}
	}
}
