package conformance

import (
	"regexp"

	"skald/tooling/spec"
)

// Note [Wording]
//
// Test blocks expect Futhark's messages. Ours are written for people, so some have other words: for these, wordings says
// what Futhark's is. The checker knows nothing of it.

// wording is a message of ours in Futhark's words; theirs may refer to groups of ours: see Note [Wording].
type wording struct {
	ours   *regexp.Regexp
	theirs string
}

var wordings = []wording{
	{regexp.MustCompile(`"([^"]+)" is bound twice in one pattern`), `Name "$1" also bound; duplicate binding of "$1"`},
	{regexp.MustCompile(`Two parameters are called "([^"]+)"`), `Name "$1" also bound`},
	{
		regexp.MustCompile(`Two type parameters are called "([^"]+)"`),
		`Type parameter "$1" previously defined, also bound; Duplicate parameter`,
	},
	{regexp.MustCompile(`No argument of the entry point shows the size \[`), "Entry point size parameter only used non-constructively"},
	{regexp.MustCompile(`No value of type "[^"]*" shows its size parameter`), "is not used constructively: non-constructively"},
	{
		regexp.MustCompile(`definition of "[^"]*" does not use its size parameter (\[\w+\])`),
		`Size parameter "$1" unused: not used constructively`,
	},
	{regexp.MustCompile(`No array of this type has the existential size "([^"]+)"`), `Existential size "$1" not used constructively`},
	{regexp.MustCompile(`which is not the size of an array in it`), "is not used constructively"},
	{
		regexp.MustCompile(`The size "([^"]+)", which the type of ([^,]*) needs, is computed only later`),
		`Causality check: size "$1" needed for type of $2; But "$1" is computed only later`,
	},
}

// matches reports whether a message is the expected one, in our words or Futhark's: see Note [Wording].
func matches(want *spec.Error, message string) bool {
	if want.Matches(message) {
		return true
	}
	for _, w := range wordings {
		for _, at := range w.ours.FindAllStringSubmatchIndex(message, -1) {
			if want.Matches(string(w.ours.ExpandString(nil, w.theirs, message, at))) {
				return true
			}
		}
	}
	return false
}
