package bench

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
)

// Report is the outcome of benchmarks, as Futhark's tools read and write it: by program, data sets by name.
type Report map[string]ProgramReport

// ProgramReport is a program's part of a report.
type ProgramReport struct {
	Datasets map[string]Dataset `json:"datasets"`
}

// Dataset is a data set's part of a report: measurements, or what went wrong, which is a text in their place.
type Dataset struct {
	Failed string
	Measurements
}

// Measurements are what is reported of a data set.
type Measurements struct {
	// Runtimes are whole microseconds.
	Runtimes []int64          `json:"runtimes"`
	Bytes    map[string]int64 `json:"bytes"`
	Stderr   string           `json:"stderr,omitempty"`
	// Profiling is there after `bench --profile`.
	Profiling *Profile `json:"profiling,omitempty"`
}

// MarshalJSON implements json.Marshaler.
func (d Dataset) MarshalJSON() ([]byte, error) {
	if d.Failed != "" {
		return json.Marshal(d.Failed)
	}
	return json.Marshal(d.Measurements)
}

// UnmarshalJSON implements json.Unmarshaler.
func (d *Dataset) UnmarshalJSON(data []byte) error {
	if bytes.HasPrefix(data, []byte{'"'}) {
		return json.Unmarshal(data, &d.Failed)
	}
	if err := json.Unmarshal(data, &d.Measurements); err != nil {
		return err
	}
	if len(d.Runtimes) == 0 {
		return errors.New("a data set without run times")
	}
	return nil
}

// Times are the run times as numbers.
func (d Dataset) Times() []float64 {
	out := make([]float64, len(d.Runtimes))
	for i, t := range d.Runtimes {
		out[i] = float64(t)
	}
	return out
}

// Add notes the outcome of a case.
func (r Report) Add(program, dataset string, res *Result, err error) {
	p, ok := r[program]
	if !ok {
		p = ProgramReport{map[string]Dataset{}}
		r[program] = p
	}
	if err != nil {
		p.Datasets[dataset] = Dataset{Failed: err.Error()}
		return
	}
	m := Measurements{Bytes: map[string]int64{"device": res.Memory}, Profiling: res.Profile}
	for _, t := range res.Times {
		m.Runtimes = append(m.Runtimes, int64(math.Round(t)))
	}
	p.Datasets[dataset] = Dataset{Measurements: m}
}

// Write writes a report as JSON.
func (r Report) Write(w io.Writer) error {
	return json.NewEncoder(w).Encode(r)
}

// ReadReport reads a report, of ours or of Futhark.
func ReadReport(path string) (Report, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var r Report
	if err := json.Unmarshal(data, &r); err != nil {
		return nil, fmt.Errorf("%s is no report of `skald bench --json`: %w", path, err)
	}
	for name, p := range r {
		if p.Datasets == nil {
			return nil, fmt.Errorf("%s is no report of `skald bench --json`: %q has no data sets", path, name)
		}
	}
	return r, nil
}

// Programs lists the programs of a report, in order.
func (r Report) Programs() []string { return sortedKeys(r) }

// Names lists the data sets of a program, in order.
func (p ProgramReport) Names() []string { return sortedKeys(p.Datasets) }

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
