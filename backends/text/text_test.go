package text_test

import (
	"testing"

	"skald/backends/text"
	"skald/shaders"
)

// A variable that is called like a function of the support library hides it.
func TestNoVariableIsCalledLikeAFunctionOfTheLibrary(t *testing.T) {
	dialects := []shaders.Dialect{shaders.Portable, shaders.Native, {Language: shaders.CUDA}, {Language: shaders.C}}
	for _, d := range dialects {
		for _, name := range shaders.Names(d) {
			if !text.IsFunction(name) {
				t.Errorf("%v: a variable may be called %s", d, name)
			}
		}
	}
}
