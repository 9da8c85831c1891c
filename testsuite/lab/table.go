package main

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"time"
)

// record is what the file of results holds.
type record struct {
	Date    string            `json:"date"`
	Runs    int               `json:"runs"`
	Devices map[string]string `json:"devices"` // What each says of itself.
	Results []Result          `json:"results"`
}

// save writes the results to the files that are named.
func (s *session) save() error {
	if s.json != "" {
		data, err := json.MarshalIndent(record{today(), s.runs, s.devices, s.results}, "", "  ")
		if err != nil {
			return err
		}
		if err := os.WriteFile(s.json, data, 0o644); err != nil {
			return err
		}
	}
	if s.picture != "" {
		if err := os.WriteFile(s.picture, []byte(svg(s.results)), 0o644); err != nil {
			return err
		}
	}
	if s.csv == "" {
		return nil
	}
	out, err := os.Create(s.csv)
	if err != nil {
		return err
	}
	return cmp.Or(writeCSV(out, s.results), out.Close())
}

func today() string { return time.Now().UTC().Format(time.DateOnly) }

// csvHeader names the columns of the CSV file. Times are of the device, in µs; wanted is the time that the row should not exceed, and the
// floor a computed bound: bytes over the measured copy rate.
var csvHeader = []string{"case", "device", "floor_us", "median_us", "min_us", "max_us", "wanted_us", "tflops", "note"}

// writeCSV writes the results as benchmarks/lab.csv has them, a row a case and device.
func writeCSV(out io.Writer, results []Result) error {
	w := csv.NewWriter(out)
	rows := [][]string{csvHeader}
	for i := range results {
		rows = append(rows, results[i].row())
	}
	return w.WriteAll(rows)
}

// row is a result in the CSV file; where there is no time, the note says why.
func (r *Result) row() []string {
	row := []string{r.Case, r.Device, positive("%.0f", r.Floor), "", "", "", "", "", ""}
	switch {
	case r.Skip != "":
		row[8] = "no: " + r.Skip
	case r.Error != "":
		row[8] = "WRONG"
	default:
		median := r.Median()
		row[3], row[4], row[5] = positive("%.1f", median), positive("%.1f", r.Times[0]), positive("%.1f", r.Times[len(r.Times)-1])
		row[6], row[7] = positive("%.0f", r.Target), positive("%.1f", r.Flops/median/1e6)
	}
	return row
}

// positive prints a number that is known, and nothing for one that is not.
func positive(format string, x float64) string {
	if x <= 0 {
		return ""
	}
	return fmt.Sprintf(format, x)
}
