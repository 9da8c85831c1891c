package device

import (
	"testing"
	"time"
)

func TestWarmUpWorksOnGPUsOnly(t *testing.T) {
	f := NullFacts()
	f.MaxBufferSize = 4096
	for kind, want := range map[Kind]bool{Discrete: true, Integrated: true, CPU: false, Null: false} {
		f.Kind = kind
		r := NewRecorder(f)
		if err := WarmUp(r, time.Millisecond); err != nil {
			t.Fatal(err)
		}
		s := r.Stats()
		if (s.Copies > 0 && s.Syncs > 0) != want || s.InUse != 0 {
			t.Errorf("%v: %+v", kind, s)
		}
	}
}
