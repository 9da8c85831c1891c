package webgpu

import (
	"testing"
	"unsafe"
)

// text stands for memory of the library: it does not move.
var text = []byte("two words\x00more")

// Texts of the library are copied, and an empty one may have any address, also while the stack is moved.
func TestTextsOfTheLibraryAreNoPointers(t *testing.T) {
	p := uintptr(unsafe.Pointer(&text[0]))
	for _, c := range []struct {
		view foreignView
		want string
	}{
		{foreignView{p, 3}, "two"},
		{foreignView{p, ^uintptr(0)}, "two words"},
		{foreignView{1, 0}, ""},
		{foreignView{}, ""},
	} {
		got := make(chan string)
		go func() { got <- afterGrowth(c.view, 1000) }()
		if s := <-got; s != c.want {
			t.Errorf("%v is %q, want %q", c.view, s, c.want)
		}
	}
}

// afterGrowth returns the text of v when the stack has grown.
func afterGrowth(v foreignView, depth int) string {
	var frame [256]byte
	frame[depth%len(frame)] = 1
	if depth > 0 {
		s := afterGrowth(v, depth-1)
		return s + string(frame[:0])
	}
	return v.String()
}
