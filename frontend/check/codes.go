package check

import "skald/frontend/diag"

// codeNamed returns the documented code of that name.
func codeNamed(id string) *diag.Code {
	if c := codes[id]; c != nil {
		return c
	}
	return codes["other"]
}

// codeTable documents every code of this package and of package sizes.
var codeTable = []diag.Code{
	{ID: "other", Doc: "The program breaks a rule that has no code of its own."},
	{ID: "type-mismatch", Doc: "Two types that must be equal differ.", Example: "def f (x: i32) = x && true"},
}

var codes = declareCodes()

func declareCodes() map[string]*diag.Code {
	m := map[string]*diag.Code{}
	for _, c := range codeTable {
		m[c.ID] = diag.Declare(c)
	}
	return m
}
