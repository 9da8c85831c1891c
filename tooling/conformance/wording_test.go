package conformance

import (
	"regexp"
	"testing"

	"skald/tooling/spec"
)

func TestMessagesMatchInFutharksWords(t *testing.T) {
	for _, c := range []struct {
		pattern, message string
		want             bool
	}{
		{"also bound", `a.fut:1:2: error: "x" is bound twice in one pattern.`, true},
		{`Duplicate parameter`, `Two type parameters are called "n".`, true},
		{`"m".*also bound`, `"x" is bound twice in one pattern. "m" is unused.`, false},
		{"bound twice", `"x" is bound twice in one pattern.`, true},
		{"Causality check", `The size "n", which the type of "xs" needs, is computed only later:`, true},
		{"Causality check", "Unknown name.", false},
	} {
		e := &spec.Error{Pattern: c.pattern, Regexp: regexp.MustCompile(c.pattern)}
		if got := matches(e, c.message); got != c.want {
			t.Errorf("%q matches %q: %v", c.pattern, c.message, got)
		}
	}
}
