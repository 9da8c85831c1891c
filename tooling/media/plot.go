package media

import (
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"

	"skald/tooling/artifact"
)

// Series is a line of a plot. A name is shown in the legend.
type Series struct {
	Name string
	X, Y []float64
}

// PlotLines draws lines into a file of so many pixels, in SVG or PNG as its name says. Points that are not finite are left out.
func PlotLines(path string, width, height int, lines []Series) error {
	p := plot.New()
	p.Add(plotter.NewGrid())
	for i, s := range lines {
		if len(s.X) != len(s.Y) {
			return fmt.Errorf("a line has %d values of x and %d of y", len(s.X), len(s.Y))
		}
		var points plotter.XYs
		for j := range s.X {
			if isFinite(s.X[j]) && isFinite(s.Y[j]) {
				points = append(points, plotter.XY{X: s.X[j], Y: s.Y[j]})
			}
		}
		if len(points) == 0 {
			return fmt.Errorf("the line %q has no points to draw", s.Name)
		}
		line, err := plotter.NewLine(points)
		if err != nil {
			return err
		}
		line.Color, line.Width = plotutil.Color(i), vg.Points(1.2)
		p.Add(line)
		if s.Name != "" {
			p.Legend.Add(s.Name, line)
			p.Legend.Top = true
		}
	}
	return drawPlot(path, width, height, p)
}

func isFinite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// Bar is one measurement with the bounds of its error.
type Bar struct{ Value, Low, High float64 }

// PlotBars draws groups of bars, one bar of each series in each group, with their errors, on a logarithmic scale. A bar of value zero
// is left out.
func PlotBars(path, label string, groups, series []string, bars [][]Bar) error {
	const barWidth, gap, height = 14, 24, 420
	p := plot.New()
	p.Y.Label.Text = label
	p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: -1}
	p.NominalX(groups...)
	p.X.Tick.Label.Rotation, p.X.Tick.Label.XAlign, p.X.Tick.Label.YAlign = math.Pi/6, draw.XRight, draw.YCenter
	p.Add(plotter.NewGrid())
	least, most := math.Inf(1), 0.0
	for i, name := range series {
		b := &barSeries{width: vg.Points(barWidth), offset: vg.Points(barWidth * (float64(i) - float64(len(series)-1)/2)), bars: bars[i], at: i}
		for _, bar := range bars[i] {
			if bar.Value > 0 {
				least, most = min(least, bar.Low, bar.Value), max(most, bar.High, bar.Value)
			}
		}
		p.Add(b)
		p.Legend.Add(name, b)
	}
	if math.IsInf(least, 1) {
		return fmt.Errorf("%s: there is nothing to draw", path)
	}
	p.Legend.Top = true
	p.Y.Min, p.Y.Max = math.Pow(10, math.Floor(math.Log10(max(least, 1e-9)))), math.Pow(10, math.Ceil(math.Log10(2*most)))
	width := 320 + len(groups)*(len(series)*barWidth+gap)
	return drawPlot(path, width, height, p)
}

// barSeries draws bars from the lower edge of a logarithmic plot, with error bars; plotter.BarChart draws from zero.
type barSeries struct {
	width, offset vg.Length
	bars          []Bar
	at            int
}

// Plot implements plot.Plotter.
func (b *barSeries) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for i, bar := range b.bars {
		if bar.Value <= 0 {
			continue
		}
		left, bottom := x(float64(i))+b.offset-b.width/2, c.Min.Y
		top := y(bar.Value)
		corners := []vg.Point{{X: left, Y: bottom}, {X: left, Y: top}, {X: left + b.width, Y: top}, {X: left + b.width, Y: bottom}}
		c.FillPolygon(plotutil.Color(b.at), corners)
		if bar.Low > 0 && bar.High > bar.Low {
			mid := left + b.width/2
			c.StrokeLine2(draw.LineStyle{Color: plotutil.SoftColors[0], Width: 1}, mid, y(bar.Low), mid, y(bar.High))
		}
	}
}

// DataRange implements plot.DataRanger.
func (b *barSeries) DataRange() (xmin, xmax, ymin, ymax float64) {
	xmin, xmax, ymin, ymax = -1, float64(len(b.bars)), math.Inf(1), 0
	for _, bar := range b.bars {
		if bar.Value > 0 {
			ymin, ymax = min(ymin, bar.Value), max(ymax, bar.High, bar.Value)
		}
	}
	return xmin, xmax, ymin, ymax
}

// Thumbnail implements plot.Thumbnailer.
func (b *barSeries) Thumbnail(c *draw.Canvas) {
	c.FillPolygon(plotutil.Color(b.at), []vg.Point{
		{X: c.Min.X, Y: c.Min.Y}, {X: c.Min.X, Y: c.Max.Y}, {X: c.Max.X, Y: c.Max.Y}, {X: c.Max.X, Y: c.Min.Y},
	})
}

// dotsPerInch makes a pixel of a picture a pixel of the screen.
const dotsPerInch = 96

// drawPlot draws a plot in the format that the file's name says.
func drawPlot(path string, width, height int, p *plot.Plot) error {
	w, h := vg.Length(width)*vg.Inch/dotsPerInch, vg.Length(height)*vg.Inch/dotsPerInch
	var canvas interface {
		vg.CanvasSizer
		io.WriterTo
	}
	switch strings.ToLower(filepath.Ext(path)) {
	case ".svg":
		canvas = vgsvg.New(w, h)
	case ".png":
		canvas = vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(w, h), vgimg.UseDPI(dotsPerInch))}
	default:
		return fmt.Errorf("%s: a plot is drawn to a file whose name ends with .svg or .png", path)
	}
	p.Draw(draw.New(canvas))
	return artifact.Write(path, func(out io.Writer) error {
		_, err := canvas.WriteTo(out)
		return err
	})
}
