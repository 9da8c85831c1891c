package skald_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// documents are the pages for people.
var documents = []string{"README.md", "ARCHITECTURE.md", "BENCHMARKS.md", "testsuite/lab/README.md"}

var (
	codeSpan = regexp.MustCompile("`([^`\n]+)`")
	link     = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	// pathHere is a path that begins with one of our folders, within a command or alone.
	pathHere = regexp.MustCompile(`^(?:\./)?((?:\.ci|backends|cmd|examples|frontend|middle|runtime|scripts|shaders|testsuite|tools)(?:/[\w.…*-]+)*)$`)
	// pathLike is what a reader takes for a path in this repository.
	pathLike = regexp.MustCompile(`^[a-z]+/[a-z0-9/_.-]+$`)
)

// Paths in ARCHITECTURE.md, and in all documents those that begin with one of our folders, are there, and so is what links lead to.
func TestPathsInDocumentsExist(t *testing.T) {
	for _, name := range documents {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		text := string(data)
		exists := func(path string) {
			if matches, err := filepath.Glob(path); err != nil || len(matches) == 0 {
				t.Errorf("%s mentions %s, which is not there", name, path)
			}
		}
		for _, span := range codeSpan.FindAllStringSubmatch(text, -1) {
			if name == "ARCHITECTURE.md" && pathLike.MatchString(span[1]) {
				exists(span[1])
			}
			for _, word := range strings.Fields(span[1]) {
				if m := pathHere.FindStringSubmatch(word); m != nil && !strings.HasSuffix(m[1], "...") {
					exists(m[1])
				}
			}
		}
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			target, _, _ := strings.Cut(m[1], "#")
			if target != "" && !strings.Contains(target, "://") {
				exists(filepath.Join(filepath.Dir(name), target))
			}
		}
	}
}

func TestTheArchitectureFitsItsPage(t *testing.T) {
	data, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(string(data), "\n"); lines > 200 {
		t.Errorf("ARCHITECTURE.md has %d lines; 200 at most", lines)
	}
}
