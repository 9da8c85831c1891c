package c

import (
	"fmt"
	"strings"

	"skald/runtime/manifest"
)

// typ adds the operations of a type.
func (g *generator) typ(t *manifest.Type) {
	name := "struct futhark_" + t.CName()
	g.structs.WriteString(name + ";\n")
	value := []param{{name + " *", "obj"}}
	g.function("int", t.CFun("free"), value, "  return skald_free(ctx, obj);\n")
	if t.IsTransparent() {
		g.array(t)
		return
	}
	g.opaque(t)
	switch t.Kind {
	case manifest.Record:
		g.record(t)
	case manifest.Sum:
		g.sum(t)
	case manifest.Array:
		g.opaqueArray(t)
	case manifest.Primitive, manifest.Opaque:
	}
}

// extents are the parameters for the sizes of an array, or for indices.
func extents(base string, rank int) (params []param, names []string) {
	for i := range rank {
		names = append(names, fmt.Sprintf("%s%d", base, i))
		params = append(params, param{"int64_t", names[i]})
	}
	return params, names
}

// array adds the operations of arrays of scalars.
func (g *generator) array(t *manifest.Type) {
	elem := manifest.CScalar(t.Elem)
	dims, names := extents("dim", t.Rank)
	g.function(t.CType(), t.CFun("new"), append([]param{{"const " + elem + " *", "data"}}, dims...), fmt.Sprintf(
		"  const int64_t shape[] = {%s};\n  return skald_new_array(ctx, %s, %s, %d, shape, data);\n",
		strings.Join(names, ", "), quote(t.Name), quote(t.Elem), t.Rank))
	var unused strings.Builder
	for _, name := range append([]string{"data"}, names...) {
		unused.WriteString("  (void)" + name + ";\n")
	}
	unused.WriteString("  return skald_no_raw(ctx);\n")
	g.function(t.CType(), t.CFun("new_raw"), append([]param{{"unsigned char *", "data"}}, dims...), unused.String())
	g.function("int", t.CFun("values"), []param{{t.CType(), "arr"}, {elem + " *", "data"}}, "  return skald_values(ctx, arr, data);\n")
	g.function("unsigned char *", t.CFun("values_raw"), []param{{t.CType(), "arr"}}, "  (void)arr;\n  return skald_no_raw(ctx);\n")
	g.shape(t)
	indices, at := extents("i", t.Rank)
	g.function("int", t.CFun("index"), append([]param{{elem + " *", "out"}, {t.CType(), "arr"}}, indices...), operation{
		head: "index", outs: []result{{g.Program.Type(t.Elem), "out"}}, ins: []operand{{t, "arr"}}, numbers: at,
	}.do())
}

func (g *generator) shape(t *manifest.Type) {
	g.function("const int64_t *", t.CFun("shape"), []param{{t.CType(), "arr"}}, "  return skald_shape(ctx, arr);\n")
}

// opaque adds the operations that all types have but arrays of scalars.
func (g *generator) opaque(t *manifest.Type) {
	g.function("int", t.CFun("store"), []param{{in(t), "obj"}, {"void **", "p"}, {"size_t *", "n"}},
		"  return skald_store_opaque(ctx, obj, p, n);\n")
	g.function(t.CType(), t.CFun("restore"), []param{{"const void *", "p"}}, fmt.Sprintf(
		"  return skald_restore_opaque(ctx, p, %s, %d, %d);\n", quote(t.Name), t.Rank, len(t.Parts)))
}

// record adds the operations of records.
func (g *generator) record(t *manifest.Type) {
	g.fromFields(t, "new")
	g.projections(t)
}

// fromFields adds the operation that makes a value of type t, a record or an array of records, of one value for each field.
func (g *generator) fromFields(t *manifest.Type, head string) {
	op := operation{head: head, middle: " " + word(t.Name), outs: []result{{t, "out"}}}
	params := []param{{out(t), "out"}}
	for i, f := range t.Fields {
		params = append(params, op.operand(g.Program.Type(f.Type), fmt.Sprintf("f_%d", i)))
	}
	g.function("int", t.CFun(head), params, op.do())
}

// projections adds the projections of a record, or of an array of records.
func (g *generator) projections(t *manifest.Type) {
	for i, f := range t.Fields {
		ft := g.Program.Type(f.Type)
		g.function("int", t.CProject(i), []param{{out(ft), "out"}, {in(t), "obj"}}, operation{
			head: "project", outs: []result{{ft, "out"}}, ins: []operand{{t, "obj"}}, tail: " " + f.Name,
		}.do())
	}
}

// sum adds the operations of sums.
func (g *generator) sum(t *manifest.Type) {
	var names strings.Builder
	for _, v := range t.Variants {
		names.WriteString(quote(v.Name) + ", ")
	}
	g.function("int", t.CFun("variant"), []param{{in(t), "obj"}}, fmt.Sprintf(
		"  static const char *const names[] = {%sNULL};\n  return skald_variant(ctx, obj, names);\n", names.String()))
	for i, v := range t.Variants {
		made := operation{head: "construct", middle: " " + word(t.Name) + " " + v.Name, outs: []result{{t, "out"}}}
		taken := operation{head: "destruct", last: true, ins: []operand{{t, "obj"}}}
		params, places := []param{{out(t), "out"}}, []param{}
		for j, p := range v.Payload {
			pt := g.Program.Type(p)
			name := fmt.Sprintf("v%d", j)
			params = append(params, made.operand(pt, name))
			places = append(places, param{out(pt), name})
			taken.outs = append(taken.outs, result{pt, name})
		}
		g.function("int", t.CVariant("new", i), params, made.do())
		g.function("int", t.CVariant("destruct", i), append(places, param{in(t), "obj"}), taken.do())
	}
}

// opaqueArray adds the operations of arrays of other values than scalars.
func (g *generator) opaqueArray(t *manifest.Type) {
	elem := g.Program.Type(t.Elem)
	indices, at := extents("i", t.Rank)
	g.function("int", t.CFun("index"), append([]param{{out(elem), "out"}, {t.CType(), "arr"}}, indices...), operation{
		head: "index", outs: []result{{elem, "out"}}, ins: []operand{{t, "arr"}}, numbers: at,
	}.do())
	g.function("int", t.CFun("set"), append([]param{{t.CType(), "arr"}, {in(elem), "elem"}}, indices...), operation{
		head: "set", ins: []operand{{t, "arr"}, {elem, "elem"}}, numbers: at,
	}.do())
	g.shape(t)
	dims, names := extents("dim", t.Rank)
	count := strings.Join(names, " * ")
	g.function("int", t.CFun("new"), append([]param{{out(t), "out"}, {out(elem), "elems"}}, dims...), operation{
		head: "new_array", middle: " " + word(t.Name), outs: []result{{t, "out"}}, numbers: names, numbersFirst: true,
		pre: "  size_t count = (size_t)(" + count + ");\n" +
			"  struct skald_in *ins = calloc(count + 1, sizeof *ins);\n" +
			"  if (ins == NULL) return FUTHARK_OUT_OF_MEMORY;\n" +
			"  for (size_t i = 0; i < count; i++) ins[i].place = elems[i];\n",
		variable: "ins", count: "(int)count",
	}.do())
	if len(t.Fields) == 0 {
		return
	}
	g.fromFields(t, "zip")
	g.projections(t)
}
