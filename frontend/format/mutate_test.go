package format_test

import (
	"flag"
	"math/rand/v2"
	"testing"
	"time"

	"skald/frontend/diag"
	"skald/frontend/prelude"
	"skald/frontend/source"
	"skald/frontend/syntax"
)

var mutations = flag.Int("mutations", 400, "how many mutated programs to format")

// TestMutatedProgramsNeitherPanicNorHang takes tokens out of the prelude's
// declarations and puts others in. Most of what comes out is wrong, and must
// be rejected in time; what is right must be laid out without a change of
// meaning.
func TestMutatedProgramsNeitherPanicNorHang(t *testing.T) {
	var programs, fragments []string
	for _, file := range prelude.Files() {
		f := source.NewFile(file.Name, file.Text)
		for _, e := range syntax.IndexFile(f) {
			if n := e.At.End - e.At.Start; n < 4000 {
				programs = append(programs, e.At.Text())
			}
		}
		tokens, _ := syntax.Lex(f)
		for _, tok := range tokens {
			fragments = append(fragments, file.Text[tok.Start:tok.End])
		}
	}
	fragments = append(fragments, "-- c\n", "-- | d\n", "\n", "\"", "1.5", "'a'", "#c", "match x case", "loop x for i < n do")
	r := rand.New(rand.NewPCG(1, 2))
	accepted := 0
	for range *mutations {
		text := programs[r.IntN(len(programs))] + "\n" + programs[r.IntN(len(programs))]
		for range 1 + r.IntN(3) {
			text = mutate(r, text, fragments)
		}
		start := time.Now()
		if check(t, "mutated", text) != "" {
			accepted++
		}
		f := source.NewFile("mutated", text)
		for _, e := range syntax.IndexFile(f) {
			var sink diag.Sink
			syntax.ParseDec(e.At, &sink)
		}
		if d := time.Since(start); d > 5*time.Second {
			t.Errorf("it took %v", d)
		}
		if t.Failed() {
			t.Fatalf("the program is:\n%s", text)
		}
	}
	t.Logf("%d of %d accepted", accepted, *mutations)
}

// mutate takes a token out, puts one in, or both.
func mutate(r *rand.Rand, text string, fragments []string) string {
	tokens, _ := syntax.Lex(source.NewFile("mutated", text))
	tok := tokens[r.IntN(len(tokens))]
	before, after := text[:tok.Start], text[tok.End:]
	fragment := fragments[r.IntN(len(fragments))]
	switch r.IntN(4) {
	case 0:
		return before + after
	case 1:
		return before + fragment + after
	case 2:
		return before + fragment + " " + text[tok.Start:]
	default:
		return text[:tok.End] + fragment + after
	}
}
