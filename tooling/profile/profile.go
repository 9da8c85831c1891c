package profile

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"skald/tooling/bench"
)

// Row is the time of one kernel or line.
type Row struct {
	Name  string
	Count int
	Time  float64 // microseconds
}

// by adds up events for which name returns the same name, those that took longest first.
func by(events []bench.Event, name func(bench.Event) string) []Row {
	rows := map[string]*Row{}
	for _, e := range events {
		n := name(e)
		if rows[n] == nil {
			rows[n] = &Row{Name: n}
		}
		rows[n].Count++
		rows[n].Time += e.Duration
	}
	out := make([]Row, 0, len(rows))
	for _, r := range rows {
		out = append(out, *r)
	}
	slices.SortFunc(out, func(a, b Row) int { return cmp.Or(cmp.Compare(b.Time, a.Time), cmp.Compare(a.Name, b.Name)) })
	return out
}

// Kernels adds up events by their names.
func Kernels(p *bench.Profile) []Row {
	return by(p.Events, func(e bench.Event) string { return e.Name })
}

// Lines adds up events by the line of the source that they come from.
func Lines(p *bench.Profile) []Row {
	return by(p.Events, func(e bench.Event) string { return line(e.Provenance) })
}

// nowhere is the line of events whose place is not known.
const nowhere = "unknown"

// places are the places that lead to an event, the innermost last, without those of the prelude.
func places(provenance string) []string {
	var out []string
	for _, place := range strings.Split(provenance, "->") {
		if place != "" && place != nowhere && !strings.HasPrefix(place, "/prelude/") {
			out = append(out, place)
		}
	}
	return out
}

// line is the line of the innermost place of the user's: FILE:LINE.
func line(provenance string) string {
	all := places(provenance)
	if len(all) == 0 {
		return nowhere
	}
	parts := strings.Split(all[len(all)-1], ":")
	if len(parts) < 3 {
		return all[len(all)-1]
	}
	return strings.Join(parts[:len(parts)-1], ":")
}

// attributed is the time of all events.
func attributed(p *bench.Profile) float64 {
	sum := 0.0
	for _, e := range p.Events {
		sum += e.Duration
	}
	return sum
}

// Summary writes the tables.
func Summary(w io.Writer, p *bench.Profile) error {
	out := &printer{w: w}
	events := attributed(p)
	all := max(p.Total, events)
	for _, space := range slices.Sorted(maps.Keys(p.Memory)) {
		out.f("Most memory in use (%s): %d bytes\n", space, p.Memory[space])
	}
	if p.Total > 0 {
		out.f("Time of the run: %.1f µs, of it in events %.1f µs (%.1f %%), not attributed %.1f µs (%.1f %%)\n",
			p.Total, events, 100*events/all, all-events, 100*(all-events)/all)
	} else {
		out.f("Time in events: %.1f µs\n", events)
	}
	out.table("By kernel", Kernels(p), all, func(name string) string { return name })
	source := &sources{}
	out.table("By line of the source", Lines(p), all, func(name string) string {
		if text := source.line(name); text != "" {
			return name + "  " + text
		}
		return name
	})
	return out.err
}

// Timeline writes the events in their order.
func Timeline(w io.Writer, p *bench.Profile) error {
	out := &printer{w: w}
	for _, e := range p.Events {
		out.f("%s\n  duration: %.3f µs\n  at: %s\n", e.Name, e.Duration, e.Provenance)
		for _, k := range slices.Sorted(maps.Keys(e.Details)) {
			out.f("  %s: %v\n", k, e.Details[k])
		}
	}
	return out.err
}

// printer writes until something fails.
type printer struct {
	w   io.Writer
	err error
}

func (p *printer) f(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format, args...)
	}
}

func (p *printer) table(title string, rows []Row, all float64, show func(name string) string) {
	p.f("\n%s\n%12s %7s %8s %12s\n", title, "µs", "share", "count", "µs each")
	for _, r := range rows {
		share := 0.0
		if all > 0 {
			share = 100 * r.Time / all
		}
		p.f("%12.1f %6.1f%% %8d %12.2f  %s\n", r.Time, share, r.Count, r.Time/float64(r.Count), show(r.Name))
	}
}

// sources are the files of the program, read as they are asked for. A file that is not there any more has no lines.
type sources struct{ files map[string][]string }

// line returns the text of FILE:LINE, if it is there.
func (s *sources) line(name string) string {
	at := strings.LastIndexByte(name, ':')
	var n int
	if at < 0 {
		return ""
	}
	if _, err := fmt.Sscanf(name[at+1:], "%d", &n); err != nil {
		return ""
	}
	file := name[:at]
	if s.files == nil {
		s.files = map[string][]string{}
	}
	lines, ok := s.files[file]
	if !ok {
		if data, err := os.ReadFile(file); err == nil {
			lines = strings.Split(string(data), "\n")
		}
		s.files[file] = lines
	}
	if n < 1 || n > len(lines) {
		return ""
	}
	return strings.TrimSpace(lines[n-1])
}
