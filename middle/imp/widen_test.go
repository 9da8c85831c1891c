package imp_test

import (
	"strings"
	"testing"

	"skald/middle/imp"
)

// forms are kernels that the host makes of others; each is a kernel that reads back.
var forms = map[string]func(k *imp.Kernel) *imp.Kernel{
	"wide":   imp.WidenKernel,
	"packed": func(k *imp.Kernel) *imp.Kernel { return imp.PackMems(k, []int{0, 1, 0}) },
	"chunks": func(k *imp.Kernel) *imp.Kernel { return imp.SplitMems(k, []int{2, 0, 3}, 27) },
}

func TestFormsOfKernelsAreKernels(t *testing.T) {
	p, err := imp.Parse(everything)
	if err != nil {
		t.Fatal(err)
	}
	before := imp.PrintKernel(p.Kernels[0])
	for name, form := range forms {
		k := form(p.Kernels[0])
		if err := imp.VerifyKernel(k); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		text := imp.PrintKernel(k)
		q, err := imp.Parse(text)
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, text)
		}
		if again := imp.PrintKernel(q.Kernels[0]); again != text || text == before {
			t.Errorf("%s:\n%s\nbecame\n%s", name, text, again)
		}
	}
	if after := imp.PrintKernel(p.Kernels[0]); after != before {
		t.Errorf("the kernel was changed:\n%s", after)
	}
}

func TestWideKernelsMakeSmallNumbersOnlyForAccesses(t *testing.T) {
	p, err := imp.Parse(`kernel k(n_1: idx, read @xs_0: i8, write @ys_1: i64) group 64 {
  let i_2: idx = thread_id
  for j_3: idx < n_1 {
    @ys_1[i_2] = conv.idx.i64(add.idx(i_2, mul.idx(j_3, n_1)))
  }
}`)
	if err != nil {
		t.Fatal(err)
	}
	text := imp.PrintKernel(imp.WidenKernel(p.Kernels[0]))
	for _, want := range []string{
		"n_1: i64", "let i_2: i64 = add.i64(mul.i64(conv.idx.i64(group_id), conv.idx.i64(group_size)), conv.idx.i64(local_id))",
		"@ys_1[conv.i64.idx(i_2)] = add.i64(i_2, mul.i64(j_3, n_1))", "while lt.i64(j_3, bound_4)", "j_3 = add.i64(j_3, 1:i64)",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}
