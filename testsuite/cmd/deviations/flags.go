package main

import (
	_ "embed"
	"slices"
)

//go:embed flags.wgsl
var flagsText string

// flagForm is a form of flags.wgsl: what it declares, how a thread stores its word of data, and how it loads it again.
type flagForm struct{ name, declare, store, load string }

// plainFlags leave the ones and zeros of data as they are.
var plainFlags = []flagForm{
	{"bool", boolArray, "part[i] = data[own] != 0u;", loadBool},
	{"bool/constants", boolArray, "part[i] = true; if (data[own] == 0u) { part[i] = false; }", loadBool},
	{"bool/true-over-false", boolArray, "part[i] = false; workgroupBarrier(); if (data[own] != 0u) { part[i] = true; }", loadBool},
	{"bool/by-one-thread", boolArray, "if (i == 0u) { for (var k = 0u; k < 64u; k++) { part[k] = data[own + k] != 0u; } }", loadBool},
	{"bool/one-after-the-other", boolArray, inTurns, loadBool},
	{"bool/every-fourth", boolArray, "part[4u * i] = data[own] != 0u;", "data[own] = select(0u, 1u, part[4u * i]);"},
	{
		"bool/struct", "struct S { f: bool, g: u32 }\nvar<workgroup> part: array<S, 64>;",
		"part[i] = S(data[own] != 0u, i);", "data[own] = select(0u, 1u, part[i].f);",
	},
	{
		"bool/vec2", "var<workgroup> part: array<vec2<bool>, 64>;",
		"part[i] = vec2<bool>(data[own] != 0u);", "data[own] = select(0u, 1u, part[i].x && part[i].y);",
	},
	{
		"bool/vec4", "var<workgroup> part: array<vec4<bool>, 64>;",
		"part[i] = vec4<bool>(data[own] != 0u);", "data[own] = select(0u, 1u, all(part[i]));",
	},
	{
		"bool/single", "var<workgroup> part: bool;",
		"if (i == 0u) { part = true; }", "if (!part) { data[own] = 7u; }",
	},
	{
		"bool/function", "", "var part: array<bool, 8>; " + turned,
		"data[own] = select(0u, 1u, part[(i * 3u) % 8u]);",
	},
	{
		"bool/private", "var<private> part: array<bool, 8>;", turned,
		"data[own] = select(0u, 1u, part[(i * 3u) % 8u]);",
	},
	{"u32", "var<workgroup> part: array<u32, 64>;", "part[i] = data[own];", "data[own] = part[i];"},
}

const (
	boolArray = "var<workgroup> part: array<bool, 256>;"
	loadBool  = "data[own] = select(0u, 1u, part[i]);"
	inTurns   = "for (var k = 0u; k < 64u; k++) { if (k == i) { part[k] = data[own] != 0u; } workgroupBarrier(); }"
	turned    = "for (var k = 0u; k < 8u; k++) { part[(i + k) % 8u] = data[own] != 0u; }"
)

// joinedFlags make each word the lesser of a pair of neighbours.
var joinedFlags = []flagForm{
	{"bool/joined", boolArray, "part[i] = data[own] != 0u;", "data[own] = select(0u, 1u, part[i] && part[i ^ 1u]);"},
	{"u32/joined", "var<workgroup> part: array<u32, 64>;", "part[i] = data[own];", "data[own] = min(part[i], part[i ^ 1u]);"},
	{"i32/joined", "var<workgroup> part: array<i32, 64>;", "part[i] = i32(data[own]);", joinedAs},
	{"f32/joined", "var<workgroup> part: array<f32, 64>;", "part[i] = f32(data[own]);", joinedAs},
	{"f16/joined", "var<workgroup> part: array<f16, 64>;", "part[i] = f16(data[own]);", joinedAs},
	{"i64/joined", "var<workgroup> part: array<i64, 64>;", "part[i] = i64(data[own]);", joinedAs},
	{"f64/joined", "var<workgroup> part: array<f64, 64>;", "part[i] = f64(data[own]);", joinedAs},
	{
		"vec2/joined", "var<workgroup> part: array<vec2<u32>, 64>;", "part[i] = vec2<u32>(data[own], i);",
		"data[own] = min(part[i].x, part[i ^ 1u].x);",
	},
}

const joinedAs = "data[own] = u32(min(part[i], part[i ^ 1u]));"

// flags are arrays of bools, and what else could stand in their place.
func flags() []variant {
	const groups = 4
	in := make([]uint32, 64*groups)
	joined := make([]uint32, len(in))
	for i := range in {
		in[i] = [groups]uint32{1, uint32(i % 2), min(uint32(i%3), 1), 0}[i/64]
	}
	for i := range in {
		joined[i] = min(in[i], in[i^1])
	}
	var out []variant
	for want, forms := range map[*[]uint32][]flagForm{&in: plainFlags, &joined: joinedFlags} {
		for _, f := range forms {
			out = append(out, variant{
				name: "flags/" + f.name, threads: 64, groups: groups, buffers: [][]uint32{slices.Clone(in)}, want: *want,
				source: replace(flagsText, "DECLARE", f.declare, "STORE", f.store, "LOAD", f.load),
			})
		}
	}
	return out
}
