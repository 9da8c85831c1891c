package manifest

import "encoding/json"

// The description of a program in the format of Futhark's C libraries.
type (
	jsonProgram struct {
		Backend string               `json:"backend"`
		Version string               `json:"version"`
		Entries map[string]jsonEntry `json:"entry_points"`
		Types   map[string]jsonType  `json:"types"`
	}
	jsonEntry struct {
		CFun   string      `json:"cfun"`
		Tuning []string    `json:"tuning_params"`
		Attrs  []string    `json:"attributes"`
		Output jsonValue   `json:"output"`
		Inputs []jsonInput `json:"inputs"`
		Doc    string      `json:"doc,omitempty"`
	}
	jsonValue struct {
		Type   string `json:"type"`
		Unique bool   `json:"unique"`
	}
	jsonInput struct {
		Name   string `json:"name"`
		Type   string `json:"type"`
		Unique bool   `json:"unique"`
	}
	jsonType struct {
		Kind        string            `json:"kind"`
		CType       string            `json:"ctype"`
		Rank        int               `json:"rank,omitempty"`
		Elem        string            `json:"elemtype,omitempty"`
		Ops         map[string]string `json:"ops"`
		Record      *jsonRecord       `json:"record,omitempty"`
		Sum         *jsonSum          `json:"sum,omitempty"`
		RecordArray *jsonArray        `json:"record_array,omitempty"`
		OpaqueArray *jsonArray        `json:"opaque_array,omitempty"`
	}
	jsonRecord struct {
		New    string      `json:"new"`
		Fields []jsonField `json:"fields"`
	}
	jsonField struct {
		Name    string `json:"name"`
		Type    string `json:"type"`
		Project string `json:"project"`
	}
	jsonSum struct {
		Variant  string        `json:"variant"`
		Variants []jsonVariant `json:"variants"`
	}
	jsonVariant struct {
		Name      string   `json:"name"`
		Construct string   `json:"construct"`
		Destruct  string   `json:"destruct"`
		Payload   []string `json:"payload"`
	}
	jsonArray struct {
		Rank   int         `json:"rank"`
		Elem   string      `json:"elemtype"`
		Index  string      `json:"index"`
		Shape  string      `json:"shape"`
		New    string      `json:"new"`
		Set    string      `json:"set"`
		Zip    string      `json:"zip,omitempty"`
		Fields []jsonField `json:"fields,omitempty"`
	}
)

// JSON describes the program in the format of Futhark's C libraries. backend and version say what compiled it.
func (p *Program) JSON(backend, version string) ([]byte, error) {
	out := jsonProgram{backend, version, map[string]jsonEntry{}, map[string]jsonType{}}
	for _, e := range p.Entries {
		entry := jsonEntry{
			CFun: e.CFun(), Tuning: append([]string{}, e.Tuning...), Attrs: append([]string{}, e.Attrs...),
			Output: jsonValue{e.Output.Type, e.Output.Unique}, Inputs: []jsonInput{}, Doc: e.Doc,
		}
		for _, in := range e.Inputs {
			entry.Inputs = append(entry.Inputs, jsonInput(in))
		}
		out.Entries[e.Name] = entry
	}
	for _, t := range p.Types {
		out.Types[t.Name] = t.json()
	}
	text, err := json.MarshalIndent(out, "", "  ")
	return append(text, '\n'), err
}

func (t *Type) json() jsonType {
	out := jsonType{Kind: "opaque", CType: t.CType(), Ops: map[string]string{}}
	ops := []string{"free", "store", "restore"}
	switch {
	case t.IsTransparent():
		out.Kind, out.Rank, out.Elem = "array", t.Rank, t.Elem
		ops = []string{"free", "shape", "values", "values_raw", "new", "new_raw", "index"}
	case t.Kind == Record:
		out.Record = &jsonRecord{t.CFun("new"), t.jsonFields()}
	case t.Kind == Sum:
		out.Sum = &jsonSum{Variant: t.CFun("variant")}
		for i, v := range t.Variants {
			out.Sum.Variants = append(out.Sum.Variants,
				jsonVariant{v.Name, t.CVariant("new", i), t.CVariant("destruct", i), append([]string{}, v.Payload...)})
		}
	case t.Kind == Array:
		a := &jsonArray{Rank: t.Rank, Elem: t.Elem, Index: t.CFun("index"), Shape: t.CFun("shape"), New: t.CFun("new"), Set: t.CFun("set")}
		if len(t.Fields) == 0 {
			out.OpaqueArray = a
			break
		}
		a.Zip, a.Fields = t.CFun("zip"), t.jsonFields()
		out.RecordArray = a
	}
	for _, op := range ops {
		out.Ops[op] = t.CFun(op)
	}
	return out
}

func (t *Type) jsonFields() []jsonField {
	out := []jsonField{}
	for i, f := range t.Fields {
		out = append(out, jsonField{f.Name, f.Type, t.CProject(i)})
	}
	return out
}
