package prelude

import "embed"

//go:generate go run ./gen lib

//go:embed lib/*.fut
var lib embed.FS

// File is one source file of the prelude.
type File struct {
	// Name is what diagnostics call the file, and what an import of it would name: "/prelude/soacs.fut".
	Name string
	Text string
}

// order lists the files so that what each is about builds on those before it. Nothing depends on the order but the
// documentation.
var order = []string{"numbers", "integers", "floats", "functional", "zip", "soacs", "array", "ad", "misc"}

// Files returns the sources in the order in which documentation lists them.
func Files() []File {
	files := make([]File, len(order))
	for i, name := range order {
		text, err := lib.ReadFile("lib/" + name + ".fut")
		if err != nil {
			panic("prelude: " + err.Error()) // The file is embedded: only a broken build lacks it.
		}
		files[i] = File{Name: "/prelude/" + name + ".fut", Text: string(text)}
	}
	return files
}
