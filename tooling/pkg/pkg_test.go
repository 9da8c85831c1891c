package pkg_test

import (
	"strings"
	"testing"

	"skald/tooling/pkg"
)

func TestManifestsKeepTheirComments(t *testing.T) {
	text := `-- about
package github.com/a/b

-- needs
require {
  -- first
  github.com/x/y 1.2.3 #0123abc
  github.com/x/y@2 2.0.0
  github.com/x/z 0.0.0-20260101000000+abc
}
-- end
`
	m, err := pkg.ParseManifest("futhark.pkg", text)
	if err != nil {
		t.Fatal(err)
	}
	if got := m.String(); got != text {
		t.Errorf("got\n%s\nwant\n%s", got, text)
	}
	if n := len(m.Requirements()); n != 3 {
		t.Errorf("%d requirements", n)
	}
	same, err := pkg.ParseManifest("futhark.pkg", "package a.b/c/ require{a.b/d/ 1.0.0}")
	if err != nil || same.Path != "a.b/c" || len(same.Requirements()) != 1 || same.Find("a.b/d") != 0 {
		t.Errorf("%+v, %v", same, err)
	}
}

func TestMalformedManifestsAreRefusedWithTheirLine(t *testing.T) {
	for text, want := range map[string]string{
		"package\n":                                 "f:2: after `package`",
		"package a/../b\n":                          `the part ".."`,
		"require\n":                                 "f:2: after `require`",
		"require {\n  a/b 1.0.0\n":                  "f:3: the } ",
		"require {\n  a/b\n  c/d 1.0.0\n}":          "f:2: the version of a/b is missing",
		"require {\n  a/b 1.0\n}":                   `f:2: "1.0" is not a version`,
		"require {\n  a/b 1.0.0 #\n}":               "f:2: after #",
		"require {\n a/b 1.0.0\n a/b 1.0.1\n}":      "f:3: a/b is required twice",
		"require {}\nrequire {}":                    "f:2: \"require\" is not expected",
		"\x00":                                      "is not expected",
		"require { https://example.org/a 1.0.0 }":   "without https://",
		"require { a/b 1.0.0 } package example.org": "is not expected",
	} {
		if _, err := pkg.ParseManifest("f", text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
}

func TestVersionsAreOrdered(t *testing.T) {
	order := []pkg.Version{
		"0.0.0-20200101000000+ffff", "0.0.0-20210101000000+0000", "0.0.1", "0.2.0", "0.10.0", "1.0.0-rc1", "1.0.0", "1.0.1",
	}
	for i, a := range order {
		for j, b := range order {
			if a.Less(b) != (i < j) {
				t.Errorf("%s < %s is %v", a, b, a.Less(b))
			}
		}
	}
}

func FuzzManifest(f *testing.F) {
	f.Add("package a.b/c\nrequire { x/y 1.0.0 #ab }\n-- end")
	f.Fuzz(func(t *testing.T, text string) {
		m, err := pkg.ParseManifest("f", text)
		if err != nil {
			return
		}
		again, err := pkg.ParseManifest("f", m.String())
		if err != nil || again.String() != m.String() {
			t.Errorf("%q is printed as %q, which is read as %v, %v", text, m.String(), again, err)
		}
	})
}
