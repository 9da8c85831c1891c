package bench

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Comparison is how a program's data sets fare in a second report.
type Comparison struct {
	Program  string
	Datasets []Change
}

// Change is how one data set fares.
type Change struct {
	Dataset string
	// Speedup is the mean of the first report over that of the second.
	Speedup float64
	// Significant says that the means differ by more than half of both standard deviations.
	Significant bool
	// Memory is the second report's use of memory over the first's, by space.
	Memory map[string]float64
}

// Compare compares reports a and b; missing says what only one of them has, or where it has failed.
func Compare(a, b Report, nameA, nameB string) (found []Comparison, missing []string) {
	lacks := func(in, out, format string, args ...any) {
		missing = append(missing, fmt.Sprintf("In %s but not %s: ", in, out)+fmt.Sprintf(format, args...))
	}
	for _, prog := range a.Programs() {
		other, ok := b[prog]
		if !ok {
			lacks(nameA, nameB, "program %s", prog)
			continue
		}
		c := Comparison{Program: prog}
		for _, set := range a[prog].Names() {
			x := a[prog].Datasets[set]
			y, both := other.Datasets[set]
			if !both {
				lacks(nameA, nameB, "program %s dataset %s", prog, set)
				continue
			}
			for _, d := range []struct {
				set  Dataset
				file string
			}{{x, nameA}, {y, nameB}} {
				if d.set.Failed != "" {
					missing = append(missing, fmt.Sprintf("Failed in %s: program %s dataset %s: %s", d.file, prog, set, d.set.Failed))
				}
			}
			if x.Failed == "" && y.Failed == "" {
				c.Datasets = append(c.Datasets, change(set, x, y))
			}
		}
		for _, set := range other.Names() {
			if _, ok := a[prog].Datasets[set]; !ok {
				lacks(nameB, nameA, "program %s dataset %s", prog, set)
			}
		}
		if len(c.Datasets) > 0 {
			found = append(found, c)
		}
	}
	for _, prog := range b.Programs() {
		if _, ok := a[prog]; !ok {
			lacks(nameB, nameA, "program %s", prog)
		}
	}
	return found, missing
}

func change(name string, a, b Dataset) Change {
	x, y := a.Times(), b.Times()
	c := Change{Dataset: name, Speedup: Mean(x) / Mean(y), Memory: map[string]float64{}}
	if Mean(x) == Mean(y) { // also where both are zero
		c.Speedup = 1
	}
	c.Significant = math.Abs(Mean(x)-Mean(y)) > Deviation(x)/2+Deviation(y)/2
	for space, n := range a.Bytes {
		if m, ok := b.Bytes[space]; ok && n > 0 {
			c.Memory[space] = float64(m) / float64(n)
		}
	}
	return c
}

// noise is the speedup below which a significant change is a regression.
const noise = 0.99

// Regressions counts the data sets that are significantly slower.
func (c *Comparison) Regressions() int {
	n := 0
	for _, d := range c.Datasets {
		if d.Significant && d.Speedup < noise {
			n++
		}
	}
	return n
}

// GeometricMean is the geometric mean of the speedups, perhaps only of the significant ones; 1 of none.
func (c *Comparison) GeometricMean(significant bool) float64 {
	sum, n := 0.0, 0
	for _, d := range c.Datasets {
		if d.Significant || !significant {
			sum += math.Log(d.Speedup)
			n++
		}
	}
	return math.Exp(sum / float64(max(n, 1)))
}

// Orders are the metrics that comparisons may be sorted by: each says how bad one is.
var Orders = map[string]func(c *Comparison) float64{
	"significant":         func(c *Comparison) float64 { return float64(c.Regressions()) },
	"geomean-significant": func(c *Comparison) float64 { return -c.GeometricMean(true) },
	"geomean-all":         func(c *Comparison) float64 { return -c.GeometricMean(false) },
}

// Sort sorts comparisons by a metric, the worst first unless bestFirst is set.
func Sort(list []Comparison, bad func(c *Comparison) float64, bestFirst bool) {
	slices.SortStableFunc(list, func(a, b Comparison) int {
		if bestFirst {
			return cmp.Compare(bad(&a), bad(&b))
		}
		return cmp.Compare(bad(&b), bad(&a))
	})
}
