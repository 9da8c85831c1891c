package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"
	"sync"

	"skald/middle/imp"
	"skald/runtime/prim"
)

// variants are the nodes; the place of one in this list is what stands for it.
var variants = []any{
	&imp.Const{}, &imp.VarExp{}, &imp.Un{}, &imp.Bin{}, &imp.Cmp{}, &imp.Conv{}, &imp.CallFunc{}, &imp.Select{}, &imp.Load{}, &imp.Id{},
	&imp.Let{}, &imp.Set{}, &imp.If{}, &imp.For{}, &imp.While{}, &imp.Assert{}, &imp.Comment{},
	&imp.Store{}, &imp.LoadVec{}, &imp.StoreVec{}, &imp.Barrier{}, &imp.Atomic{}, &imp.AtomicUpdate{}, &imp.Subgroup{}, &imp.Invoke{},
	&imp.UniformLoad{}, &imp.SubgroupUpdate{},
	&imp.Alloc{}, &imp.Free{}, &imp.Copy{}, &imp.Fill{}, &imp.Data{}, &imp.ReadScalar{}, &imp.WriteScalar{}, &imp.Launch{},
	&imp.GetConst{}, &imp.GetTune{}, &imp.Call{}, &imp.Trace{},
}

// errDamaged says that bytes are not what Encode writes.
var errDamaged = errors.New("the kept program is damaged")

// coder writes and reads values of one type.
type coder struct {
	write func(w *writer, v reflect.Value)
	read  func(r *reader, v reflect.Value)
}

// writer is a part that is written.
type writer struct {
	out     []byte
	strings map[string]int
	funs    map[*imp.DeviceFunction]int // their numbers
	shape   bool                        // strings and sites do not matter
}

// reader is a part that is read. After an error it reads zeros.
type reader struct {
	in      []byte
	strings []string
	fun     func(n int) (*imp.DeviceFunction, error)
	depth   int
	err     error
}

// maxDepth bounds how deep nodes may nest, so that damaged bytes cannot exhaust the stack.
const maxDepth = 100_000

func (w *writer) number(n uint64) { w.out = binary.AppendUvarint(w.out, n) }

func (r *reader) number() uint64 {
	n, size := binary.Uvarint(r.in)
	if size <= 0 {
		r.fail()
		return 0
	}
	r.in = r.in[size:]
	return n
}

func (r *reader) fail() {
	r.in = nil
	if r.err == nil {
		r.err = errDamaged
	}
}

// length reads the length of a list, whose elements take a byte each at least.
func (r *reader) length() int {
	n := r.number()
	if n > uint64(len(r.in)) {
		r.fail()
		return 0
	}
	return int(n)
}

func (r *reader) bytes() []byte {
	n := r.length()
	b := r.in[:n]
	r.in = r.in[n:]
	return b
}

func (w *writer) bytes(b []byte) {
	w.number(uint64(len(b)))
	w.out = append(w.out, b...)
}

// string writes 0 and the string itself, or the number, from 1, of one that came before.
func (w *writer) string(s string) {
	if w.shape {
		return
	}
	n := w.strings[s]
	w.number(uint64(n))
	if n == 0 {
		w.bytes([]byte(s))
		w.strings[s] = len(w.strings) + 1
	}
}

func (r *reader) string() string {
	n := r.number()
	switch {
	case n == 0:
		r.strings = append(r.strings, string(r.bytes()))
		return r.strings[len(r.strings)-1]
	case n > uint64(len(r.strings)):
		r.fail()
		return ""
	}
	return r.strings[n-1]
}

var (
	typeValue    = reflect.TypeFor[prim.Value]()
	typeFunction = reflect.TypeFor[*imp.DeviceFunction]()
	typeBytes    = reflect.TypeFor[[]byte]()
	typeSite     = reflect.TypeFor[imp.SiteID]()
)

// tables are made once, by type.
type tables struct {
	mu     sync.Mutex
	coders map[reflect.Type]*coder
	tags   map[reflect.Type]int
	nodes  []reflect.Type
}

var shared = func() *tables {
	t := &tables{coders: map[reflect.Type]*coder{}, tags: map[reflect.Type]int{}}
	for i, v := range variants {
		t.tags[reflect.TypeOf(v)] = i
		t.nodes = append(t.nodes, reflect.TypeOf(v))
	}
	return t
}()

// coderOf returns the coder of a type.
func coderOf(t reflect.Type) *coder {
	shared.mu.Lock()
	defer shared.mu.Unlock()
	return shared.of(t)
}

// of returns the coder of a type, and makes it if it is new. Types that contain themselves find it before it is filled in.
func (t *tables) of(typ reflect.Type) *coder {
	if c := t.coders[typ]; c != nil {
		return c
	}
	c := &coder{}
	t.coders[typ] = c
	switch {
	case typ == typeValue:
		*c = coder{writeValue, readValue}
	case typ == typeFunction:
		*c = coder{writeFunction, readFunction}
	case typ == typeBytes:
		*c = coder{
			func(w *writer, v reflect.Value) { w.bytes(v.Bytes()) },
			func(r *reader, v reflect.Value) { v.SetBytes(append([]byte(nil), r.bytes()...)) },
		}
	default:
		*c = t.make(typ)
	}
	if typ == typeSite {
		number := c.write
		c.write = func(w *writer, v reflect.Value) {
			if !w.shape {
				number(w, v)
			}
		}
	}
	return c
}

// make makes the coder of a type by its kind.
func (t *tables) make(typ reflect.Type) coder {
	switch typ.Kind() { //nolint:exhaustive // nodes have no others
	case reflect.Bool:
		return coder{
			func(w *writer, v reflect.Value) {
				n := uint64(0)
				if v.Bool() {
					n = 1
				}
				w.number(n)
			},
			func(r *reader, v reflect.Value) { v.SetBool(r.number() == 1) },
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return coder{
			func(w *writer, v reflect.Value) { w.out = binary.AppendVarint(w.out, v.Int()) },
			func(r *reader, v reflect.Value) {
				n := r.number()
				v.SetInt(int64(n>>1) ^ -int64(n&1))
			},
		}
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return coder{
			func(w *writer, v reflect.Value) { w.number(v.Uint()) },
			func(r *reader, v reflect.Value) { v.SetUint(r.number()) },
		}
	case reflect.String:
		return coder{
			func(w *writer, v reflect.Value) { w.string(v.String()) },
			func(r *reader, v reflect.Value) { v.SetString(r.string()) },
		}
	case reflect.Slice:
		return t.slice(typ)
	case reflect.Struct:
		return t.structure(typ)
	case reflect.Pointer:
		return t.pointer(typ)
	case reflect.Interface:
		return t.node(typ)
	default:
		panic(fmt.Sprintf("wire: %v has no binary form", typ))
	}
}

func (t *tables) slice(typ reflect.Type) coder {
	elem := t.of(typ.Elem())
	return coder{
		func(w *writer, v reflect.Value) {
			n := v.Len()
			w.number(uint64(n))
			for i := range n {
				elem.write(w, v.Index(i))
			}
		},
		func(r *reader, v reflect.Value) {
			n := r.length()
			if n == 0 {
				return
			}
			v.Set(reflect.MakeSlice(typ, n, n))
			for i := 0; i < n && r.err == nil; i++ {
				elem.read(r, v.Index(i))
			}
		},
	}
}

func (t *tables) structure(typ reflect.Type) coder {
	fields := make([]*coder, typ.NumField())
	for i := range fields {
		if f := typ.Field(i); !f.IsExported() {
			panic(fmt.Sprintf("wire: field %s of %v has no binary form", f.Name, typ))
		}
		fields[i] = t.of(typ.Field(i).Type)
	}
	return coder{
		func(w *writer, v reflect.Value) {
			for i, f := range fields {
				f.write(w, v.Field(i))
			}
		},
		func(r *reader, v reflect.Value) {
			for i, f := range fields {
				f.read(r, v.Field(i))
			}
		},
	}
}

// pointer writes what a pointer points to, which is never nil but for device functions.
func (t *tables) pointer(typ reflect.Type) coder {
	elem := t.of(typ.Elem())
	return coder{
		func(w *writer, v reflect.Value) { elem.write(w, v.Elem()) },
		func(r *reader, v reflect.Value) {
			v.Set(reflect.New(typ.Elem()))
			elem.read(r, v.Elem())
		},
	}
}

// node writes zero for none, or the number of the variant, from 1, and its parts.
func (t *tables) node(typ reflect.Type) coder {
	parts := make([]*coder, len(t.nodes))
	for i, n := range t.nodes {
		if n.Implements(typ) {
			parts[i] = t.of(n.Elem())
		}
	}
	set := setterOf(typ)
	return coder{
		func(w *writer, v reflect.Value) {
			if v.IsNil() {
				w.number(0)
				return
			}
			tag, ok := t.tags[v.Elem().Type()]
			if !ok {
				panic(fmt.Sprintf("wire: node %v is not in the table of variants", v.Elem().Type()))
			}
			w.number(uint64(tag) + 1)
			parts[tag].write(w, v.Elem().Elem())
		},
		func(r *reader, v reflect.Value) {
			n := r.number()
			if n == 0 {
				return
			}
			if r.depth++; n > uint64(len(parts)) || parts[n-1] == nil || r.depth > maxDepth {
				r.fail()
				return
			}
			p := reflect.New(t.nodes[n-1].Elem())
			parts[n-1].read(r, p.Elem())
			set(v, p)
			r.depth--
		},
	}
}

// setterOf returns what assigns a node to a variable of an interface type. Reflection compares the methods of both each time, which was
// half of the time of reading a program; the two interfaces of nodes are assigned by the language.
func setterOf(typ reflect.Type) func(v, node reflect.Value) {
	switch typ {
	case reflect.TypeFor[imp.Exp]():
		return assign[imp.Exp]
	case reflect.TypeFor[imp.Stm]():
		return assign[imp.Stm]
	}
	return reflect.Value.Set
}

// assign assigns a node that implements T to a variable of type T.
func assign[T any](v, node reflect.Value) { *v.Addr().Interface().(*T) = node.Interface().(T) }

// writeValue writes a primitive value: its type and its bits.
func writeValue(w *writer, v reflect.Value) {
	x := v.Interface().(prim.Value)
	w.number(uint64(x.Type()))
	w.number(x.Word())
}

func readValue(r *reader, v reflect.Value) {
	t, word := r.number(), r.number()
	if t >= uint64(prim.NumTypes) {
		r.fail()
		return
	}
	*v.Addr().Interface().(*prim.Value) = prim.FromWord(prim.Type(t), word)
}

// writeFunction writes the number of a device function.
func writeFunction(w *writer, v reflect.Value) {
	w.number(uint64(w.funs[v.Interface().(*imp.DeviceFunction)]))
}

func readFunction(r *reader, v reflect.Value) {
	n := r.number()
	if n > uint64(maxDepth) || r.err != nil {
		r.fail()
		return
	}
	f, err := r.fun(int(n))
	if err != nil {
		r.fail()
		return
	}
	v.Set(reflect.ValueOf(f))
}
