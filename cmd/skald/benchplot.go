//go:build !runner

package main

import (
	"slices"

	"skald/tooling/bench"
	"skald/tooling/media"
)

// benchBars are the means that `skald bench --plot` draws: a group of bars for each data set, one bar for each backend.
type benchBars struct {
	datasets, backends []string
	bars               map[[2]string]media.Bar
}

func (b *benchBars) add(dataset, backend string, res *bench.Result) {
	if b.bars == nil {
		b.bars = map[[2]string]media.Bar{}
	}
	low, high := bench.Interval(res.Times)
	b.bars[[2]string{dataset, backend}] = media.Bar{Value: bench.Mean(res.Times), Low: low, High: high}
	if !slices.Contains(b.datasets, dataset) {
		b.datasets = append(b.datasets, dataset)
	}
	if !slices.Contains(b.backends, backend) {
		b.backends = append(b.backends, backend)
	}
}

func (b *benchBars) draw(path string) error {
	series := make([][]media.Bar, len(b.backends))
	for i, backend := range b.backends {
		for _, dataset := range b.datasets {
			series[i] = append(series[i], b.bars[[2]string{dataset, backend}])
		}
	}
	return media.PlotBars(path, "µs", b.datasets, b.backends, series)
}
