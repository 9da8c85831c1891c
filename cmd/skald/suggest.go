//go:build !runner

package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"skald/frontend/diag"
)

// meant asks whether one of names was meant, if one is like the name that was given; otherwise it is empty.
func meant(name string, names []string) string {
	best, least := "", max(len(name)/3, 1)+1
	for _, n := range names {
		if d := distance(strings.ToLower(name), strings.ToLower(n)); d < least {
			best, least = n, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %s?", best)
}

// distance counts the letters that must be changed, added, left out, or exchanged with the next, to make one word of another.
func distance(a, b string) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(a)][len(b)]
}

// unknownCommand is what cobra says of a word that is no command.
var unknownCommand = regexp.MustCompile(`^unknown command "([^"]*)" for "skald"`)

// suggestion improves the error for a mistyped command or flag.
func suggestion(root *cobra.Command, err error) error {
	m := unknownCommand.FindStringSubmatch(err.Error())
	if m == nil {
		return err
	}
	var names []string
	for _, c := range root.Commands() {
		names = append(names, c.Name())
	}
	if _, statErr := os.Stat(m[1]); statErr == nil {
		return fmt.Errorf("there is no command %q, which is a file: `skald build %s` compiles it; `skald help` lists the commands", m[1], m[1])
	}
	if other, ok := elsewhere[m[1]]; ok {
		return fmt.Errorf("there is no command %q: %s", m[1], other)
	}
	return fmt.Errorf("there is no command %q%s; `skald help` lists them", m[1], meant(m[1], names))
}

// elsewhere are Futhark's commands that skald does not have, with what does the same here: docs/futhark.md says why.
var elsewhere = map[string]string{
	"ispc":           "`skald multicore` compiles for processors",
	"opencl":         "`skald build` compiles for GPUs of any vendor",
	"hip":            "`skald build` compiles for GPUs of any vendor",
	"python":         "Python calls programs by the package skald (docs/python.md)",
	"pyopencl":       "Python calls programs by the package skald (docs/python.md)",
	"wasm":           "there is no back end for JavaScript",
	"wasm-multicore": "there is no back end for JavaScript",
}

// missingFile names a file that may have been meant by one that is not there: of a like name in its folder, or the same with .fut.
func missingFile(path string) string {
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return ""
	}
	var names []string
	for _, e := range entries {
		if e.Name() == filepath.Base(path)+".fut" {
			return fmt.Sprintf("; did you mean %s?", path+".fut")
		}
		if strings.HasSuffix(e.Name(), ".fut") {
			names = append(names, filepath.Join(filepath.Dir(path), e.Name()))
		}
	}
	return meant(path, names)
}

// withSuggestion adds to an error about a file that is not there what may have been meant.
func withSuggestion(err error) error {
	var failed *fs.PathError
	if errors.As(err, &failed) && errors.Is(err, fs.ErrNotExist) {
		return errors.New(err.Error() + missingFile(failed.Path))
	}
	return err
}

// unreadable is the message about a program's file that cannot be read.
var unreadable = regexp.MustCompile(`^Cannot read "([^"]*)": there is no such file`)

// suggestFile improves the hint of a diagnostic about a missing file, if a file of a like name is there.
func suggestFile(d *diag.Diagnostic) {
	if m := unreadable.FindStringSubmatch(d.Message); m != nil {
		if like := missingFile(m[1]); like != "" {
			d.Hint = strings.TrimPrefix(like, "; ")
		}
	}
}
