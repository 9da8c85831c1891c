package main

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"skald/runtime/device"
	"skald/runtime/prim"
	"skald/shaders"
)

// packedTypes are the types that share a word with their neighbours.
var packedTypes = []prim.Type{prim.I8, prim.U8, prim.Bool, prim.I16, prim.U16, prim.F16}

// threads is how many threads the kernels below have.
const threads = 1024

// launch runs a kernel text that binds words (atomic or not) and values, and returns the words.
func launch(t *testing.T, dev device.Device, uses []string, text string, atomic bool, words, values []uint32) []uint32 {
	t.Helper()
	d := dialectOf(dev.Facts())
	library, err := shaders.Library(d, uses)
	if err != nil {
		t.Fatal(err)
	}
	source := ""
	if d.Float16 {
		source = "enable f16;\n"
	}
	element := "u32"
	if atomic {
		element = "atomic<u32>"
	}
	source += library + fmt.Sprintf(`@group(0) @binding(0) var<storage, read_write> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> buf: array<%s>;
%s`, element, text)
	kernels, err := dev.Compile([]device.KernelSpec{{
		Name: "packed", Source: source, Entry: "main", Buffers: 2, Workgroup: [3]uint32{64, 1, 1},
	}})
	if err != nil {
		t.Fatal(err)
	}
	in, out := bytesOf(values), bytesOf(words)
	if err := runOn(dev, kernels[0], in, out); err != nil {
		t.Fatal(err)
	}
	result := make([]uint32, len(words))
	for i := range result {
		result[i] = binary.LittleEndian.Uint32(out[4*i:])
	}
	return result
}

func bytesOf(words []uint32) []byte {
	var b []byte
	for _, w := range words {
		b = binary.LittleEndian.AppendUint32(b, w)
	}
	return b
}

// runOn is run with an output whose contents matter before.
func runOn(dev device.Device, k device.Kernel, in, out []byte) error {
	input, err := dev.Alloc(int64(len(in)))
	if err != nil {
		return err
	}
	defer dev.Free(input)
	output, err := dev.Alloc(int64(len(out)))
	if err != nil {
		return err
	}
	defer dev.Free(output)
	if err := dev.Upload(input, 0, in); err != nil {
		return err
	}
	if err := dev.Upload(output, 0, out); err != nil {
		return err
	}
	err = dev.Launch(device.Launch{
		Kernel: k, Groups: [3]uint32{threads / 64, 1, 1},
		Buffers: []device.Binding{{Buffer: input, Size: int64(len(in))}, {Buffer: output, Size: int64(len(out))}},
	})
	if err != nil {
		return err
	}
	return dev.Download(device.Region{Buffer: output, Data: out})
}

const mainHead = `@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let i = id.x;
`

func TestPackedStoresLeaveNeighboursAlone(t *testing.T) {
	onDevices(t, func(t *testing.T, dev device.Device) {
		for _, typ := range packedTypes {
			for _, op := range []shaders.PackedOp{shaders.Store, shaders.StoreShared} {
				p := shaders.Packed{Op: op, Type: typ.String(), Var: "buf", Atomic: true}
				checkStore(t, dev, typ, p)
			}
		}
	})
}

// checkStore lets the odd threads store their element, and compares all elements.
func checkStore(t *testing.T, dev device.Device, typ prim.Type, p shaders.Packed) {
	t.Helper()
	r := rand.New(rand.NewPCG(5, 6))
	values := make([]uint32, threads)
	for i := range values {
		values[i] = uint32(random(r, typ))
	}
	perWord := 32 / typ.Bits()
	words := make([]uint32, threads/perWord)
	for i := range words {
		words[i] = r.Uint32()
	}
	value := strings.ReplaceAll(decode(typ, 0), "base", "i")
	text := p.Text() + mainHead + fmt.Sprintf("  if (i %% 2u == 1u) { %s(i, %s); }\n}\n", p.Name(), value)
	got := launch(t, dev, append(p.Uses(), helpers(typ)...), text, true, words, values)
	mask := uint32(1)<<typ.Bits() - 1
	for i := range threads {
		shift := i % perWord * typ.Bits()
		want := words[i/perWord] >> shift & mask
		if i%2 == 1 {
			want = values[i] & mask
		}
		g := got[i/perWord] >> shift & mask
		if g != want && !(typ == prim.F16 && same(typ, uint64(g), uint64(want))) {
			t.Errorf("%s: element %d is %#x, want %#x", p.Name(), i, g, want)
			return
		}
	}
}

func TestPackedLoadsExtendByType(t *testing.T) {
	onDevices(t, func(t *testing.T, dev device.Device) {
		for _, typ := range packedTypes {
			load := shaders.Packed{Op: shaders.Load, Type: typ.String(), Var: "input"}
			r := rand.New(rand.NewPCG(7, 8))
			perWord := 32 / typ.Bits()
			values := make([]uint32, threads/perWord)
			for i := range values {
				for j := range perWord {
					values[i] |= uint32(random(r, typ)) & (uint32(1)<<typ.Bits() - 1) << (j * typ.Bits())
				}
			}
			text := load.Text() + mainHead + fmt.Sprintf("  let r = %s(i);\n  buf[i] = %s;\n}\n", load.Name(), encode(typ))
			got := launch(t, dev, append(load.Uses(), helpers(typ)...), text, false, make([]uint32, threads), values)
			for i, g := range got {
				bits := uint64(values[i/perWord] >> (i % perWord * typ.Bits()))
				want := prim.Canonical(typ, bits)
				if !same(typ, prim.Canonical(typ, uint64(g)), want) || typ.IsInt() && uint32(want) != g {
					t.Errorf("%s(%d) = %#x, want %#x", load.Name(), i, g, want)
					break
				}
			}
		}
	})
}

func TestAtomicUpdatesLoseNothing(t *testing.T) {
	onDevices(t, func(t *testing.T, dev device.Device) {
		values := make([]uint32, threads)
		for i := range values {
			values[i] = uint32(i)
		}
		add8 := shaders.Atomic{Type: "u8", Op: "plus", Var: "buf"}
		text := "fn plus(a: u32, b: u32) -> u32 { return a + b; }\n" + add8.Text() + mainHead +
			"  " + add8.Name() + "(i % 3u, input[i] / 3u);\n}\n"
		got := launch(t, dev, add8.Uses(), text, true, []uint32{0xff000000}, values)
		third := uint32(0)
		for i := uint32(0); i < threads; i += 3 {
			third += i / 3
		}
		if got[0]&0xff != third&0xff || got[0]>>24 != 0xff {
			t.Errorf("u8 sums: %#x, want the first %#x", got[0], third&0xff)
		}
		max32 := shaders.Atomic{Type: "f32", Op: "max_f32", Var: "buf"}
		text = max32.Text() + mainHead + "  " + max32.Name() + "(0u, f32(input[i]));\n}\n"
		got = launch(t, dev, append(max32.Uses(), "max_f32"), text, true, []uint32{0}, values)
		if want := uint32(0x447fc000); got[0] != want { // 1023
			t.Errorf("f32 maximum: %#x, want %#x", got[0], want)
		}
		wide := shaders.AddWide{Var: "buf"}
		text = wide.Text() + mainHead + "  " + wide.Name() + "(0u, vec2<u32>(0xfffffff0u + input[i], 1u));\n}\n"
		got = launch(t, dev, nil, text, true, []uint32{0, 0}, values)
		total := uint64(0)
		for _, v := range values {
			total += 1<<32 | uint64(0xfffffff0+v)
		}
		if got[0] != uint32(total) || got[1] != uint32(total>>32) {
			t.Errorf("two-word sum: %#x %#x, want %#x", got[1], got[0], total)
		}
	})
}
