package check

import "skald/frontend/diag"

// nameCodes are about names.
var nameCodes = []diag.Code{
	{
		ID: "unknown-name",
		Doc: "A name is used that nothing in scope defines. Names must be defined before they are used; a " +
			"function is in scope of itself only.",
		Example: "def main (x: i32) = x + y",
	},
	{
		ID:      "unknown-type",
		Doc:     "A type is mentioned that nothing in scope defines.",
		Example: "def main (x: integer) = x",
	},
	{
		ID:      "underscore-use",
		Doc:     "A name that begins with an underscore says that its value is not used, and so may not be.",
		Example: "def main (_x: i32) = _x",
	},
	{
		ID: "duplicate-name",
		Doc: "A name is bound twice in the same pattern, in the same list of parameters, or in the same " +
			"function type.",
		Example: "def main (x: i32) (x: i64) = 0i32",
	},
	{
		ID:      "duplicate-definition",
		Doc:     "A module, file or module type defines the same name twice.",
		Example: "def f = 1i32\ndef f = 2i32",
	},
	{
		ID:      "duplicate-field",
		Doc:     "A record has the same field twice.",
		Example: "def main = {a = 1i32, a = 2i32}",
	},
	{
		ID:      "duplicate-constructor",
		Doc:     "A sum type has the same constructor twice.",
		Example: "type t = #a | #a",
	},
	{
		ID: "underscore-field",
		Doc: "A record pattern names a field that begins with an underscore; the value of a field is ignored " +
			"by giving it the pattern _.",
		Example: "def main {_a: i32} = 0i32",
	},
	{
		ID:      "module-as-value",
		Doc:     "A module's name stands where a value is wanted.",
		Example: "module m = {}\ndef main = m",
	},
	{
		ID:      "not-an-operator",
		Doc:     "A field of a record is used as an infix operator.",
		Example: "def main (r: {f: i32 -> i32 -> i32}) = 1i32 `r.f` 2i32",
	},
	{
		ID: "reserved-operator",
		Doc: "The operators && and || evaluate their second operand only when they need it, and cannot be " +
			"defined again.",
		Example: "def (&&) (x: bool) (y: bool) = x",
	},
}

// typeCodes are about types without sizes.
var typeCodes = []diag.Code{
	{
		ID:      "type-mismatch",
		Doc:     "Two types that must be the same differ, or a value does not have the type that its use wants.",
		Example: "def f (x: i32) = x && true",
	},
	{
		ID:      "scope-violation",
		Doc:     "A type parameter or size would have to be known where it is not in scope.",
		Example: "def f x = let g 'b (y: b) = if true then y else x in g",
	},
	{
		ID:  "cannot-apply",
		Doc: "Something that is not a function is applied to an argument.",
	},
	{
		ID:      "ambiguous-type",
		Doc:     "Nothing says which type a record, sum type or number has. A type annotation does.",
		Example: "def main x = x.a",
	},
	{
		ID: "type-arity",
		Doc: "A type is applied to the wrong number of arguments, or to a size where it wants a type or the " +
			"other way round.",
		Example: "type pair 'a = (a, a)\ndef main (x: pair) = 0i32",
	},
	{
		ID:      "not-a-type-constructor",
		Doc:     "A type that takes no arguments, because it has no name, is applied to some.",
		Example: "def main (x: (i32, i32) i32) = 0i32",
	},
	{
		ID:  "too-many-constructors",
		Doc: "A sum type has more than 256 constructors.",
	},
	{
		ID:  "type-too-large",
		Doc: "A type has more parts than any program needs; it is probably made of pairs of pairs, and so on.",
		Example: "type a = (i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8)\ntype b = (a, a, a, a, a, a, a, a)\n" +
			"type c = (b, b, b, b, b, b, b, b)\ntype d = (c, c, c, c, c, c, c, c)\ntype e = (d, d, d, d, d, d, d, d)\n" +
			"def f (x: e) = x",
	},
	{
		ID:      "functional-element",
		Doc:     "Arrays cannot contain functions.",
		Example: "def f = [\\(x: i32) -> x]",
	},
	{
		ID: "functional-result",
		Doc: "Branches and loops cannot have functions as results, because the compiler must know which " +
			"function is called where.",
		Example: "def f (b: bool) = if b then \\(x: i32) -> x else \\x -> x + 1",
	},
	{
		ID: "functional-type",
		Doc: "A function type stands where only types without functions may: for a type parameter that is " +
			"not declared with '^, or in a type that is not declared with type^.",
		Example: "type t = i32 -> i32",
	},
	{
		ID: "lifted-type",
		Doc: "A type that may contain functions, or values of different sizes, stands where only simpler " +
			"types may.",
		Example: "type~ t = []i32\ndef f (x: []t) = 0i32",
	},
	{
		ID:      "no-equality",
		Doc:     "Values are compared whose type may contain functions, or is not known.",
		Example: "def f 'a (x: a) (y: a) = x == y",
	},
	{
		ID:      "literal-out-of-bounds",
		Doc:     "A number is too large or too small for the type that it has.",
		Example: "def main: i8 = 128",
	},
	{
		ID:      "unmatched-cases",
		Doc:     "A match leaves out values; the message has an example of one.",
		Example: "def main (x: i32) = match x case 0 -> true",
	},
	{
		ID:      "refutable-pattern",
		Doc:     "A pattern in a let, a loop or a parameter does not take every value of its type.",
		Example: "def main (x: i32) = let 0 = x in true",
	},
}

// definitionCodes are about definitions as a whole.
var definitionCodes = []diag.Code{
	{
		ID:      "recursive-function",
		Doc:     "A recursive function returns functions, or does not pass its functional parameters on unchanged.",
		Example: "def f (g: i32 -> i32) (x: i32): i32 = if x == 0 then 0 else f (\\y -> g y) (x - 1)",
	},
	{
		ID:      "polymorphic-entry",
		Doc:     "An entry point has a type parameter, so that its caller could not pass a value.",
		Example: "entry f 'a (x: a) = x",
	},
	{
		ID:      "higher-order-entry",
		Doc:     "An entry point takes or returns functions.",
		Example: "entry f (g: i32 -> i32) = g 1",
	},
	{
		ID:      "size-polymorphic-entry",
		Doc:     "An entry point has a size parameter that no array among its parameters has as its size.",
		Example: "entry f [n]: [n]i32 = replicate n 0",
	},
	{
		ID: "nonconstructive-entry",
		Doc: "An entry point has a size parameter that stands in no parameter's type alone as the size of an " +
			"array, so that its value cannot be read off.",
		Example: "entry f [n] (xs: [n + 1]i32) = xs",
	},
	{
		ID:      "nested-entry",
		Doc:     "Only the file itself can have entry points, not the modules in it.",
		Example: "module m = { entry f (x: i32) = x }",
	},
	{
		ID:  "cannot-read",
		Doc: "The file that is to be checked cannot be read.",
	},
}

// warningCodes are about what is allowed but looks wrong.
var warningCodes = []diag.Code{
	{
		ID: "unused-name", Severity: diag.Warning,
		Doc:     "A local variable is not used. A name that begins with an underscore says so.",
		Example: "def main (x: i32) = let y = 1i32 in x",
	},
	{
		ID: "defaulted-type", Severity: diag.Warning,
		Doc:     "Nothing says which type the numbers in a definition have; i32 or f64 is assumed.",
		Example: "def double x = x + x",
	},
	{
		ID: "array-comparison", Severity: diag.Warning,
		Doc:     "Arrays are compared with ==.",
		Example: "def main [n] (xs: [n]i32) (ys: [n]i32) = xs == ys",
	},
	{
		ID: "empty-range", Severity: diag.Warning,
		Doc:     "The first two elements of a range are the same, so that it makes no progress.",
		Example: "def main (x: i64) = x..x...10",
	},
	{
		ID: "useless-star", Severity: diag.Warning,
		Doc:     "A type is marked with a star that has nothing in it that can be consumed.",
		Example: "def main (x: *i32) = x",
	},
	{
		ID: "intrinsics-use", Severity: diag.Warning,
		Doc:     "Something built in is used by its internal name, which is not meant for programs and may change.",
		Example: "def main [n] (xs: [n]f32) = intrinsics.map (\\x -> intrinsics.sqrt_f32 x) xs",
	},
	{
		ID: "inclusion-shadows", Severity: diag.Warning,
		Doc:     "A module type includes another that has a type of the same name as one it has already.",
		Example: "module type a = { type t }\nmodule type b = { type t include a }",
	},
}
