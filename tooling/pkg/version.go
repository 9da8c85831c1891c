package pkg

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/mod/semver"
)

// Version is a semantic version X.Y.Z, perhaps with more behind it.
type Version string

var validVersion = regexp.MustCompile(`^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$`)

// ParseVersion reads a version; all three numbers must be there.
func ParseVersion(text string) (Version, error) {
	if !validVersion.MatchString(text) {
		return "", fmt.Errorf("%q is not a version: one has three numbers, such as 1.0.0", text)
	}
	return Version(text), nil
}

// Less reports whether v is a lower version than w.
func (v Version) Less(w Version) bool { return semver.Compare("v"+string(v), "v"+string(w)) < 0 }

// major is the first number.
func (v Version) major() int {
	first, _, _ := strings.Cut(string(v), ".")
	n, err := strconv.Atoi(first)
	if err != nil {
		return -1
	}
	return n
}

// commitVersion is how a commit of a package without versions is called: by its time, so that later ones are higher.
var commitVersion = regexp.MustCompile(`^0\.0\.0-([0-9]{14})\+([0-9A-Za-z]+)$`)

// commit is the commit that a version names itself, or "".
func (v Version) commit() string {
	if m := commitVersion.FindStringSubmatch(string(v)); m != nil {
		return m[2]
	}
	return ""
}

var majorSuffix = regexp.MustCompile(`^(.*)@([0-9]+)$`)

// split returns the address of a package without its scheme, and the major versions that it has: those after the first two are
// packages of their own, called NAME@2 and so on.
func split(path string) (address string, majors []int) {
	if m := majorSuffix.FindStringSubmatch(path); m != nil {
		if n, err := strconv.Atoi(m[2]); err == nil {
			return m[1], []int{n}
		}
	}
	return path, []int{0, 1}
}
