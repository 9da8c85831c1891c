package prelude_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"skald/frontend/check"
	"skald/frontend/diag"
	"skald/frontend/prelude"
)

// members lists the values that a module type of numbers.fut asks for, those that it includes first.
func members(t *testing.T, text, moduleType string) []string {
	t.Helper()
	m := regexp.MustCompile(`(?ms)^module type ` + moduleType + ` = \{$(.*?)^\}`).FindStringSubmatch(text)
	if m == nil {
		t.Fatalf("no module type %s", moduleType)
	}
	var names []string
	if inc := regexp.MustCompile(`(?m)^  include (\w+)$`).FindStringSubmatch(m[1]); inc != nil {
		names = members(t, text, inc[1])
	}
	for _, val := range regexp.MustCompile(`(?m)^  val (\S+?)(?: \[n\])?:`).FindAllStringSubmatch(m[1], -1) {
		names = append(names, val[1])
	}
	return names
}

// Modules of the prelude are checked member by member when a program mentions them; this mentions all of them.
func TestEveryMemberOfTheModulesOfNumbersChecks(t *testing.T) {
	var text string
	for _, f := range prelude.Files() {
		if strings.HasSuffix(f.Name, "numbers.fut") {
			text = f.Text
		}
	}
	modules := map[string]string{
		"i8 i16 i32 i64 u8 u16 u32 u64": "integral", "f16 f32 f64": "float", "bool": "from_prim",
	}
	var program strings.Builder
	n := 0
	for list, moduleType := range modules {
		for _, module := range strings.Fields(list) {
			for _, name := range members(t, text, moduleType) {
				use := module + "." + name
				if strings.HasPrefix(name, "(") {
					use = "(" + module + "." + name[1:]
				}
				if regexp.MustCompile(`sum|product|m..imum`).MatchString(name) {
					use = fmt.Sprintf("\\(xs: []%s) -> %s xs", module, use)
				}
				fmt.Fprintf(&program, "def v%d = %s\n", n, use)
				n++
			}
		}
	}
	var sink diag.Sink
	if _, ok := check.Check(check.Files{"t.fut": program.String()}, "t.fut", &sink, check.Options{}); !ok {
		t.Error(sink.All()[0])
	}
	if n < 700 {
		t.Errorf("only %d members were found", n)
	}
}
