package skald_test

import (
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// documents are the pages for people.
func documents(t *testing.T) []string {
	t.Helper()
	pages, err := filepath.Glob("docs/*.md")
	if err != nil || len(pages) < 10 {
		t.Fatal(err, pages)
	}
	return append(pages, "README.md", "ARCHITECTURE.md", "BENCHMARKS.md", "testsuite/lab/README.md")
}

// folders are ours.
const folders = `\.ci|backends|benchmarks|bindings|cmd|compiler|docs|examples|` +
	`frontend|middle|runtime|scripts|shaders|testsuite|tooling|tools`

var (
	codeSpan = regexp.MustCompile("`([^`\n]+)`")
	link     = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	// pathHere is a path that begins with one of our folders, within a command or alone.
	pathHere = regexp.MustCompile(`^(?:\./)?((?:` + folders + `)(?:/[\w.…*-]+)*)$`)
	// pathLike is what a reader takes for a path in this repository.
	pathLike = regexp.MustCompile(`^[a-z]+/[a-z0-9/_.-]+$`)
)

// Paths in ARCHITECTURE.md, and in all documents those that begin with one of our folders, are there, and so is what links lead to.
func TestPathsInDocumentsExist(t *testing.T) {
	for _, name := range documents(t) {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		text := string(data)
		exists := func(path string) {
			// NAME stands for any name.
			if matches, err := filepath.Glob(strings.ReplaceAll(path, "NAME", "*")); err != nil || len(matches) == 0 {
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

// Every table of measurements is on the page, which stays one.
func TestThePageOfMeasurementsLinksEveryTable(t *testing.T) {
	data, err := os.ReadFile("BENCHMARKS.md")
	if err != nil {
		t.Fatal(err)
	}
	if len(data) > 15_000 {
		t.Errorf("BENCHMARKS.md has %d bytes; 15,000 at most", len(data))
	}
	tables, err := filepath.Glob("benchmarks/*.csv")
	if err != nil || len(tables) < 10 {
		t.Fatal(err, tables)
	}
	for _, table := range tables {
		if !strings.Contains(string(data), "("+filepath.ToSlash(table)+")") {
			t.Errorf("BENCHMARKS.md does not link %s", table)
		}
	}
}

// Every page of docs is reached from README.md, its page of commands, or ARCHITECTURE.md.
func TestPagesAreLinked(t *testing.T) {
	links := ""
	for _, name := range []string{"README.md", "ARCHITECTURE.md", "docs/commands.md"} {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		text := string(data)
		if path.Dir(name) == "docs" {
			text = strings.ReplaceAll(text, "](", "](docs/")
		}
		links += text
	}
	for _, page := range documents(t) {
		if strings.HasPrefix(page, "docs") && !strings.Contains(links, "("+filepath.ToSlash(page)+")") {
			t.Errorf("no link leads to %s", page)
		}
	}
}

// Every decision is in the index at the top of its page, once, and the index names no other.
func TestDecisionsAreInTheirIndex(t *testing.T) {
	data, err := os.ReadFile("docs/decisions.md")
	if err != nil {
		t.Fatal(err)
	}
	index, text, ok := strings.Cut(string(data), "\n1. ")
	if !ok {
		t.Fatal("docs/decisions.md has no decision 1")
	}
	indexed := map[string]int{}
	for _, row := range regexp.MustCompile(`(?m)^\| .* \| (\d.*) \|$`).FindAllStringSubmatch(index, -1) {
		for _, entry := range strings.Split(row[1], " · ") {
			numbers, _, _ := strings.Cut(strings.ReplaceAll(entry, ", ", ","), " ")
			for _, n := range strings.Split(numbers, ",") {
				indexed[n]++
			}
		}
	}
	for _, m := range regexp.MustCompile(`(?m)^(\d+)\. `).FindAllStringSubmatch("1. "+text, -1) {
		if indexed[m[1]] != 1 {
			t.Errorf("decision %s is in the index %d times", m[1], indexed[m[1]])
		}
		delete(indexed, m[1])
	}
	for n := range indexed {
		t.Errorf("the index names decision %s, which there is not", n)
	}
}

func TestTheArchitectureFitsItsPage(t *testing.T) {
	data, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(string(data), "\n"); lines > 100 {
		t.Errorf("ARCHITECTURE.md has %d lines; 100 at most", lines)
	}
}

// A package of several files says what it is in doc.go; a command, and a package of one file, says it there.
func TestPackagesSayWhatTheyAre(t *testing.T) {
	const format = `{{if .GoFiles}}{{.ImportPath}} {{.Name}} {{.Doc}}|{{join .GoFiles " "}}{{end}}`
	out, err := exec.Command("go", "list", "-f", format, "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		about, list, _ := strings.Cut(strings.TrimSpace(line), "|")
		pkg := strings.Fields(about)
		if files := strings.Fields(list); pkg[1] != "main" && pkg[0] != "skald" && len(files) > 1 && !slices.Contains(files, "doc.go") {
			t.Errorf("%s has no doc.go", pkg[0])
		}
		if len(pkg) < 3 {
			t.Errorf("%s has no package comment", pkg[0])
		}
	}
}

// A package comment that lists the package's files by what they do names files that are there; "..." stands for the rest of a name.
func TestPackagesNameTheirFiles(t *testing.T) {
	docs, err := exec.Command("git", "grep", "-l", "^// # Files$", "--", "*.go").Output()
	if err != nil || len(docs) == 0 {
		t.Fatal("no package lists its files", err)
	}
	for _, doc := range strings.Fields(string(docs)) {
		data, err := os.ReadFile(doc)
		if err != nil {
			t.Fatal(err)
		}
		_, list, _ := strings.Cut(string(data), "// # Files\n")
		for line := range strings.Lines(list) {
			row, ok := strings.CutPrefix(line, "//\t")
			if !ok {
				continue
			}
			names, _, _ := strings.Cut(row, "  ")
			for _, name := range strings.Split(names, ", ") {
				pattern := filepath.Join(filepath.Dir(doc), strings.Replace(name, "...", "*", 1)+".go")
				if files, err := filepath.Glob(pattern); err != nil || len(files) == 0 {
					t.Errorf("%s names %s, which is not there", doc, name)
				}
			}
		}
	}
}

// Each package imports only packages in its own row of ARCHITECTURE.md's table or in those below.
func TestPackagesImportThoseBelowThem(t *testing.T) {
	rows := packageRows(t)
	row := func(pkg string) (at int, ok bool) {
		best := -1
		for name, i := range rows {
			if (pkg == name || strings.HasPrefix(pkg, name+"/") && name != "skald") && len(name) > best {
				best, at = len(name), i
			}
		}
		return at, best >= 0
	}
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		from, ok := row(fields[0])
		if !ok {
			if !strings.HasSuffix(fields[0], "test") && !strings.HasPrefix(fields[0], "skald/examples/") {
				t.Errorf("%s has no row", fields[0])
			}
			continue
		}
		for _, pkg := range fields[1:] {
			if to, ok := row(pkg); ok && to < from {
				t.Errorf("%s imports %s, which is above it", fields[0], pkg)
			}
		}
	}
}

// packageRows returns the row of each package that the table of packages names.
func packageRows(t *testing.T) map[string]int {
	t.Helper()
	data, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(data), "| package |")
	table, _, ok := strings.Cut(table, "\n\n")
	if !ok {
		t.Fatal("there is no table of packages")
	}
	rows := map[string]int{}
	for i, line := range strings.Split(table, "\n")[2:] {
		folder := ""
		for _, m := range codeSpan.FindAllStringSubmatch(strings.Split(line, "|")[1], -1) {
			name := m[1]
			if rest, ok := strings.CutPrefix(name, "…"); ok {
				name = folder + rest
			} else {
				folder = path.Dir(name)
			}
			if name != "skald" {
				name = "skald/" + name
			}
			rows[name] = i
		}
	}
	return rows
}
