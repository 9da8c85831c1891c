package main

import (
	"os"
	"strings"
	"testing"
)

func TestThePageOfCommandsNamesAll(t *testing.T) {
	text, err := os.ReadFile("../../docs/commands.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range newRoot().Commands() {
		if name := c.Name(); !strings.Contains(string(text), "`"+name) && !strings.Contains(string(text), "`skald "+name) && name != "help" {
			t.Errorf("docs/commands.md does not name the command %s", name)
		}
	}
}
