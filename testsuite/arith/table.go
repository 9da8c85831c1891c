package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"skald/shaders"
)

// dialectOrder is the order of the columns of a table.
var dialectOrder = []string{
	dialectName(swept[0]), dialectName(swept[1]), dialectName(swept[2]),
}

// swept are the dialects of sweeps.
var swept = []shaders.Dialect{shaders.Native, shaders.Portable, {Language: shaders.CUDA}}

// row is one function in all dialects.
type row struct {
	name string
	in   map[string]outcome
}

// any is an outcome of the row, for what they have in common.
func (r row) any() outcome {
	for _, d := range dialectOrder {
		if out, ok := r.in[d]; ok {
			return out
		}
	}
	return outcome{}
}

// printTables writes the tables of exact and inexact functions, and a summary, from files of finished shards.
func printTables(w io.Writer, files []string) error {
	rows := map[string]row{}
	devices := map[string]string{}
	for _, file := range files {
		done, err := readState(file)
		if err != nil {
			return err
		}
		for _, out := range done {
			for _, d := range swept {
				// A comment may have come to promise another bound since the sweep.
				if x, ok := inexactFunction(d, out.Function); ok && dialectName(d) == out.Dialect {
					out.Bound = x.bound
				}
			}
			if rows[out.Function].in == nil {
				rows[out.Function] = row{out.Function, map[string]outcome{}}
			}
			rows[out.Function].in[out.Dialect] = out
			devices[out.Dialect] = out.Device
		}
	}
	var exact, inexact []row
	for _, r := range rows {
		if r.any().Bound > 0 {
			inexact = append(inexact, r)
		} else {
			exact = append(exact, r)
		}
	}
	for _, list := range [][]row{exact, inexact} {
		slices.SortFunc(list, func(a, b row) int {
			// By type first: it stands behind the last underscore.
			i, j := strings.LastIndexByte(a.name, '_'), strings.LastIndexByte(b.name, '_')
			return cmp.Or(cmp.Compare(a.name[i:], b.name[j:]), cmp.Compare(a.name, b.name))
		})
	}
	p := printer{w: w}
	p.summary(slices.Concat(exact, inexact), devices)
	p.inexact(inexact)
	p.exact(exact)
	return p.err
}

// printer keeps the first error of writing.
type printer struct {
	w   io.Writer
	err error
}

func (p *printer) printf(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format, args...)
	}
}

// summary counts functions, and those that are not as they should be.
func (p *printer) summary(rows []row, devices map[string]string) {
	p.printf("| dialect | device | exact functions | inexact functions | tuples | over their bound or wrong |\n")
	p.printf("|---|---|---|---|---|---|\n")
	for _, d := range dialectOrder {
		var exact, inexact, bad int
		tuples := 0.0
		for _, r := range rows {
			out, ok := r.in[d]
			if !ok {
				continue
			}
			if out.Bound > 0 {
				inexact++
			} else {
				exact++
			}
			tuples += float64(out.Count)
			if out.Wrong > 0 || out.ULP > out.Bound {
				bad++
			}
		}
		p.printf("| %s | %s | %d | %d | %.3g | %d |\n", d, devices[d], exact, inexact, tuples, bad)
	}
}

// covered says what was tried.
func covered(out outcome) string {
	all := ""
	if out.All {
		all = "all "
	}
	return all + grouped(out.Count)
}

// grouped writes a number with its digits in groups of three.
func grouped(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

func (p *printer) inexact(rows []row) {
	p.printf("\n## Inexact functions\n\n| function | tuples |")
	for _, d := range dialectOrder {
		p.printf(" %s: worst (bound), at | operations/s |", d)
	}
	p.printf(" judge: error in ulps of f64, of values put to the series |\n|---|---|---|---|---|---|---|---|---|\n")
	for _, r := range rows {
		out := r.any()
		p.printf("| %s | %s |", r.name, covered(out))
		for _, d := range dialectOrder {
			out, ok := r.in[d]
			if !ok {
				p.printf(" | |")
				continue
			}
			wrong := ""
			if out.Wrong > 0 {
				wrong = fmt.Sprintf(", %d wrong", out.Wrong)
			}
			p.printf(" %.4g (%g), %s%s | %s |", out.ULP, out.Bound, out.At, wrong, rateOf(out))
		}
		p.printf(" %s: %.3g of %s%s |\n", out.Judge, out.JudgeULP, grouped(out.JudgeCount), wrongJudge(out))
	}
}

func wrongJudge(out outcome) string {
	if out.JudgeWrong == 0 {
		return ""
	}
	return fmt.Sprintf(", %d wrong at %s", out.JudgeWrong, out.JudgeAt)
}

func rateOf(out outcome) string {
	if out.Rate == 0 {
		return ""
	}
	return fmt.Sprintf("%.3g", out.Rate)
}

func (p *printer) exact(rows []row) {
	p.printf("\n## Exact functions\n\n| function | tuples | judge |")
	for _, d := range dialectOrder {
		p.printf(" %s: wrong | operations/s |", d)
	}
	p.printf("\n|---|---|---|---|---|---|---|---|---|\n")
	for _, r := range rows {
		out := r.any()
		p.printf("| %s | %s | %s |", r.name, covered(out), out.Judge)
		for _, d := range dialectOrder {
			out, ok := r.in[d]
			if !ok {
				p.printf(" | |")
				continue
			}
			at := ""
			if out.Wrong > 0 {
				at = ": " + out.At
			}
			p.printf(" %d%s | %s |", out.Wrong, at, rateOf(out))
		}
		p.printf("\n")
	}
}
