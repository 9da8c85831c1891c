package bench

import (
	"slices"
	"strings"
	"time"
)

// Profile is what one run did, as Futhark's reports have it: events with times in microseconds, and the most memory in bytes by space.
type Profile struct {
	Events []Event          `json:"events"`
	Memory map[string]int64 `json:"memory"`
	// Total is the time of the whole run; Futhark's reports lack it. What is in it and in no event is work of the host, and waiting.
	Total float64 `json:"total,omitempty"`
}

// Event is one launch of a kernel.
type Event struct {
	Name     string  `json:"name"`
	Duration float64 `json:"duration"`
	// Provenance is the place in the source, after the calls that lead there, with "->" between.
	Provenance string         `json:"provenance"`
	Details    map[string]any `json:"details"`
}

// profile runs the case once more, and notes each launch.
func (r *run) profile() (*Profile, error) {
	r.l.dev.Timings() // of earlier runs
	took, err := r.once()
	if err != nil {
		return nil, err
	}
	p := &Profile{Events: []Event{}, Memory: map[string]int64{"device": r.l.held.peak()}, Total: microseconds(took)}
	for _, t := range r.l.dev.Timings() {
		p.Events = append(p.Events, Event{
			Name: t.Kernel, Duration: float64(t.Time) / float64(time.Microsecond),
			Provenance: provenance(r.l.Host.Origin(t.Kernel)), Details: map[string]any{},
		})
	}
	return p, nil
}

// provenance turns places, the innermost first, a line each, around.
func provenance(origin string) string {
	if origin == "" {
		return "unknown"
	}
	places := strings.Split(origin, "\n")
	slices.Reverse(places)
	return strings.Join(places, "->")
}
