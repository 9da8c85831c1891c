package lower

import (
	"testing"

	"skald/middle/imp"
)

// Where several kernels cannot be generated the first of them says why, whichever finds out first.
func TestTheFirstKernelThatCannotBeSaysWhy(t *testing.T) {
	l := &lowerer{
		prog: &imp.Prog{}, order: []*siteRun{{}}, apart: map[*imp.Kernel][]imp.SiteID{}, here: map[string]int{},
		versions: &Versions{of: map[string][]version{}},
	}
	second := make(chan bool)
	own := func() *lowerer { return &lowerer{prog: &imp.Prog{}} }
	l.beside(&imp.Kernel{}, nil, 1, own(), func() {
		<-second
		panic("the first")
	})
	l.beside(&imp.Kernel{}, nil, 1, own(), func() {
		close(second)
		panic("the second")
	})
	defer func() {
		if got := recover(); got != "the first" {
			t.Errorf("it is %v", got)
		}
	}()
	l.join()
}
