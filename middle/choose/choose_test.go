package choose_test

import (
	"errors"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"skald/middle/choose"
	"skald/middle/core"
	"skald/middle/facts"
	"skald/middle/pass"
	"skald/middle/passtest"
)

// devices are what the golden tests choose for.
var devices = map[string]facts.Facts{
	"gpu": {
		Groups: 1056, SharedBytes: 48 << 10, WideGroup: 1024, WideBytes: 227 << 10, Vectors: true, Words: true, LookBack: true,
		SubgroupSize: 32, Converges: true, Atomic64: true, HalfFactor: true,
	},
	"webgpu":    {Groups: 1056, SharedBytes: 16 << 10, WideGroup: 1024, WideBytes: 48 << 10, Vectors: true, Words: true, SubgroupSize: 32},
	"portable":  {Words: true, Vectors: true, NoI64: true, NoF64: true},
	"processor": {Tasks: 32, GroupSize: 1, WideGroup: 1, Groups: 32},
	"core":      {Tasks: 8, OneCore: true, Permutes: true, GroupSize: 1, WideGroup: 1, Groups: 8},
}

func TestOperationsGetChoices(t *testing.T) {
	for name, f := range devices {
		t.Run(name, func(t *testing.T) {
			p := choose.Pass
			p.Run = func(ctx *pass.Context, p *core.Prog) *core.Prog {
				own := &pass.Context{DumpDir: ctx.DumpDir, Device: f}
				out := choose.Pass.Run(own, p)
				if err := choose.Check(choose.NewDevice(f, out), out); err != nil {
					t.Errorf("the choices are refused: %v", err)
				}
				return out
			}
			passtest.Golden(t, "testdata/"+name+"/*.txtar", p)
		})
	}
}

// Whatever a device has or lacks, its choices are those that the verifiers accept.
func TestChoicesAreLegalOnEveryDevice(t *testing.T) {
	files, err := filepath.Glob("testdata/gpu/*.txtar")
	lowering, err2 := filepath.Glob("../lower/testdata/*.core")
	if files = append(files, lowering...); len(lowering) == 0 || errors.Join(err, err2) != nil {
		t.Fatal("no programs", err, err2)
	}
	for _, file := range files {
		ar, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		src := string(ar.Comment)
		if len(ar.Files) > 0 {
			src = string(ar.Files[0].Data)
		}
		p, err := core.Parse(src)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 2000 {
			f := anyFacts(rand.New(rand.NewPCG(uint64(i), 0)))
			out := choose.Pass.Run(&pass.Context{Device: f}, p)
			if err := errors.Join(core.Verify(out), choose.Check(choose.NewDevice(f, out), out)); err != nil {
				t.Fatalf("%s on %+v: %v", file, f, err)
			}
		}
	}
}

// anyFacts are facts at random, some of which no device has.
func anyFacts(r *rand.Rand) facts.Facts {
	power := func(most int) int { return 1 << r.IntN(most) }
	flag := func() bool { return r.IntN(2) == 0 }
	f := facts.Facts{
		GroupSize: power(11), Groups: r.IntN(2000), SharedBytes: r.IntN(9)*power(14) - 16, Words: flag(), Vectors: flag(), Atomic64: flag(),
		LookBack: flag(), Converges: flag(), NoI64: flag(), NoF64: flag(), Software: flag(), SubgroupSize: []int{0, 1, 4, 32, 64}[r.IntN(5)],
	}
	f.WideGroup, f.WideBytes = f.GroupSize*power(3), f.SharedBytes*power(3)
	if r.IntN(8) == 0 {
		f.Tasks, f.GroupSize, f.WideGroup = 1+r.IntN(300), 1, 1
	}
	return f
}

// Each choice is one that core.Verify accepts and that the operation, or the device, cannot have.
func TestCheckRefusesWhatTheDeviceCannotHave(t *testing.T) {
	const sum, keys = "segred.grid (i_8 < n_1) (f32) ", "seghist.grid (i_8 < n_1) (i64, i32) "
	const rows = "segred.grid (i_8 < n_1, j_9 < n_1) (f32) "
	const scan, copies = "segscan.grid (i_8 < n_1) (f32) ", "segmap.grid (i_8 < n_1) (f32) "
	gpu, portable := devices["gpu"], devices["portable"]
	narrow := gpu
	narrow.SharedBytes = 512
	tests := []struct {
		name, seg, choice string
		device            facts.Facts
		want              string
	}{
		{"a workgroup that is too large", copies, "by (thread group 2048)", gpu, "workgroups have 1024 threads at most"},
		{"tasks of a GPU", copies, "by (task tasks 32 each 100)", gpu, "no processor"},
		{"three elements", copies, "by (thread group 256 vector 3)", gpu, "power of two"},
		{"shuffles without subgroups", sum, "by (grid group 256 groups 64 shuffles) merge ((workgroup group 256))", portable, "cannot join"},
		{
			"shuffles behind the last launch", sum, "by (grid group 256 groups 64) merge ((workgroup group 256 shuffles))", portable,
			"combine results by the form `workgroup group 256 shuffles`",
		},
		{
			"values that do not fit", sum, "by (grid group 256 groups 64) merge ((workgroup group 64))", narrow,
			"has 512 bytes, and each thread needs 4",
		},
		{"subgroups without any", rows, "by (subgroup group 256 if size < 4, workgroup group 256)", portable, "no subgroup operations"},
		{"waiting where that may be for ever", scan, "by (lookback group 256 vector 4 rows 4 shuffles prefixes)", portable, "cannot"},
		{"prefixes without subgroups", scan, "by (grid group 256 rows 1 groups 64 prefixes)", portable, "cannot scan"},
		{
			"a table larger than the memory", keys,
			"by (table group 256 capacity 9999 copies 1 least 4 groups 64 if bins <= 9999, thread group 256)",
			portable, "tables may have 16384 bytes",
		},
		{
			"counters that overflow", keys,
			"by (counters group 1024 capacity 99 slices 1 least 4 groups 64 vector 16 flight 4 if bins <= 99, thread group 256)", gpu,
			"too much at once",
		},
		{
			"elements that do not fit", "segscan.grid (i_8 < n_1, j_9 < n_1) (f32) ", "by (workgroup group 256 factor 1024)", gpu,
			"a tile of its threads' elements does not fit",
		},
		{"a reduction with a factor", rows, "by (workgroup group 256 factor 4)", gpu, "only scans"},
		{"a reduction with room for arrays", rows, "by (workgroup group 256 room 400)", gpu, "only what workgroups run as a whole"},
		{"a transposition of no copy", copies, "by (transpose group 256 side 32 if across > 15, thread group 256)", gpu, "no copy whose ends"},
		{"a tile without tiles", copies, "by (tile group 128 shape 1 unroll 1 if tiles > 4, thread group 256)", gpu, "no such shape"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := program(t, tt.seg, tt.choice)
			err := choose.Check(choose.NewDevice(tt.device, p), p)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v does not say %q", err, tt.want)
			}
		})
	}
}

// program is one operation with a choice, which core.Verify accepts.
func program(t *testing.T, seg, choice string) *core.Prog {
	t.Helper()
	const op = "ops (comm neutral (0.0f32) fn (a_11: f32, b_12: f32): (f32) { let (c_13: f32) = add.f32 a_11 b_12 in (c_13) }) "
	const read = "{ let (x_14: f32) = index xs_3 [i_8] in (x_14) }"
	dst, rest := "s_10: f32", op+read
	switch {
	case strings.HasPrefix(seg, "segmap"):
		dst, rest = "s_10: [n_1]f32 @m_2{0; 1}", "{ let (x_14: f32) = index xs_3 [0i64] let (y_15: f32) = add.f32 x_14 x_14 in (y_15) }"
	case strings.HasPrefix(seg, "segscan") && strings.Contains(seg, "j_9"):
		dst = "s_10: [n_1][n_1]f32 @m_2{0; n_1, 1}"
	case strings.HasPrefix(seg, "segscan"), strings.Contains(seg, "j_9"):
		dst = "s_10: [n_1]f32 @m_2{0; 1}"
	case strings.HasPrefix(seg, "seghist"):
		dst = "s_10: [99i64]i32 @m_4{0; 1}"
		rest = "ops ([99i64] (d_5) neutral (0i32) fn (a_11: i32, b_12: i32): (i32) { let (c_13: i32) = add.i32 a_11 b_12 in (c_13) }) " +
			"{ let (x_14: i64) = index is_7 [i_8] in (x_14, 1i32) }"
	}
	p, err := core.Parse("stage chosen\nfun main (n_1: i64, m_2: mem(f32, device), xs_3: [n_1]f32 @m_2{0; 1}, m_4: mem(i32, device), " +
		"d_5: *[99i64]i32 @m_4{0; 1}, m_6: mem(i64, device), is_7: [n_1]i64 @m_6{0; 1}): (r_16: i32) = {\n  let (" + dst + ") = " + seg + choice +
		" " + rest + "\n  in (0i32)\n}\n")
	if err == nil {
		err = core.Verify(p)
	}
	if err != nil {
		t.Fatal(err)
	}
	return p
}
