package skald_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// ownWords are words that this project once had where the field has a term: dead code, redundant, shadow accumulator, warm up, grid-stride
// reuse, per-thread scratch, chunked buffers, saturate the device, SOAC, fix, regenerate, deduplicate.
var ownWords = regexp.MustCompile(`(?i)\b(nobody needs|superfluous|ghosts?|rous(e|es|ed|ing)|(tak(e|es|ing)|in|in its) turns|` +
	`(arrays?|bound|buffers?) in pieces|fill the device|combinators?|mend(s|ed|ing)?|anew|stood twice)\b`)

// stems are in all of ownWords: most files have none.
var stems = strings.Fields("nobody superfluous ghost rous turns pieces fill combinator mend anew stood")

// allowed are lines that have such a word with its own meaning.
var allowed = []string{"superfluous-else", "second-order array combinator"}

// Code and documents use the field's terms, one term for one thing.
func TestWordsAreTheFields(t *testing.T) {
	list, err := exec.Command("git", "ls-files", "-z").Output()
	if err != nil {
		t.Skipf("SKIPPED: the list of files: %v", err)
	}
	for name := range strings.SplitSeq(strings.TrimRight(string(list), "\x00"), "\x00") {
		if !slices.Contains([]string{".go", ".md", ".yml", ".sh", ".wgsl", ".c", ".py", ".fut"}, filepath.Ext(name)) || name == "words_test.go" {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			continue // deleted and not committed yet
		}
		lower := strings.ToLower(string(text))
		if !slices.ContainsFunc(stems, func(stem string) bool { return strings.Contains(lower, stem) }) {
			continue
		}
		for _, at := range ownWords.FindAllIndex(text, -1) {
			begin, end := bytes.LastIndexByte(text[:at[0]], '\n')+1, at[1]
			if n := bytes.IndexByte(text[end:], '\n'); n >= 0 {
				end += n
			}
			line := string(text[begin:end])
			if !slices.ContainsFunc(allowed, func(a string) bool { return strings.Contains(line, a) }) {
				t.Errorf("%s:%d: %q is none of the field's words", name, 1+bytes.Count(text[:at[0]], []byte("\n")), text[at[0]:at[1]])
			}
		}
	}
}

// Notes have unique names: a name that is mentioned elsewhere leads to one place.
func TestNotesHaveUniqueNames(t *testing.T) {
	list, err := exec.Command("git", "ls-files", "-z", "*.go").Output()
	if err != nil {
		t.Skipf("SKIPPED: the list of files: %v", err)
	}
	heading := regexp.MustCompile(`(?m)^\s*// (Note \[[^\]\n]+\])$`)
	at := map[string]string{}
	for name := range strings.SplitSeq(strings.TrimRight(string(list), "\x00"), "\x00") {
		text, err := os.ReadFile(name)
		if err != nil {
			continue // deleted and not committed yet
		}
		for _, m := range heading.FindAllSubmatch(text, -1) {
			note := string(m[1])
			if before, there := at[note]; there {
				t.Errorf("%s is in %s and in %s", note, before, name)
			}
			at[note] = name
		}
	}
}
