// Package prelude holds Futhark's standard library: the names, types and meanings that every program may use without an
// import, in our own text.
//
// It is beside the checker, which indexes the sources when it starts (name to byte range) and parses and checks a
// declaration when a program first mentions it. The package imports nothing of skald.
//
// # Invariants
//
// The lazy index asks the following of the sources, and a test checks it:
//
//   - each declaration is complete: it states the types of its parameters and of its result;
//   - it begins at the start of a line, and everything inside it is indented or is its closing brace;
//   - it refers only to intrinsics and to names of the prelude, in whatever order these are declared;
//   - inside a module, operators are used only before the module defines them: from there on, and in its own body, an
//     operator's name is the definition.
//
// What cannot be written in Futhark is reached as intrinsics.NAME: the polymorphic ones of frontend/types
// (intrinsics.map), conversions as intrinsics.FROM_to_TO (intrinsics.i32_to_f64), and functions on scalars as
// intrinsics.NAME_TYPE (intrinsics.sqrt_f32, intrinsics.add_i32).
package prelude
