package main

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
)

// options are what the command line says.
type options struct {
	devices  []string
	only     *regexp.Regexp
	sizes    sizes
	variants bool
	runs     int
	cub      string
	json     string
	picture  string
	csv      string
}

func main() {
	devices := flag.String("device", "webgpu", "of webgpu, portable, guaranteed, dawn and cuda, those to run, with commas between")
	only := flag.String("only", "", "regular expression of the cases to run; the copy always runs")
	small := flag.Bool("small", false, "small sizes, as the tests run them")
	var o options
	flag.BoolVar(&o.variants, "variants", false, "the shapes that were tried, instead of those of the table")
	flag.IntVar(&o.runs, "runs", 30, "timed runs of each case")
	flag.StringVar(&o.cub, "cub", "", "program built from cub/cub.cu, whose times stand beside")
	flag.StringVar(&o.json, "json", "", "file for the results")
	flag.StringVar(&o.picture, "svg", "", "file for a picture of the results")
	flag.StringVar(&o.csv, "csv", "", "file for the times, as benchmarks/lab.csv has them")
	from := flag.Int("part", -1, "for the lab's own use: the first case of a part, which writes its results as lines of JSON")
	flag.Parse()
	o.devices = strings.Split(*devices, ",")
	o.sizes = fullSizes
	if *small {
		o.sizes = testSizes
	}
	var err error
	if o.only, err = regexp.Compile(*only); err == nil {
		err = lab(&o, *from)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "lab:", err)
		os.Exit(1)
	}
}

// lab runs the cases that were asked for, each on every device, and writes the files that were.
func lab(o *options, from int) error {
	s := session{options: o, start: start}
	if from >= 0 {
		return s.runPart(from)
	}
	return s.run()
}
