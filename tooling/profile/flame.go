package profile

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"html"
	"io"
	"slices"

	"skald/tooling/bench"
)

// frame is a bar of a flame graph: a place, and what is called there.
type frame struct {
	name  string
	time  float64
	calls []*frame
}

// at returns the frame of a name among those that are called.
func (f *frame) at(name string) *frame {
	i := slices.IndexFunc(f.calls, func(c *frame) bool { return c.name == name })
	if i < 0 {
		f.calls = append(f.calls, &frame{name: name})
		i = len(f.calls) - 1
	}
	return f.calls[i]
}

func (f *frame) depth() int {
	deepest := 0
	for _, c := range f.calls {
		deepest = max(deepest, c.depth())
	}
	return deepest + 1
}

// stacks puts the events of a profile on the places that lead to them.
func stacks(title string, p *bench.Profile) *frame {
	root := &frame{name: title}
	for _, e := range p.Events {
		root.time += e.Duration
		f := root
		for _, place := range append(places(e.Provenance), e.Name) {
			f = f.at(place)
			f.time += e.Duration
		}
	}
	if rest := p.Total - root.time; rest > 0 {
		f := root.at("not attributed")
		f.time += rest
		root.time = p.Total
	}
	return root
}

// The measures of a flame graph, in pixels.
const (
	flameWidth = 1200
	rowHeight  = 18
	charWidth  = 7
	narrowest  = 0.3
)

// Flame draws a flame graph in SVG: a bar for each place, as wide as the time spent there, the calls above; the kernels are on top. A
// bar says what it is when the pointer is over it.
func Flame(w io.Writer, title string, p *bench.Profile) error {
	root := stacks(title, p)
	out := &printer{w: w}
	height := root.depth() * rowHeight
	out.f(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="monospace" font-size="11">`+"\n", flameWidth, height)
	if root.time > 0 {
		drawFrame(out, root, root.time, 0, height-rowHeight)
	}
	out.f("</svg>\n")
	return out.err
}

func drawFrame(out *printer, f *frame, all, x float64, y int) {
	width := f.time / all * flameWidth
	if width < narrowest {
		return
	}
	text := fmt.Sprintf("%s: %.1f µs (%.1f %%)", f.name, f.time, 100*f.time/all)
	out.f(`<g><title>%s</title><rect x="%.2f" y="%d" width="%.2f" height="%d" fill="%s" stroke="white"/>`,
		html.EscapeString(text), x, y, width, rowHeight, colour(f.name))
	if chars := int(width) / charWidth; chars > 3 {
		label := []rune(f.name)
		if len(label) > chars {
			label = append(label[:chars-2], '.', '.')
		}
		out.f(`<text x="%.2f" y="%d">%s</text>`, x+2, y+rowHeight-5, html.EscapeString(string(label)))
	}
	out.f("</g>\n")
	slices.SortFunc(f.calls, func(a, b *frame) int { return cmp.Compare(a.name, b.name) })
	for _, c := range f.calls {
		drawFrame(out, c, all, x, y-rowHeight)
		x += c.time / all * flameWidth
	}
}

// colour is a warm colour that a name always has; what is not attributed is grey.
func colour(name string) string {
	if name == "not attributed" {
		return "#cccccc"
	}
	h := fnv.New32a()
	_, _ = h.Write([]byte(name)) // a hash takes all
	n := h.Sum32()
	return fmt.Sprintf("#%02x%02x%02x", 205+n%50, 100+n/50%120, 50+n/6000%50)
}
