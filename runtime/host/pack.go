package host

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"skald/middle/imp"
	"skald/runtime/device"
)

// Note [Packed arrays]
// ~~~~~~~~~~~~~~~~~~~~
// A kernel with more arrays than a device binds gets some of them as one buffer, and for each where it begins there: a parameter more
// (Note [Words of buffers] of package imp). These arrays lie in one arena (Note [Arenas]), which is bound whole, so nothing is moved, and
// launches on other arrays of it bind the same. All arrays of the launch that lie in that arena are among them, since bindings of one
// launch must not overlap. The arenas with the most arrays are bound whole first, and no more of them than must be: an array that is
// bound by itself keeps its type and its vectors, and its accesses are not atomic because those of a neighbour are.
//
// The usual form of a kernel, which is printed and kept before anybody knows where arrays lie, is for one arena for each size of
// elements. Programs whose arrays fill more meet launches whose arrays lie otherwise; these have forms of their own.
//
// Where a launch's arrays lie in more arenas than the device binds, some are copied: Note [Gathered arrays].

// packing says which global arrays of a kernel are bound as one: entry i is the first array of the group of array i.
type packing []int

// arrayPlace is where an array of a launch lies, as far as packing goes by it.
type arrayPlace struct {
	home  device.Buffer // the buffer
	class int           // of elements, by their size
	needs int           // bindings, if it is bound by itself
}

// pack chooses which arrays are bound as one, so that there are no more than most bindings, or as few as can be. It is nil if all are bound
// by themselves. See Note [Packed arrays].
func pack(arrays []arrayPlace, most int) packing {
	needs := 0
	into, members := make(packing, len(arrays)), make([]int, len(arrays))
	var homes []int // the first array of each
	for i, a := range arrays {
		needs += a.needs
		into[i] = slices.IndexFunc(arrays, func(b arrayPlace) bool { return b.home == a.home && b.class == a.class })
		if members[into[i]]++; into[i] == i {
			homes = append(homes, i)
		}
	}
	slices.SortStableFunc(homes, func(a, b int) int { return cmp.Compare(members[b], members[a]) })
	whole := make([]bool, len(arrays))
	packs := false
	for _, h := range homes {
		if needs > most && members[h] > 1 {
			whole[h], packs = true, true
			needs -= members[h] - 1
		}
	}
	if !packs {
		return nil
	}
	for i, first := range into {
		if !whole[first] {
			into[i] = i
		}
	}
	return into
}

// usualPlaces are where the arrays of a kernel lie if there is one arena for each size of elements.
func usualPlaces(k *imp.Kernel) []arrayPlace {
	out := make([]arrayPlace, k.Globals())
	for i := range out {
		out[i] = arrayPlace{class: class(k.Mems[i].Elem), needs: 1}
	}
	return out
}

// mostBindings is how many arrays and groups of arrays a kernel may have: the failure buffer takes a binding, too.
func mostBindings(k *imp.Kernel, f *device.Facts) int {
	switch {
	case f.MaxBindings == 0:
		return math.MaxInt
	case k.Guarded || k.HasAssert():
		return f.MaxBindings - 1
	}
	return f.MaxBindings
}

// Packed is a form of a kernel that programs use on a device: one with no more bindings than the device has, if that can be, and with the
// largest room, where text has the sizes of arrays.
func Packed(k *imp.Kernel, f *device.Facts) *imp.Kernel {
	if !f.SizesAtLaunch {
		k = imp.LargestRoom(k)
	}
	return inPacking(k, usualPacking(k, f))
}

func usualPacking(k *imp.Kernel, f *device.Facts) packing {
	return pack(usualPlaces(k), mostBindings(k, f))
}

func inPacking(k *imp.Kernel, into packing) *imp.Kernel {
	if into == nil {
		return k
	}
	return imp.PackMems(k, into)
}

// shared says of each of n arrays whether it is bound with others.
func (p packing) shared(n int) []bool {
	out := make([]bool, n)
	for i, first := range p {
		if i != first {
			out[i], out[first] = true, true
		}
	}
	return out
}

// bind makes the bindings of a launch on arrays that lie in own, and appends to the arguments where those begin that are bound as one.
func (k *kernel) bind(own []device.Binding, args []uint64) ([]device.Binding, []uint64) {
	if k.into == nil {
		return own, args
	}
	var bindings []device.Binding
	args = slices.Clone(args)
	for i, b := range own {
		switch {
		case !k.shared[i]:
			bindings = append(bindings, b)
			continue
		case k.into[i] == i:
			bindings = append(bindings, device.Binding{Buffer: b.Buffer, Size: b.Buffer.Size()})
		}
		args = append(args, uint64(b.Offset/int64(k.mems[i].Elem.Size())))
	}
	return bindings, args
}

// suits reports whether arrays that lie in own can be bound as one as k has them: each group lies in one buffer, and no other array does.
// Needs is how many bindings they take then.
func (p *Program) suits(k *kernel, own []device.Binding) (needs int, ok bool) {
	for i, b := range own {
		if !k.shared[i] || k.into[i] == i {
			needs += p.chunksOf(b.Size)
		}
		for j, other := range own {
			together := k.shared[i] && k.shared[j] && k.into[i] == k.into[j]
			if (k.shared[i] || k.shared[j]) && together != (b.Buffer == other.Buffer) {
				return 0, false
			}
		}
	}
	return needs, needs <= k.most
}

// packed is the form of a kernel for a launch on arrays that lie in own. It need not suit them: its bindings may be too many.
func (p *Program) packed(k *kernel, own []device.Binding) (*kernel, error) {
	if _, ok := p.suits(k, own); ok {
		return k, nil
	}
	places := make([]arrayPlace, len(own))
	for i, b := range own {
		places[i] = arrayPlace{home: b.Buffer, class: class(k.mems[i].Elem), needs: p.chunksOf(b.Size)}
	}
	into := pack(places, k.most)
	key := k.key
	key.packing = fmt.Sprint(into)
	other := p.form(key, k.alias, k.room)
	if other.code != nil {
		return other, nil
	}
	other.into = into
	return other, p.declare(other)
}
