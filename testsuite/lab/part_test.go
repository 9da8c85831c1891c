package main

import (
	"encoding/json"
	"errors"
	"regexp"
	"strings"
	"testing"
	"time"
)

// fakePart returns the results of cases, two devices each, before it ends with an error.
func fakePart(all []Case, from, count int, ends error) *part {
	var text strings.Builder
	for i := range count {
		data, err := json.Marshal(Result{Case: all[from+i/2].Name, Device: []string{"webgpu", "cuda"}[i%2], Times: []float64{1}})
		if err != nil {
			panic(err)
		}
		text.Write(append(data, '\n'))
	}
	said := &strings.Builder{}
	said.WriteString("the driver gave up")
	return &part{
		results: json.NewDecoder(strings.NewReader(text.String())), kill: func() {}, wait: func() error { return ends }, said: said,
		timer: time.NewTimer(time.Hour),
	}
}

func TestAPartThatDiesLosesTheCaseThatItWasAt(t *testing.T) {
	s := session{options: &options{only: regexp.MustCompile("^copy/")}, devices: map[string]string{}}
	all := s.chosen(testSizes)
	began := []int{}
	s.start = func(_ []string, from int) (*part, error) {
		began = append(began, from)
		if from == 0 {
			return fakePart(all, from, 3, errors.New("signal: killed")), nil
		}
		return fakePart(all, from, 2*(len(all)-from), nil), nil
	}
	if err := s.runOn([]string{"webgpu", "cuda"}, newProgress(nil)); err != nil {
		t.Fatal(err)
	}
	if len(began) != 2 || began[1] != 2 {
		t.Errorf("parts began with the cases %v, want 0 and 2", began)
	}
	if len(s.results) != 2*len(all) {
		t.Fatalf("%d results for %d cases on two devices", len(s.results), len(all))
	}
	for i, r := range s.results {
		lost := i == 3
		if (r.Error != "") != lost || r.Case != all[i/2].Name {
			t.Errorf("result %d is of %s with the error %q", i, r.Case, r.Error)
		}
	}
	if got := s.results[3].Error; !strings.Contains(got, "the driver gave up") {
		t.Errorf("the lost case says %q, not what the part wrote last", got)
	}
}

func TestADeviceThatDoesNotOpenEndsTheRun(t *testing.T) {
	s := session{options: &options{only: regexp.MustCompile("^copy/")}, devices: map[string]string{}}
	s.start = func([]string, int) (*part, error) { return fakePart(nil, 0, 0, errors.New("exit status 1")), nil }
	if err := s.runOn([]string{"webgpu"}, newProgress(nil)); err == nil || len(s.results) > 0 {
		t.Errorf("the run returns %v and %d results", err, len(s.results))
	}
}
