package host

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"skald/runtime/device"
	"skald/runtime/prim"
)

// Blocks of arenas do not overlap, lie where devices can bind them, and leave nothing behind; a call that is made again gets
// the same blocks.
func TestBlocksOfArenas(t *testing.T) {
	facts := device.NullFacts()
	facts.MaxBindingSize = 1 << 16
	dev := device.NewRecorder(facts)
	dev.Quiet = true
	a := &arenas{dev: dev, most: facts.MaxBindingSize}
	types := []prim.Type{prim.I8, prim.F16, prim.F32, prim.I64}
	var live []device.Binding
	var places [2][]int64
	for round := range 2 {
		random := rand.New(rand.NewPCG(1, 2))
		for range 2000 {
			if len(live) > 0 && random.IntN(5) < 2 {
				i := random.IntN(len(live))
				a.release(live[i])
				live = append(live[:i], live[i+1:]...)
				continue
			}
			n := int64(random.IntN(1<<12) + 1)
			b, err := a.alloc(types[random.IntN(len(types))], n)
			if err != nil {
				t.Fatal(err)
			}
			if b.Offset%arenaAlign != 0 || b.Size != n || b.Offset+n > b.Buffer.Size() {
				t.Fatalf("%d bytes lie at %d of %d", b.Size, b.Offset, b.Buffer.Size())
			}
			for _, o := range live {
				if o.Buffer == b.Buffer && o.Offset < b.Offset+n && b.Offset < o.Offset+o.Size {
					t.Fatalf("bytes %d to %d are two blocks'", b.Offset, b.Offset+n)
				}
			}
			live = append(live, b)
			places[round] = append(places[round], b.Offset)
		}
		for _, b := range live {
			a.release(b)
		}
		live = nil
		if n := dev.Stats().InUse; n != 0 {
			t.Fatalf("%d bytes stay in use", n)
		}
	}
	if !slices.Equal(places[0], places[1]) {
		t.Error("the same calls get other blocks")
	}
}

// Arrays of one size of element share an arena; those of another have another.
func TestArenasHoldOneSizeOfElements(t *testing.T) {
	dev := device.NewRecorder(device.NullFacts())
	dev.Quiet = true
	a := &arenas{dev: dev, most: 1 << 20}
	buffers := map[device.Buffer]int{}
	for _, elem := range []prim.Type{prim.I8, prim.Bool, prim.I16, prim.F16, prim.I32, prim.F32, prim.I64, prim.F64} {
		b, err := a.alloc(elem, 100)
		if err != nil {
			t.Fatal(err)
		}
		buffers[b.Buffer] += elem.Size()
	}
	if len(buffers) != 4 {
		t.Errorf("%d arenas for four sizes", len(buffers))
	}
	for b, sizes := range buffers {
		if sizes%2 != 0 || sizes&(sizes-1) != 0 {
			t.Errorf("arena %v holds elements of several sizes", b)
		}
	}
}

// What is bound whole is what has the most arrays, no more than must be, and never one array alone.
func TestArraysAreBoundAsOneWhereTheyMust(t *testing.T) {
	one, two := device.Buffer(&struct{ device.Buffer }{}), device.Buffer(&struct{ device.Buffer }{})
	words, longs := arrayPlace{class: 2, needs: 1}, arrayPlace{class: 3, needs: 1}
	in := func(b device.Buffer) arrayPlace { return arrayPlace{home: b, class: 2, needs: 1} }
	large := arrayPlace{home: two, class: 2, needs: 3}
	for _, c := range []struct {
		name   string
		arrays []arrayPlace
		most   int
		want   string
	}{
		{"enough bindings", []arrayPlace{words, words, longs}, 3, "[]"},
		{"one group is enough", []arrayPlace{longs, words, words, longs, words}, 3, "[0 1 1 3 1]"},
		{"both must be", []arrayPlace{longs, words, words, longs, words}, 2, "[0 1 1 0 1]"},
		{"as few as can be", []arrayPlace{longs, words, words}, 1, "[0 1 1]"},
		{"by buffers", []arrayPlace{in(one), in(two), in(one), in(two), in(two)}, 3, "[0 1 2 1 1]"},
		{"a large array takes several", []arrayPlace{in(one), large, in(one)}, 4, "[0 1 0]"},
		{"a large array stays alone", []arrayPlace{large}, 2, "[]"},
	} {
		if got := pack(c.arrays, c.most); fmt.Sprint(got) != c.want {
			t.Errorf("%s: %v, want %s", c.name, got, c.want)
		}
	}
}
