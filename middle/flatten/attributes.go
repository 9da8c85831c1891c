package flatten

import (
	"slices"

	"skald/middle/core"
)

// Note [Attributes of versions]
//
// Attributes of a construct say which of its versions there are: `sequential` none but a loop in its thread,
// `sequential_inner` the outer one alone, `flattening(only_intra)` the one inside a workgroup alone, where there
// is one, `flattening(no_intra)` not that, `sequential_outer` a loop on the host around kernels, `flattening(no_outer)`
// and `flattening(only_inner)` no outer one. `incremental_flattening(…)` is the older spelling of `flattening(…)`.

// versionAttr is what an attribute says of versions, by the ways to write it.
type versionAttr []core.Attr

var (
	attrSequential      = versionAttr{"sequential"}
	attrSequentialInner = versionAttr{"sequential_inner"}
	attrSequentialOuter = versionAttr{"sequential_outer"}
	attrNoOuter         = versionAttr{"flattening(no_outer)", "incremental_flattening(no_outer)"}
	attrOnlyIntra       = versionAttr{"flattening(only_intra)", "incremental_flattening(only_intra)"}
	attrNoIntra         = versionAttr{"flattening(no_intra)", "incremental_flattening(no_intra)"}
	attrInner           = versionAttr{"flattening(only_inner)", "incremental_flattening(only_inner)"}
)

// in reports whether an attribute is among those.
func (a versionAttr) in(attrs []core.Attr) bool {
	return slices.ContainsFunc(attrs, func(x core.Attr) bool { return slices.Contains(a, x) })
}

// only reports whether the statement being flattened has an attribute: see Note [Attributes of versions].
func (f *flattener) only(a versionAttr) bool { return a.in(f.Attrs) }
