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
// reuse, per-thread scratch, chunked buffers, saturate the device, SOAC, fix, regenerate, deduplicate; and returns, is, has.
var ownWords = regexp.MustCompile(`(?i)\b(nobody needs|superfluous|ghosts?|rous(e|es|ed|ing)|(tak(e|es|ing)|in|in its) turns|` +
	`(arrays?|bound|buffers?) in pieces|fill the device|combinators?|mend(s|ed|ing)?|anew|stood twice|gives|stands)\b`)

// stems are in all of ownWords: most files have none.
var stems = strings.Fields("nobody superfluous ghost rous turns pieces fill combinator mend anew stood gives stands")

// allowed are lines that have such a word with its own meaning.
var allowed = []string{"superfluous-else", "second-order array combinator", "stands for", "gives up"}

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

var (
	noteHeading = regexp.MustCompile(`(?m)^\s*// (Note \[[^\]\n]+\])$`)
	commentLine = regexp.MustCompile(`\n\s*(//|--|#)?\s*`)
	noteMention = regexp.MustCompile(`Notes? \[[^\]\n]+\]((,| and|, and) \[[^\]\n]+\])*`)
	noteName    = regexp.MustCompile(`\[[^\]\n]+\]`)
)

// Notes have unique names, each is referred to besides its heading, and whatever refers to one finds it.
func TestNotesAreUniqueAndReferredTo(t *testing.T) {
	list, err := exec.Command("git", "ls-files", "-z").Output()
	if err != nil {
		t.Skipf("SKIPPED: the list of files: %v", err)
	}
	texts := []string{".go", ".md", ".wgsl", ".c", ".cu", ".h", ".cpp", ".py", ".fut"}
	at, mentions, mentionedIn := map[string]string{}, map[string]int{}, map[string]string{}
	for name := range strings.SplitSeq(strings.TrimRight(string(list), "\x00"), "\x00") {
		if !slices.Contains(texts, filepath.Ext(name)) || name == "words_test.go" {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil || !bytes.Contains(text, []byte("Note")) {
			continue // without notes, or deleted and not committed yet
		}
		for _, m := range noteHeading.FindAllSubmatch(text, -1) {
			note := strings.TrimPrefix(string(m[1]), "Note ")
			if before, there := at[note]; there {
				t.Errorf("Note %s is in %s and in %s", note, before, name)
			}
			at[note] = name
		}
		for _, m := range noteMention.FindAll(commentLine.ReplaceAll(text, []byte(" ")), -1) {
			for _, note := range noteName.FindAllString(string(m), -1) {
				mentions[note]++
				mentionedIn[note] = name
			}
		}
	}
	for note, name := range at {
		if mentions[note] < 2 {
			t.Errorf("%s: Note %s is mentioned nowhere else: refer to it where code depends on it, or make it a comment", name, note)
		}
	}
	for note, name := range mentionedIn {
		if at[note] == "" {
			t.Errorf("%s refers to Note %s, which there is not", name, note)
		}
	}
}
