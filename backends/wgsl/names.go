package wgsl

import "skald/backends/text"

// reserved are words that a variable may not be called by itself: keywords
// of WGSL, words that it keeps for later, and names that the printer uses.
var reserved = text.Words(`
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
	main params failure alive group_failed function_failed fail num_groups group_id local_id lane subgroup_id subgroup_size
	abs acos all any asin atan atan2 bitcast ceil clamp cos cosh cross degrees distance dot exp exp2 floor fma fract
	length log log2 max min mix modf normalize pow radians reflect round select sign sin sinh sqrt step tan tanh trunc
	transpose`)

// local are the names that functions which access an array use.
var local = text.Words("i x w old low high shift swap piece at next")
