package consume

import (
	"fmt"
	"sort"

	"skald/frontend/types"
)

// alias is a variable, or a part of one, that a value may share memory with.
type alias struct {
	sym  *types.Symbol
	path string
	free bool // the variable has left its scope
}

// set is a set of aliases; sets are not modified once made.
type set map[alias]bool

func (s set) union(o set) set {
	if len(o) == 0 {
		return s
	}
	if len(s) == 0 {
		return o
	}
	out := make(set, len(s)+len(o))
	for a := range s {
		out[a] = true
	}
	for a := range o {
		out[a] = true
	}
	return out
}

func (s set) intersects(o set) bool {
	for a := range s {
		if o[a] {
			return true
		}
	}
	return false
}

// sorted lists the aliases in the order in which their variables were made, for messages.
func (s set) sorted() []alias {
	out := make([]alias, 0, len(s))
	for a := range s {
		out = append(out, a)
	}
	sort.Slice(out, func(i, j int) bool {
		if out[i].sym != out[j].sym {
			return out[i].sym.ID < out[j].sym.ID
		}
		return out[i].path < out[j].path
	})
	return out
}

// value is the aliases of a value; see Note [Aliases].
type value struct {
	typ    types.Type
	als    set      // of what is neither record nor sum
	fields []*value // of a record, as in typ
	ctors  [][]*value
}

// build makes the aliases of a value of type t, with those of its leaves from f.
func build(t types.Type, path string, f func(t types.Type, path string) set) *value {
	t = types.Force(t)
	v := &value{typ: t}
	switch t := t.(type) { //nolint:gochecksumtype // the other variants do not get here, or are handled by the caller
	case *types.Prim:
	case *types.Record:
		for _, field := range t.Fields {
			v.fields = append(v.fields, build(field.Type, path+"."+field.Name, f))
		}
	case *types.Sum:
		for _, c := range t.Ctors {
			args := make([]*value, len(c.Args))
			for i, a := range c.Args {
				args[i] = build(a, path, f)
			}
			v.ctors = append(v.ctors, args)
		}
	case *types.Array, *types.Arrow, *types.Var, *types.Con:
		v.als = f(t, path)
	default:
		panic(fmt.Sprintf("consume.build: %T", t))
	}
	return v
}

// noAliases is a fresh value of type t.
func noAliases(t types.Type) *value { return withAliases(t, nil) }

// withAliases is a value of type t each part of which has aliases als.
func withAliases(t types.Type, als set) *value {
	return build(t, "", func(types.Type, string) set { return als })
}

// mapSets applies f to the aliases of each part.
func (v *value) mapSets(f func(set) set) *value {
	out := &value{typ: v.typ, als: v.als}
	if len(v.als) > 0 {
		out.als = f(v.als)
	}
	for _, x := range v.fields {
		out.fields = append(out.fields, x.mapSets(f))
	}
	for _, args := range v.ctors {
		list := make([]*value, len(args))
		for i, x := range args {
			list[i] = x.mapSets(f)
		}
		out.ctors = append(out.ctors, list)
	}
	return out
}

// self adds sym to the aliases of its own value v.
func self(sym *types.Symbol, v *value) *value { return v.self(sym, "") }

func (v *value) self(sym *types.Symbol, path string) *value {
	out := &value{typ: v.typ}
	switch t := v.typ.(type) {
	case *types.Prim:
	case *types.Record:
		for i, f := range t.Fields {
			out.fields = append(out.fields, v.fields[i].self(sym, path+"."+f.Name))
		}
	case *types.Sum:
		for _, args := range v.ctors {
			list := make([]*value, len(args))
			for i, x := range args {
				list[i] = x.self(sym, path)
			}
			out.ctors = append(out.ctors, list)
		}
	default:
		out.als = v.als.union(set{{sym: sym, path: path}: true})
	}
	return out
}

// all is the union of the aliases of all parts.
func (v *value) all() set {
	out := v.als
	for _, x := range v.fields {
		out = out.union(x.all())
	}
	for _, args := range v.ctors {
		for _, x := range args {
			out = out.union(x.all())
		}
	}
	return out
}

// arrays is the union of the aliases of all parts that are not functions.
func (v *value) arrays() set {
	if _, ok := v.typ.(*types.Arrow); ok {
		return nil
	}
	out := v.als
	for _, x := range v.fields {
		out = out.union(x.arrays())
	}
	for _, args := range v.ctors {
		for _, x := range args {
			out = out.union(x.arrays())
		}
	}
	return out
}

// parts lists the aliases of the fields of records, at every depth.
func (v *value) parts() []set {
	if _, ok := v.typ.(*types.Record); !ok {
		return []set{v.all()}
	}
	var out []set
	for _, x := range v.fields {
		out = append(out, x.parts()...)
	}
	return out
}

// combine is the aliases of a value that is v or w.
func combine(v, w *value) *value {
	switch {
	case v.fields != nil && len(v.fields) == len(w.fields):
		out := &value{typ: v.typ}
		for i := range v.fields {
			out.fields = append(out.fields, combine(v.fields[i], w.fields[i]))
		}
		return out
	case v.ctors != nil && len(v.ctors) == len(w.ctors):
		out := &value{typ: v.typ}
		for i := range v.ctors {
			args := make([]*value, len(v.ctors[i]))
			for j := range args {
				args[j] = combine(v.ctors[i][j], w.ctors[i][j])
			}
			out.ctors = append(out.ctors, args)
		}
		return out
	case v.fields != nil || v.ctors != nil:
		return w.addAll(v.all())
	default:
		return v.addAll(w.all())
	}
}

func (v *value) addAll(s set) *value {
	if len(s) == 0 {
		return v
	}
	if _, ok := v.typ.(*types.Prim); ok {
		return v
	}
	if v.fields == nil && v.ctors == nil {
		return &value{typ: v.typ, als: v.als.union(s)}
	}
	return build(v.typ, "", func(types.Type, string) set { return v.all().union(s) })
}

// retype sets the type of v to t, which has the same shape.
func (v *value) retype(t types.Type) *value {
	out := *v
	out.typ = types.Force(t)
	return &out
}

// consumable reports whether all of a parameter of type t may be consumed.
func consumable(t types.Type) bool {
	switch t := types.Force(t).(type) {
	case *types.Prim:
		return true
	case *types.Record:
		for _, f := range t.Fields {
			if !consumable(f.Type) {
				return false
			}
		}
		return true
	case *types.Sum:
		for _, c := range t.Ctors {
			for _, a := range c.Args {
				if !consumable(a) {
					return false
				}
			}
		}
		return true
	default:
		return types.IsUnique(t)
	}
}
