package device

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// Describe writes the facts for people: a line that names the device, then its
// limits, types, features and, if probed, how its floating point behaves.
func (f *Facts) Describe(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (%v)\n", f.Name, f.Kind)
	line := func(what, format string, args ...any) {
		fmt.Fprintf(&b, "  %-14s %s\n", what, fmt.Sprintf(format, args...))
	}
	line("reached by", "%s%s", f.API, prefixed("; driver ", f.Driver))
	if f.Library != "" {
		line("library", "%s", f.Library)
	}
	if f.Kernels == "" {
		line("kernels in", "the low-level program itself")
	} else {
		line("kernels in", "%s%s", f.Kernels, prefixed("; enables ", strings.Join(f.Enables, ", ")))
	}
	wide := []string{"i64", "f64", "f16"}
	line("types", "up to 32 bits%s%s",
		prefixed(", ", joined(map[string]bool{"i64": f.I64, "f64": f.F64, "f16": f.F16}, wide...)),
		prefixed("; emulated are ", joined(map[string]bool{"i64": !f.I64, "f64": !f.F64, "f16": !f.F16}, wide...)))
	line("atomics", "32-bit integers%s", prefixed(", ", f.Atomics.list()))
	line("subgroups", "%s", f.subgroupText())
	line("workgroup", "%d threads, %s of memory; %d compute units", f.MaxThreads, bytesText(int64(f.WorkgroupMemory)), f.Units)
	line("launch", "%d x %d x %d workgroups, %d buffers, %s of params, %s of them in the command",
		f.MaxGroups[0], f.MaxGroups[1], f.MaxGroups[2], f.MaxBindings, bytesText(int64(f.MaxParams)), bytesText(int64(f.MaxImmediates)))
	line("buffer", "%s, %s bound, offsets of %d", bytesText(f.MaxBufferSize), bytesText(f.MaxBindingSize), f.OffsetAlign)
	line("features", "%s", listed(map[string]bool{
		"kernels are timed": f.Timestamps, "workgroups may wait for each other": f.ForwardProgress,
		"no bounds checks added": f.Unchecked, "coherent memory": f.Coherent,
	}, "kernels are timed", "workgroups may wait for each other", "no bounds checks added", "coherent memory"))
	if f.Floats.Probed {
		f.Floats.describe(line)
	}
	what := "deviations"
	for _, group := range groups(slices.Concat(f.Floats.Excuses, f.Sharing.Excuses)) {
		var ops []string
		for _, e := range group {
			ops = append(ops, e.Op)
		}
		line(what, "%s in %s: %s", group[0].What, strings.Join(ops, ", "), group[0].Seen)
		what = ""
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// describe writes the habits of floating point.
func (f *Floats) describe(line func(what, format string, args ...any)) {
	line("f32 exact", "%s", listed(map[string]bool{
		"add": f.AddExact, "mul": f.MulExact, "div": f.DivExact, "sqrt": f.SqrtExact, "fma": f.FmaExact,
		"round": f.RoundHalfEven, "from integers": f.ConvertExact,
	}, "add", "mul", "div", "sqrt", "fma", "round", "from integers"))
	line("f32 keeps", "%s", listed(map[string]bool{
		"NaN": f.KeepsNaN, "NaN in comparisons": f.ComparesNaN, "infinities": f.KeepsInf, "sign of zero": f.KeepsZeroSign,
		"subnormal operands": !f.FlushesInputs, "subnormal results": !f.FlushesResults,
	}, "NaN", "NaN in comparisons", "infinities", "sign of zero", "subnormal operands", "subnormal results"))
	line("fma", "%s", listed(map[string]bool{
		"rounds once": f.FmaFused, "rounds twice": !f.FmaFused, "a*b+c is contracted": f.Contracts,
	}, "rounds once", "rounds twice", "a*b+c is contracted"))
	line("others exact", "%s", listed(map[string]bool{"f64": f.F64Exact, "f16": f.F16Exact}, "f64", "f16"))
}

// groups puts together the excuses of a kind, in the order of the first of each.
func groups(excuses []Excuse) [][]Excuse {
	var out [][]Excuse
	for _, e := range excuses {
		i := slices.IndexFunc(out, func(g []Excuse) bool { return g[0].What == e.What })
		if i < 0 {
			i, out = len(out), append(out, nil)
		}
		out[i] = append(out[i], e)
	}
	return out
}

// list names the atomics beyond 32-bit integers.
func (a *Atomics) list() string {
	return joined(map[string]bool{
		"64-bit": a.I64, "64-bit min and max": a.I64Min && !a.I64, "f32 add": a.F32Add, "f64 add": a.F64Add,
		"f16 add": a.F16Add, "64-bit in workgroups": a.Shared64,
	}, "64-bit", "64-bit min and max", "f32 add", "f64 add", "f16 add", "64-bit in workgroups")
}

func (f *Facts) subgroupText() string {
	switch {
	case !f.Subgroups:
		return "none"
	case f.SubgroupSize == 0:
		return fmt.Sprintf("%d to %d threads", f.SubgroupMin, f.SubgroupMax)
	case f.SubgroupLinear:
		return fmt.Sprintf("%d threads, in order", f.SubgroupSize)
	}
	return fmt.Sprintf("%d threads", f.SubgroupSize)
}

// joined joins the names that are true, in the order given.
func joined(has map[string]bool, order ...string) string {
	var out []string
	for _, name := range order {
		if has[name] {
			out = append(out, name)
		}
	}
	return strings.Join(out, ", ")
}

// listed is joined, and "none" where none is true.
func listed(has map[string]bool, order ...string) string {
	if s := joined(has, order...); s != "" {
		return s
	}
	return "none"
}

func prefixed(prefix, s string) string {
	if s == "" {
		return ""
	}
	return prefix + s
}

// bytesText writes a number of bytes in the largest unit that it has one of.
func bytesText(n int64) string {
	units := []string{"bytes", "KiB", "MiB", "GiB", "TiB"}
	x, u := float64(n), 0
	for x >= 1024 && u < len(units)-1 {
		x, u = x/1024, u+1
	}
	return strings.TrimSuffix(fmt.Sprintf("%.1f", x), ".0") + " " + units[u]
}
