package main

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"skald/runtime/device"
	"skald/runtime/prim"
	"skald/shaders"
)

// Note [Judging on the device]
//
// Four thousand million results a function are too many to read back. A cross sweep therefore has the judge in the kernel, which
// holds the library twice: the dialect under test, and a reference in another dialect whose names begin with "ref_".
//
//   - Functions of f16 and f32 are judged through f64: arguments are converted, the native dialect's f64 function is applied,
//     and its result, rounded once more, is the exact function's (sums, products, quotients and roots of f16 and f32 survive
//     rounding to f64 first: Figueroa, "When is double rounding innocuous?", 1995), or within 2^-50 that of the inexact one. The f64
//     functions are themselves held against series, on samples, by the other sweep.
//   - Exact functions of 64-bit types are compared with those of the other dialect: the hardware's with those on words of 32 bits.
//
// Each thread counts the results that are wrong and keeps its worst error, with the number of the argument tuple; the host reads that back.

// refPrefix is what the reference's names begin with.
const refPrefix = "ref_"

const (
	crossThreads = 1 << 20 // Threads of a launch.
	crossRounds  = 1 << 8  // Tuples a thread takes in a launch.
	crossStride  = crossThreads * crossRounds
)

// crossing is a function with a judge.
type crossing struct {
	sig        signature
	inexact    bool
	bound      float64
	total      uint64 // How many tuples: all there are, or that many random ones.
	all        bool
	throughF64 bool
	absolute   bool
}

// crossingOf finds out how a function is judged, if it can be.
func crossingOf(name string, pairs uint64) (c crossing, ok bool) {
	sig, _, exact := exactReference(name)
	if !exact {
		x, isInexact := inexactFunction(name)
		if !isInexact {
			return c, false
		}
		sig = x.sig
		c.inexact, c.bound, c.absolute = true, x.bound, x.absolute
	}
	c.sig = sig
	bits := 0
	narrow := true
	for _, p := range sig.Params {
		bits += p.Bits()
		narrow = narrow && (p == prim.F16 || p == prim.F32)
	}
	c.all = bits <= 32
	c.total = pairs
	if c.all {
		c.total = 1 << bits
	}
	switch {
	case narrow && len(sig.Params) <= 2:
		c.throughF64 = true
		return c, c.judgeIn(shaders.Native) != "" && (c.inexact || survives(sig))
	case sig.Params[0].Bits() == 64 && !c.inexact:
		return c, c.judgeIn(shaders.Native) != "" && c.judgeIn(shaders.Portable) != ""
	default:
		return c, false
	}
}

// survives reports whether a function of f16 or f32 has the same results when it is computed in f64 and rounded.
func survives(sig signature) bool {
	if strings.HasPrefix(sig.Name, "conv_") {
		return true
	}
	op, _, _ := strings.Cut(sig.Name, "_")
	return slices.Contains([]string{
		"add", "sub", "mul", "div", "min", "max", "eq", "lt", "le", "neg", "abs", "sgn", "floor", "ceil", "round", "trunc", "sqrt",
		"isnan", "isinf",
	}, op)
}

// reference is the name of the function that judges.
func (c crossing) reference() string {
	if !c.throughF64 {
		return c.sig.Name
	}
	t := c.sig.Params[0].String()
	if rest, ok := strings.CutPrefix(c.sig.Name, "conv_"+t+"_"); ok {
		return "conv_f64_" + rest
	}
	return strings.TrimSuffix(c.sig.Name, t) + "f64"
}

// operators are what the native dialect has instead of functions.
var operators = map[string]string{
	"add": "+", "sub": "-", "mul": "*", "div": "/", "neg": "-", "not": "~", "and": "&", "or": "|", "xor": "^",
	"eq": "==", "lt": "<", "le": "<=",
}

// judgeIn is the call that judges, in a dialect, with $1 to $3 for the arguments; "" if there is none.
func (c crossing) judgeIn(d shaders.Dialect) string {
	name := c.reference()
	if _, ok := shaders.Lookup(d, name); ok {
		return refPrefix + name + "(" + strings.Join([]string{"$1", "$2", "$3"}[:len(c.sig.Params)], ", ") + ")"
	}
	op, t, _ := strings.Cut(name, "_")
	sign, ok := operators[op]
	switch {
	case !ok || d != shaders.Native || t != "f64" && t != "i64" && t != "u64" || op == "div" && t == "i64" || op == "neg" && t == "u64":
		return ""
	case len(c.sig.Params) == 1:
		return sign + "($1)"
	default:
		return "($1) " + sign + " ($2)"
	}
}

// declared matches the names that the text of a library declares.
var declared = regexp.MustCompile(`(?m)^(?:fn|const|alias|struct)\s+(\w+)`)

// token matches a name, with a dot before it where it is that of a member.
var token = regexp.MustCompile(`\.?[A-Za-z_]\w*`)

// prefixed puts refPrefix before all names that a text declares.
func prefixed(text string) string {
	own := map[string]bool{}
	for _, m := range declared.FindAllStringSubmatch(text, -1) {
		own[m[1]] = true
	}
	return token.ReplaceAllStringFunc(text, func(s string) string {
		if own[s] {
			return refPrefix + s
		}
		return s
	})
}

// crossKernel is the kernel that judges a function of dialect d.
func crossKernel(d shaders.Dialect, c crossing) (device.KernelSpec, error) {
	other := shaders.Native
	if !c.throughF64 && d.Int64 {
		other = shaders.Portable
	}
	own, err := shaders.Library(d, append(helpers(append(c.sig.Params, c.sig.Result)...), c.sig.Name))
	if err != nil {
		return device.KernelSpec{}, err
	}
	names := helpers(append(c.sig.Params, c.sig.Result, prim.F64)...)
	if _, ok := shaders.Lookup(other, c.reference()); ok {
		names = append(names, c.reference())
	}
	if c.throughF64 {
		names = append(names, "conv_f16_f64", "conv_f32_f64", "conv_f64_f16", "conv_f64_f32")
	}
	ref, err := shaders.Library(other, names)
	if err != nil {
		return device.KernelSpec{}, err
	}
	var b strings.Builder
	b.WriteString("enable f16;\n" + own + prefixed(ref))
	text := crossHeader
	if c.inexact {
		text = strings.Replace(text, "@compute", crossError+"@compute", 1)
	}
	b.WriteString(text)
	width := 0
	var args, refs []string
	for i, p := range c.sig.Params {
		args = append(args, strings.ReplaceAll(decode(p, width), "base + ", ""))
		r := token.ReplaceAllStringFunc(strings.ReplaceAll(decode(p, width), "base + ", ""), inReference)
		if c.throughF64 {
			r = fmt.Sprintf("%sconv_%s_f64(%s)", refPrefix, p, r)
		}
		refs = append(refs, r)
		b.WriteString(c.argument(i, width))
		width += words(p)
	}
	fmt.Fprintf(&b, "    let r = %s(%s);\n    let got = %s;\n", c.sig.Name, strings.Join(args, ", "),
		pairOf(c.sig.Result, encode(c.sig.Result)))
	judge := c.judgeIn(other)
	for i, r := range refs {
		judge = strings.ReplaceAll(judge, fmt.Sprintf("$%d", i+1), r)
	}
	fmt.Fprintf(&b, "    let s = %s;\n", judge)
	b.WriteString(c.verdict())
	b.WriteString(crossFooter)
	return device.KernelSpec{
		Name: "cross_" + c.sig.Name, Source: b.String(), Entry: "main", Buffers: 2, Workgroup: [3]uint32{64, 1, 1},
	}, nil
}

// inReference gives a helper's name as the reference has it.
func inReference(s string) string {
	if strings.Contains(s, "_of_") || s == "from_bits_f16" || s == "to_bits_f16" {
		return refPrefix + s
	}
	return s
}

// pairOf makes two words of the words of a value.
func pairOf(t prim.Type, encoded string) string {
	if words(t) == 2 {
		return encoded
	}
	return "vec2<u32>(" + encoded + ", 0u)"
}

// argument is the statements that make the i-th argument, in words of the variable input.
func (c crossing) argument(i, width int) string {
	p := c.sig.Params[i]
	switch {
	case c.all && len(c.sig.Params) == 2:
		return fmt.Sprintf("    input[%d] = (number >> %du) & 0xffffu;\n", width, 16*i)
	case c.all && p == prim.F16:
		return fmt.Sprintf("    input[%d] = number & 0xffffu;\n", width)
	case c.all:
		return fmt.Sprintf("    input[%d] = number;\n", width)
	case p.IsFloat():
		_, frac := layout(p)
		exp, _ := layout(p)
		return fmt.Sprintf("    let v%d = random_float(number, %du, %du, %du);\n    input[%d] = v%d.x;\n%s",
			i, i, exp, frac, width, i, second(p, width, i))
	default:
		return fmt.Sprintf("    let v%d = random_integer(number, %du);\n    input[%d] = v%d.x;\n%s", i, i, width, i, second(p, width, i))
	}
}

func second(p prim.Type, width, i int) string {
	if words(p) == 1 {
		return ""
	}
	return fmt.Sprintf("    input[%d] = v%d.y;\n", width+1, i)
}

// verdict is the statements that compare r, in words got, with s.
func (c crossing) verdict() string {
	t := c.sig.Result
	rename := func(s string) string { return token.ReplaceAllStringFunc(s, inReference) }
	value := "s"
	if c.throughF64 && t.IsFloat() && !strings.HasPrefix(c.sig.Name, "conv_") {
		if c.inexact {
			exp, frac := layout(t)
			g := fmt.Sprintf("%sconv_%s_f64(%s)", refPrefix, t, rename(fromWord(t)))
			least := 2 - 1<<(exp-1)
			if c.absolute {
				least = 0
			}
			return fmt.Sprintf("    let e = error_of(%s, s, %d, %d, %d);\n", g, least, 1<<(exp-1), frac) + crossInexact
		}
		value = fmt.Sprintf("%sconv_f64_%s(s)", refPrefix, t)
	}
	text := strings.ReplaceAll(rename(encode(t)), "(r)", "("+value+")")
	if encode(t) == "r" {
		text = value
	}
	if t == prim.Bool {
		text = "select(0u, 1u, s)"
	}
	out := fmt.Sprintf("    let want = %s;\n    var bad = any(got != want);\n", pairOf(t, text))
	if t.IsFloat() {
		exp, frac := layout(t)
		out += fmt.Sprintf("    bad = bad && !(is_nan(got, %du, %du) && is_nan(want, %du, %du));\n", exp, frac, exp, frac)
	}
	return out + "    if (bad) { if (wrong == 0u) { first = number; } wrong++; }\n"
}

// fromWord reads a float of the reference back from the words of a result.
func fromWord(t prim.Type) string {
	if t == prim.F16 {
		return "from_bits_f16(got.x)"
	}
	return "bitcast<f32>(got.x)"
}

const crossHeader = `
@group(0) @binding(0) var<storage, read_write> task: array<u32>;
@group(0) @binding(1) var<storage, read_write> output: array<u32>;
fn mixed(x: u32) -> u32 {
  var h = x;
  h = (h ^ (h >> 16u)) * 0x7feb352du;
  h = (h ^ (h >> 15u)) * 0x846ca68bu;
  return h ^ (h >> 16u);
}
fn random_word(number: u32, which: u32) -> u32 { return mixed(mixed(number) + which * 0x9e3779b9u); }
fn random_integer(number: u32, which: u32) -> vec2<u32> {
  let lo = random_word(number, 4u * which);
  let hi = random_word(number, 4u * which + 1u);
  let how = random_word(number, 4u * which + 2u);
  if ((how & 1u) == 0u) { return vec2<u32>(lo, hi); }
  let by = (how >> 1u) & 63u;
  let sign = bitcast<u32>(bitcast<i32>(hi) >> 31u);
  if (by >= 32u) { return vec2<u32>(bitcast<u32>(bitcast<i32>(hi) >> (by - 32u)), sign); }
  if (by == 0u) { return vec2<u32>(lo, hi); }
  return vec2<u32>((lo >> by) | (hi << (32u - by)), bitcast<u32>(bitcast<i32>(hi) >> by));
}
fn random_float(number: u32, which: u32, exp: u32, frac: u32) -> vec2<u32> {
  var lo = random_word(number, 4u * which);
  var hi = random_word(number, 4u * which + 1u);
  let how = random_word(number, 4u * which + 2u);
  let bias = (1u << (exp - 1u)) - 1u;
  let around = array<u32, 10>(0u, 1u, bias - frac - 1u, bias - 1u, bias, bias + 1u, bias + frac, 2u * bias - 1u, 2u * bias, 2u * bias + 1u);
  var e = (hi >> (31u - exp)) & ((1u << exp) - 1u);
  if ((how & 1u) == 1u) { e = around[(how >> 4u) % 10u]; }
  else if ((how & 2u) == 2u) { e = bias + (how >> 4u) % (exp + 3u) - exp / 2u; }
  if (exp == 11u) {
    if ((how & 12u) == 12u) { lo = 0u; }
    return vec2<u32>(lo, (hi & 0x800fffffu) | (e << 20u));
  }
  if ((how & 12u) == 12u) { lo &= ~((1u << (frac / 2u)) - 1u); }
  return vec2<u32>((lo & ((1u << frac) - 1u)) | (e << frac) | ((hi >> 31u) << (exp + frac)), 0u);
}
fn is_nan(w: vec2<u32>, exp: u32, frac: u32) -> bool {
  if (exp == 11u) { let h = w.y & 0x7fffffffu; return h > 0x7ff00000u || (h == 0x7ff00000u && w.x != 0u); }
  return (w.x & ((1u << (exp + frac)) - 1u)) > (((1u << exp) - 1u) << frac);
}
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  var wrong = 0u;
  var first = 0u;
  var worst = 0u;
  var place = 0u;
  var input: array<u32, 6>;
  for (var k = 0u; k < task[1]; k++) {
    let number = task[0] + k * 1048576u + id.x;
`

// crossInexact keeps the worst error e, in ulps as an f32 that is not negative, so that its bits grow with it.
const crossInexact = `    if (e < 0.0) { if (wrong == 0u) { first = number; } wrong++; }
    else if (e > 0.0 && bitcast<u32>(e) > worst) { worst = bitcast<u32>(e); place = number; }
`

const crossFooter = `  }
  output[4u * id.x] = wrong;
  output[4u * id.x + 1u] = first;
  output[4u * id.x + 2u] = worst;
  output[4u * id.x + 3u] = place;
}
`

// crossError measures an error in ulps of a narrower type, in native f64, on the words of both numbers; -1 is a wrong result. An infinite
// result counts as the first number beyond the largest.
const crossError = `
fn words_of(x: f64) -> vec2<u32> { return ref_w_of_f64(x); }
fn power(e: i32) -> f64 { return ref_f64_of_w(vec2<u32>(0u, u32(e + 1023) << 20u)); }
fn error_of(got: f64, want: f64, least: i32, most: i32, frac: i32) -> f32 {
  let g = words_of(got);
  let w = words_of(want);
  let gn = is_nan(g, 11u, 52u);
  let wn = is_nan(w, 11u, 52u);
  if (gn || wn) { return select(-1.0, 0.0, gn && wn); }
  let ge = i32((g.y >> 20u) & 0x7ffu) - 1023;
  let we = i32((w.y >> 20u) & 0x7ffu) - 1023;
  let sameSign = (g.y >> 31u) == (w.y >> 31u);
  if (we == 1024) { return select(-1.0, 0.0, ge == 1024 && sameSign); }
  var x = want;
  var y = got;
  let limit = power(most);
  if (ge == 1024) { y = select(-limit, limit, (g.y >> 31u) == 0u); }
  if (we >= most) { x = select(-limit, limit, (w.y >> 31u) == 0u); }
  let e = clamp(we, least, most - 1);
  return f32(abs(y - x) * power(frac - e));
}
`

// cross sweeps one function and returns its outcome.
func (s *sweeper) cross(c crossing) (outcome, error) {
	spec, err := crossKernel(s.crossDialect(), c)
	if err != nil {
		return outcome{}, err
	}
	return s.judged(c, spec)
}

// judged runs a kernel of crossKernel.
func (s *sweeper) judged(c crossing, spec device.KernelSpec) (outcome, error) {
	out := outcome{Function: c.sig.Name, Bound: c.bound, Coverage: "random tuples, against the other dialect"}
	switch {
	case c.all && c.throughF64:
		out.Coverage = "all, through f64"
	case c.throughF64:
		out.Coverage = "random tuples, through f64"
	}
	kernels, err := s.dev.Compile([]device.KernelSpec{spec})
	if err != nil {
		return out, err
	}
	worst, where, first := uint32(0), uint32(0), uint32(0)
	buffer := make([]byte, 16*crossThreads)
	for lo := uint64(0); lo < c.total; lo += crossStride {
		n := min(c.total-lo, crossStride)
		task := binary.LittleEndian.AppendUint32(nil, uint32(lo))
		task = binary.LittleEndian.AppendUint32(task, uint32(max(n/crossThreads, 1)))
		if err := run(s.dev, kernels[0], crossThreads, task, buffer); err != nil {
			return out, err
		}
		for i := range crossThreads {
			r := buffer[16*i:]
			if k := binary.LittleEndian.Uint32(r); k > 0 {
				if out.Wrong == 0 {
					first = binary.LittleEndian.Uint32(r[4:])
				}
				out.Wrong += int(k)
			}
			if e := binary.LittleEndian.Uint32(r[8:]); e > worst {
				worst, where = e, binary.LittleEndian.Uint32(r[12:])
			}
		}
		out.Count += int(n)
	}
	out.ULP = float64(math.Float32frombits(worst))
	switch {
	case out.Wrong > 0:
		out.At = c.showTuple(first)
	case worst > 0:
		out.At = c.showTuple(where)
	}
	return out, nil
}

// showTuple names an argument tuple.
func (c crossing) showTuple(number uint32) string {
	p := c.sig.Params
	switch {
	case c.all && len(p) == 2:
		return show(p, []uint64{uint64(number & 0xffff), uint64(number >> 16)})
	case c.all:
		return show(p, []uint64{prim.Canonical(p[0], uint64(number))})
	default:
		return fmt.Sprintf("random tuple %d", number)
	}
}

// crossDialect is the dialect under test. The device has every type in either case: the judge needs them.
func (s *sweeper) crossDialect() shaders.Dialect {
	if s.plan.portable {
		return shaders.Portable
	}
	return shaders.Native
}

// runCross sweeps all functions that can be judged on the device.
func (s *sweeper) runCross(only *regexp.Regexp) error {
	if f := s.dev.Facts(); !f.I64 || !f.F64 || !f.F16 {
		return fmt.Errorf("%s lacks i64, f64 or f16, which judging on the device needs", f.Name)
	}
	if s.plan.portable {
		s.key += "portable dialect: "
	}
	fmt.Println("| function | tried | worst ulp | bound | at | wrong |\n|---|---|---|---|---|---|")
	for _, name := range shaders.Names(s.crossDialect()) {
		c, ok := crossingOf(name, uint64(s.plan.pairs))
		if !ok || !only.MatchString(name) {
			continue
		}
		if s.plan.most > 0 && c.total > s.plan.most {
			c.total, c.all = s.plan.most, false
		}
		key := s.key + "cross " + name
		out, known := s.done[key]
		if !known {
			if s.plan.seconds > 0 && time.Since(s.start) > time.Duration(s.plan.seconds)*time.Second {
				continue
			}
			var err error
			if out, err = s.cross(c); err != nil {
				fmt.Fprintf(os.Stderr, "arith: %s: %v\n", name, err)
				continue
			}
			if s.done[key] = out; s.plan.state != "" {
				data, err := json.MarshalIndent(s.done, "", " ")
				if err != nil {
					return err
				}
				if err := os.WriteFile(s.plan.state, data, 0o644); err != nil {
					return err
				}
			}
		}
		fmt.Printf("| %s | %d: %s | %.4g | %g | %s | %d |\n", out.Function, out.Count, out.Coverage, out.ULP, out.Bound, out.At, out.Wrong)
	}
	return nil
}
