package imp_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"skald/middle/imp"
	"skald/middle/imp/eval"
)

// threadCode is a kernel of two integers of each thread, and of code that stores one.
func threadCode(t *testing.T, body string) *imp.Prog {
	t.Helper()
	text := "kernel k(read @xs_0: i32, write @ys_1: i32) group 32 {\n let x_1: i32 = @xs_0[thread_id]\n" +
		" let y_2: i32 = @xs_0[add.idx(thread_id, 32:idx)]\n " + body + "\n}"
	p, err := imp.Parse(text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return p
}

// stored is what the threads of a kernel store.
func stored(t *testing.T, p *imp.Prog) []byte {
	t.Helper()
	xs, ys := make([]byte, 4*64), make([]byte, 4*32)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 64 {
		binary.LittleEndian.PutUint32(xs[4*i:], r.Uint32())
	}
	if err := eval.CompileKernel(p.Kernels[0]).Run(eval.Launch{Groups: 1, Blocks: [][]byte{xs, ys}}); err != nil {
		t.Fatal(err)
	}
	return ys
}

// keepsResults checks that a kernel stores the same without the bits that nothing uses, and returns its text then.
func keepsResults(t *testing.T, p *imp.Prog) string {
	t.Helper()
	before := imp.Print(p)
	out := imp.Bits(p)
	if err := imp.Verify(out); err != nil {
		t.Errorf("%v\n%s\nis\n%s", err, before, imp.Print(out))
	}
	if imp.Print(p) != before {
		t.Errorf("the input has changed:\n%s", before)
	}
	if got, want := stored(t, out), stored(t, p); !bytes.Equal(got, want) {
		t.Errorf("%s\nis\n%s\nwhich stores %x, not %x", before, imp.Print(out), got, want)
	}
	return imp.Print(out)
}

// Signs are not extended, words not masked or put together, where nothing depends on it.
func TestBitsThatNothingUsesAreNotComputed(t *testing.T) {
	const (
		low  = "let b_3: i8 = conv.i32.i8(x_1)\n let c_4: i32 = conv.i8.i32(b_3)\n "
		pair = "let p_3: i32 = or.i32(shl.i32(x_1, 16:i32), and.i32(y_2, 65535:i32))\n "
	)
	for _, c := range []struct{ name, body, want, not string }{
		{"sign", low + "@ys_1[thread_id] = and.i32(mul.i32(c_4, y_2), 255:i32)", "mul.i32(x_1, y_2)", "conv"},
		{"sign is used", low + "@ys_1[thread_id] = and.i32(mul.i32(c_4, y_2), 511:i32)", "conv.i8.i32", "mul.i32(x_1"},
		{"no carry", low + "@ys_1[thread_id] = shl.i32(add.i32(c_4, y_2), 24:i32)", "add.i32(x_1, y_2)", "conv"},
		{"mask", "@ys_1[thread_id] = shl.i32(and.i32(x_1, 255:i32), 24:i32)", "shl.i32(x_1, 24", "and"},
		{"mask is used", "@ys_1[thread_id] = shl.i32(and.i32(x_1, 255:i32), 23:i32)", "and.i32(x_1", "shl.i32(x_1"},
		{"upper half", pair + "@ys_1[thread_id] = and.i32(shr.i32(p_3, 16:i32), 255:i32)", "and.i32(x_1, 255", "or."},
		{"sign of upper half", pair + "@ys_1[thread_id] = shr.i32(p_3, 16:i32)", "shr.i32(p_3, 16", "= x_1"},
		{"lower half", pair + "@ys_1[thread_id] = conv.i16.i32(conv.i32.i16(p_3))", "conv.i32.i16(y_2)", "or."},
		{"both", pair + "@ys_1[thread_id] = and.i32(shr.i32(p_3, 8:i32), 65535:i32)", "or.i32", "= x_1"},
		{
			"set", "let v_3: i32 = 0:i32\n v_3 = or.i32(shl.i32(x_1, 24:i32), and.i32(y_2, 255:i32))\n let w_4: i32 = v_3\n" +
				" @ys_1[thread_id] = conv.i8.i32(conv.i32.i8(w_4))", "conv.i32.i8(y_2)", "v_3",
		},
		{
			"set to a variable", pair + "let v_4: i32 = 0:i32\n v_4 = p_3\n let w_5: i32 = and.i32(shr.i32(v_4, 16:i32), 255:i32)\n v_4 = w_5\n" +
				" @ys_1[thread_id] = v_4", "and.i32(x_1, 255", "or.",
		},
		{
			"set in a branch", pair + "let v_4: i32 = 0:i32\n v_4 = p_3\n if lt.i32(x_1, 0:i32) {\n v_4 = y_2\n }\n" +
				" @ys_1[thread_id] = and.i32(shr.i32(v_4, 16:i32), 255:i32)", "shr.i32(v_4", "and.i32(x_1",
		},
		{
			"set in a loop", pair + "let v_4: i32 = 0:i32\n v_4 = p_3\n" +
				" for i_5: idx < 3:idx {\n v_4 = and.i32(shr.i32(v_4, 16:i32), 255:i32)\n }\n @ys_1[thread_id] = v_4", "shr.i32(v_4", "and.i32(x_1",
		},
		{
			"unsigned", "let u_3: u32 = conv.i32.u32(x_1)\n @ys_1[thread_id] = conv.u8.i32(conv.u32.u8(and.u32(u_3, 1023:u32)))",
			"conv.i32.u8(x_1)", "and",
		},
	} {
		got := keepsResults(t, threadCode(t, c.body))
		if !strings.Contains(got, c.want) || c.not != "" && strings.Contains(got, c.not) {
			t.Errorf("%s: %s\nis\n%s\nwithout %s, or with %s", c.name, c.body, got, c.want, c.not)
		}
	}
}

// Random operations on integers, some in branches and loops, store what they did.
func TestRandomOperationsOnBitsKeepTheirResults(t *testing.T) {
	changed := 0
	for seed := range uint64(400) {
		g := &bitCode{r: rand.New(rand.NewPCG(seed, 7)), vars: []string{"x_1", "y_2"}, next: 3}
		g.stms(14, 2)
		for _, v := range []string{"m_101", "m_102"} {
			fmt.Fprintf(&g.text, "@ys_1[thread_id] = xor.i32(@ys_1[thread_id], %s)\n", v)
		}
		p := threadCode(t, "let m_101: i32 = x_1\n let m_102: i32 = y_2\n "+g.text.String()+
			fmt.Sprintf("@ys_1[thread_id] = xor.i32(@ys_1[thread_id], %s)", g.vars[len(g.vars)-1]))
		if imp.Print(p) != keepsResults(t, p) {
			changed++
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	if changed < 100 {
		t.Errorf("only %d of 400 have changed", changed)
	}
}

// bitCode makes random code on integers of 32 bits.
type bitCode struct {
	r    *rand.Rand
	text strings.Builder
	vars []string
	next int
}

func (g *bitCode) operand() string {
	switch g.r.IntN(8) {
	case 0:
		return "m_101"
	case 1:
		return "m_102"
	default:
		return g.vars[max(0, len(g.vars)-1-g.r.IntN(5))]
	}
}

func (g *bitCode) exp() string {
	x, y, n := g.operand(), g.operand(), 4*g.r.IntN(9)
	switch g.r.IntN(10) {
	case 0:
		return fmt.Sprintf("shl.i32(%s, %d:i32)", x, n)
	case 1:
		return fmt.Sprintf("%s.i32(%s, %d:i32)", []string{"shr", "ushr"}[g.r.IntN(2)], x, n)
	case 2, 3:
		return fmt.Sprintf("and.i32(%s, %d:i32)", x, []int{255, 65535, 15, 65280, -256}[g.r.IntN(5)])
	case 4, 5:
		to := []string{"i8", "u8", "i16", "u16"}[g.r.IntN(4)]
		return fmt.Sprintf("conv.%[1]s.i32(conv.i32.%[1]s(%[2]s))", to, x)
	case 6:
		return fmt.Sprintf("select.i32(lt.i32(%s, 0:i32), %s, %s)", g.operand(), x, y)
	default:
		return fmt.Sprintf("%s.i32(%s, %s)", []string{"or", "xor", "add", "mul", "sub", "or"}[g.r.IntN(6)], x, y)
	}
}

func (g *bitCode) stms(n, depth int) {
	for range n {
		switch k := g.r.IntN(10); {
		case k < 6 || depth == 0 && k > 7:
			v := fmt.Sprintf("t_%d", g.next)
			g.next++
			fmt.Fprintf(&g.text, "let %s: i32 = %s\n", v, g.exp())
			g.vars = append(g.vars, v)
		case k < 8:
			fmt.Fprintf(&g.text, "m_10%d = %s\n", 1+g.r.IntN(2), g.exp())
		default:
			vars := g.vars
			if k == 8 {
				fmt.Fprintf(&g.text, "if lt.i32(%s, %s) {\n", g.operand(), g.operand())
				g.stms(3, depth-1)
				g.vars = vars
				g.text.WriteString("} else {\n")
			} else {
				fmt.Fprintf(&g.text, "for i_%d: idx < 3:idx {\n", g.next)
				g.next++
			}
			g.stms(3, depth-1)
			g.text.WriteString("}\n")
			g.vars = vars
		}
	}
}
