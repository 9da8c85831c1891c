package check

import "skald/frontend/diag"

// codeNamed returns the documented code of that name. A name that is missing from the tables is a mistake of ours,
// which a test finds.
func codeNamed(id string) *diag.Code {
	if c := codes[id]; c != nil {
		return c
	}
	return undocumented
}

var undocumented = diag.Declare(diag.Code{
	ID: "undocumented", Severity: diag.Internal,
	Doc: "The checker reported something under a name that it does not document.",
})

var codes = declareCodes()

func declareCodes() map[string]*diag.Code {
	m := map[string]*diag.Code{}
	for _, table := range [][]diag.Code{
		nameCodes, typeCodes, sizeCodes, moduleCodes, definitionCodes,
		consumptionCodes, warningCodes,
	} {
		for _, c := range table {
			m[c.ID] = diag.Declare(c)
		}
	}
	return m
}
