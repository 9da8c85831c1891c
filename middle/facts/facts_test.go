package facts_test

import (
	"math"
	"testing"

	"skald/middle/facts"
)

// Guards compare sizes with what a device says; what it does not say rules nothing out.
func TestFactsOfMemory(t *testing.T) {
	for _, c := range []struct {
		facts facts.Facts
		want  int64
	}{{facts.Facts{BufferBytes: 4096}, 4096}, {facts.Facts{}, math.MaxInt64}} {
		if got := c.facts.Value("buffer_bytes"); got != c.want {
			t.Errorf("%+v: buffer_bytes is %d, want %d", c.facts, got, c.want)
		}
	}
}
