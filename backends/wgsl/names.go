package wgsl

import (
	"strconv"
	"strings"

	"skald/middle/imp"
)

// reserved are words that a variable may not be called by itself: keywords
// of WGSL, words that it keeps for later, and names that the printer uses.
var reserved = wordSet(`
	alias break case const const_assert continue continuing default diagnostic discard else enable false fn for if let
	loop override requires return struct switch true var while
	array atomic bool f16 f32 f64 i32 i64 u32 u64 mat2x2 mat3x3 mat4x4 ptr sampler texture vec2 vec3 vec4
	NULL Self abstract active alignas alignof as asm async await auto become cast catch class co_await const_cast
	constexpr constinit crate debugger decltype delete do dynamic_cast enum explicit export extends extern external
	fallthrough filter final finally friend from fxgroup get goto groupshared highp impl implements import inline
	instanceof interface layout lowp macro match mediump meta mod module move mut mutable namespace new nil noexcept
	noinline noperspective null nullptr of operator package packoffset partition pass patch pixelfragment precise
	precision premerge priv protected pub public readonly ref register reinterpret_cast require resource restrict self
	set shared sizeof smooth snorm static static_assert static_cast std subroutine super target template this
	thread_local throw trait try type typedef typeid typename typeof union unless unorm unsafe unsized use using
	varying virtual volatile wgsl where with writeonly yield
	main params failure alive group_failed routine_failed fail num_groups group_id local_id lane subgroup_id subgroup_size
	abs acos all any asin atan atan2 bitcast ceil clamp cos cosh cross degrees distance dot exp exp2 floor fma fract
	length log log2 max min mix modf normalize pow radians reflect round select sign sin sinh sqrt step tan tanh trunc
	transpose`)

// local are the names that functions which access an array use.
var local = wordSet("i x w old low high shift swap piece at next")

func wordSet(s string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(s) {
		set[w] = true
	}
	return set
}

// nameVars gives each variable and array a name: its own where that is free,
// else one with its number behind.
func (p *printer) nameVars() {
	count := map[string]int{}
	bases := make([]string, len(p.k.Vars))
	for i := 1; i < len(p.k.Vars); i++ {
		bases[i] = clean(p.k.Vars[i].Name)
		count[bases[i]]++
	}
	mems := make([]string, len(p.k.Mems))
	for i, m := range p.k.Mems {
		mems[i] = clean(m.Name)
		count[mems[i]]++
	}
	plain := func(base string) bool { return count[base] == 1 && !reserved[base] }
	p.vars = make([]string, len(bases))
	for i, b := range bases {
		p.vars[i] = b
		if !plain(b) {
			p.vars[i] = b + "_" + strconv.Itoa(i)
		}
	}
	p.mems = make([]string, len(mems))
	for i, b := range mems {
		p.mems[i] = b
		if !plain(b) || local[b] {
			p.mems[i] = b + "_m" + strconv.Itoa(i)
		}
	}
}

// clean makes a name of letters, digits and inner underscores that ends in no
// digit after an underscore, so that a number behind it stays apart.
func clean(name string) string {
	out := []byte(name)
	for i, c := range out {
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9') {
			out[i] = '_'
		}
	}
	s := strings.Trim(string(out), "_")
	for strings.Contains(s, "__") {
		s = strings.ReplaceAll(s, "__", "_")
	}
	if s == "" || s[0] >= '0' && s[0] <= '9' {
		s = "v" + s
	}
	if i := strings.LastIndexByte(s, '_'); i >= 0 && strings.Trim(s[i+1:], "m0123456789") == "" {
		s = s[:i] + s[i+1:]
	}
	return s
}

func (p *printer) v(v imp.Var) string { return p.vars[v] }
