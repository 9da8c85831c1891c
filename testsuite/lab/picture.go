package main

import (
	"fmt"
	"html"
	"math"
	"slices"
	"strings"
)

// drawn are the devices of the picture, from top to bottom.
var drawn = []string{"webgpu", "cuda", "portable", "dawn", "guaranteed", "cub"}

// The measures of the picture. A case is a group of bars, one a device; the axis is logarithmic, from the floor to
// sixteen times it.
const (
	barHeight  = 9
	groupGap   = 9
	nameWidth  = 270
	plotWidth  = 520
	plotTop    = 60
	mostFloors = 16
)

// barColours are those of the devices in columns.
var barColours = map[string]string{
	"webgpu": "#1f77b4", "cuda": "#2ca02c", "portable": "#9ecae1", "dawn": "#9467bd", "guaranteed": "#c7c7c7", "cub": "#ff7f0e",
}

// along is how far along the axis a multiple of the floor lies.
func along(multiple float64) float64 {
	return plotWidth * math.Log2(min(max(multiple, 1), mostFloors)) / math.Log2(mostFloors)
}

// svg draws the cases that have a floor: a bar a device, as a multiple of it, and a line where the time that was wanted is.
func svg(results []Result) string {
	var names []string
	by := map[string][]*Result{}
	for i := range results {
		r := &results[i]
		if len(r.Times) == 0 || r.Bytes == 0 && r.Device != "cub" {
			continue
		}
		if by[r.Case] == nil {
			names = append(names, r.Case)
		}
		by[r.Case] = append(by[r.Case], r)
	}
	var body strings.Builder
	y := plotTop
	for _, name := range names {
		floor := 0.0
		for _, r := range by[name] {
			floor = max(floor, r.Floor)
		}
		if floor == 0 {
			continue
		}
		fmt.Fprintf(&body, `<text x="%d" y="%d" text-anchor="end">%s</text>`+"\n", nameWidth-6, y+barHeight, html.EscapeString(name))
		for _, device := range drawn {
			i := slices.IndexFunc(by[name], func(r *Result) bool { return r.Device == device })
			if i < 0 {
				continue
			}
			bar(&body, by[name][i], floor, y)
			y += barHeight
		}
		y += groupGap
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="9">`+"\n",
		nameWidth+plotWidth+120, y+10)
	b.WriteString(`<rect width="100%" height="100%" fill="white"/>` + "\n")
	axis(&b, y)
	return b.String() + body.String() + "</svg>\n"
}

// bar draws a result, with its time beside it.
func bar(b *strings.Builder, r *Result, floor float64, y int) {
	end := along(r.Median() / floor)
	fmt.Fprintf(b, `<rect x="%d" y="%d" width="%.1f" height="%d" fill="%s"><title>%s</title></rect>`+"\n", nameWidth, y,
		max(end, 1), barHeight-1, barColours[r.Device], html.EscapeString(fmt.Sprintf("%s: %.1f µs (%.1f to %.1f), %.2f of the floor",
			r.Device, r.Median(), r.Times[0], r.Times[len(r.Times)-1], r.Median()/floor)))
	if r.Target > 0 {
		at := nameWidth + along(r.Target/floor)
		fmt.Fprintf(b, `<line x1="%.1f" x2="%.1f" y1="%d" y2="%d" stroke="#d62728" stroke-width="2"/>`+"\n", at, at, y-1, y+barHeight)
		end = max(end, at-nameWidth)
	}
	fmt.Fprintf(b, `<text x="%.1f" y="%d" font-size="8">%.1f</text>`+"\n", nameWidth+end+4, y+barHeight-1, r.Median())
}

// axis draws the title, the devices' colours and the lines of the axis.
func axis(b *strings.Builder, height int) {
	fmt.Fprintf(b, `<text x="%d" y="16" font-size="12">Time over the floor, which is bytes over the copy rate; µs beside; red: wanted</text>`+
		"\n", nameWidth)
	x := nameWidth
	for _, device := range drawn {
		fmt.Fprintf(b, `<rect x="%d" y="26" width="9" height="9" fill="%s"/><text x="%d" y="34">%s</text>`+"\n", x,
			barColours[device], x+12, device)
		x += 90
	}
	for m := 1; m <= mostFloors; m *= 2 {
		at := nameWidth + along(float64(m))
		fmt.Fprintf(b, `<line x1="%.1f" x2="%.1f" y1="%d" y2="%d" stroke="#ddd"/><text x="%.1f" y="%d" text-anchor="middle">%d</text>`+"\n",
			at, at, plotTop-4, height, at, plotTop-7, m)
	}
}
