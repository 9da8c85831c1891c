package check

import "skald/frontend/diag"

// nameCodes are about names.
var nameCodes = []diag.Code{
	{
		ID: "unknown-name",
		Doc: "A name is used that nothing in scope defines. Names must be defined before they are used; a " +
			"function is in scope of itself only.",
		Hint:    "define it before this place, or import the file or open the module that defines it",
		Example: "def main (x: i32) = x + y",
	},
	{
		ID:      "unknown-type",
		Doc:     "A type is mentioned that nothing in scope defines.",
		Hint:    "define the type before this place, or declare it as a type parameter, such as 't",
		Example: "def main (x: integer) = x",
	},
	{
		ID:      "underscore-use",
		Doc:     "A name that begins with an underscore says that its value is not used, and so may not be.",
		Hint:    "take the underscore off the name where it is bound",
		Example: "def main (_x: i32) = _x",
	},
	{
		ID: "duplicate-name",
		Doc: "A name is bound twice in the same pattern, in the same list of parameters, or in the same " +
			"function type.",
		Hint:    "give one of them another name",
		Example: "def main (x: i32) (x: i64) = 0i32",
	},
	{
		ID:      "duplicate-definition",
		Doc:     "A module, file or module type defines the same name twice.",
		Hint:    "give one of them another name",
		Example: "def f = 1i32\ndef f = 2i32",
	},
	{
		ID:      "duplicate-field",
		Doc:     "A record has the same field twice.",
		Hint:    "leave one of the fields out, or give it another name",
		Example: "def main = {a = 1i32, a = 2i32}",
	},
	{
		ID:      "duplicate-constructor",
		Doc:     "A sum type has the same constructor twice.",
		Hint:    "give one of the constructors another name",
		Example: "type t = #a | #a",
	},
	{
		ID: "underscore-field",
		Doc: "A record pattern names a field that begins with an underscore; the value of a field is ignored " +
			"by giving it the pattern _.",
		Hint:    "write the field as it is called, with _ for its value: {name = _}",
		Example: "def main {_a: i32} = 0i32",
	},
	{
		ID:      "module-as-value",
		Doc:     "A module's name is used where a value is wanted.",
		Hint:    "name a value in the module: module.value",
		Example: "module m = {}\ndef main = m",
	},
	{
		ID:      "not-an-operator",
		Doc:     "A field of a record is used as an infix operator.",
		Hint:    "apply the field like any function: (r.f) x y",
		Example: "def main (r: {f: i32 -> i32 -> i32}) = 1i32 `r.f` 2i32",
	},
	{
		ID: "reserved-operator",
		Doc: "The operators && and || evaluate their second operand only when they need it, and cannot be " +
			"defined again.",
		Hint:    "choose another name for the operator",
		Example: "def (&&) (x: bool) (y: bool) = x",
	},
}

// typeCodes are about types without sizes.
var typeCodes = []diag.Code{
	{
		ID:      "type-mismatch",
		Doc:     "Two types that must be the same differ, or a value does not have the type that its use wants.",
		Hint:    "change one of the two, or convert the value where it is used",
		Example: "def f (x: i32) = x && true",
	},
	{
		ID:      "scope-violation",
		Doc:     "A type parameter or size would have to be known where it is not in scope.",
		Hint:    "give the definition a type annotation, or move it into the scope of the type or size",
		Example: "def f x = let g 'b (y: b) = if true then y else x in g",
	},
	{
		ID:   "cannot-apply",
		Doc:  "Something that is not a function is applied to an argument.",
		Hint: "leave the argument out, or apply a function",
	},
	{
		ID:      "ambiguous-type",
		Doc:     "Nothing says which type a record, sum type or number has. A type annotation does.",
		Hint:    "write the type that is meant, as in (e : t)",
		Example: "def main x = x.a",
	},
	{
		ID: "type-arity",
		Doc: "A type is applied to the wrong number of arguments, or to a size where it wants a type or the " +
			"other way round.",
		Hint:    "give the type as many arguments as its definition has parameters",
		Example: "type pair 'a = (a, a)\ndef main (x: pair) = 0i32",
	},
	{
		ID:      "not-a-type-constructor",
		Doc:     "A type that takes no arguments, because it has no name, is applied to some.",
		Hint:    "leave the arguments out, or put parentheses around what belongs together",
		Example: "def main (x: (i32, i32) i32) = 0i32",
	},
	{
		ID:   "too-many-constructors",
		Doc:  "A sum type has more than 256 constructors.",
		Hint: "group some constructors as the payload of one",
	},
	{
		ID:   "type-too-large",
		Doc:  "A type has more parts than any program needs; it is probably made of pairs of pairs, and so on.",
		Hint: "make arrays of what is alike",
		Example: "type a = (i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8, i8)\ntype b = (a, a, a, a, a, a, a, a)\n" +
			"type c = (b, b, b, b, b, b, b, b)\ntype d = (c, c, c, c, c, c, c, c)\ntype e = (d, d, d, d, d, d, d, d)\n" +
			"def f (x: e) = x",
	},
	{
		ID:      "functional-element",
		Doc:     "Arrays cannot contain functions.",
		Hint:    "keep the functions in a tuple or record, or choose between them by if or match where they are called",
		Example: "def f = [\\(x: i32) -> x]",
	},
	{
		ID: "functional-result",
		Doc: "Branches and loops cannot have functions as results, because the compiler must know which " +
			"function is called where.",
		Hint:    "return what decides which function is meant, and choose between calls of them",
		Example: "def f (b: bool) = if b then \\(x: i32) -> x else \\x -> x + 1",
	},
	{
		ID: "functional-type",
		Doc: "A function type is used where only types without functions may be: for a type parameter that is " +
			"not declared with '^, or in a type that is not declared with type^.",
		Hint:    "declare the type or type parameter so that it may be a function: type^ or '^t",
		Example: "type t = i32 -> i32",
	},
	{
		ID: "lifted-type",
		Doc: "A type that may contain functions, or values of different sizes, is used where only simpler " +
			"types may.",
		Hint:    "declare the type with type~ or type^, a type parameter with '~ or '^; arrays cannot hold such values",
		Example: "type~ t = []i32\ndef f (x: []t) = 0i32",
	},
	{
		ID:      "no-equality",
		Doc:     "Values are compared whose type may contain functions, or is not known.",
		Hint:    "compare parts that are numbers, or take the comparison as a parameter",
		Example: "def f 'a (x: a) (y: a) = x == y",
	},
	{
		ID:      "literal-out-of-bounds",
		Doc:     "A number is too large or too small for the type that it has.",
		Hint:    "choose a wider type, such as i64 or f64, or a number that fits",
		Example: "def main: i8 = 128",
	},
	{
		ID:      "unmatched-cases",
		Doc:     "A match leaves out values; the message has an example of one.",
		Hint:    "add a case for the values that are left out, or one for _",
		Example: "def main (x: i32) = match x case 0 -> true",
	},
	{
		ID:      "refutable-pattern",
		Doc:     "A pattern in a let, a loop or a parameter does not take every value of its type.",
		Hint:    "use match, with a case for the other values",
		Example: "def main (x: i32) = let 0 = x in true",
	},
}

// definitionCodes are about definitions as a whole.
var definitionCodes = []diag.Code{
	{
		ID:      "recursive-function",
		Doc:     "A recursive function returns functions, or does not pass its functional parameters on unchanged.",
		Hint:    "make a loop of it, or pass the functions on as they are",
		Example: "def f (g: i32 -> i32) (x: i32): i32 = if x == 0 then 0 else f (\\y -> g y) (x - 1)",
	},
	{
		ID:      "polymorphic-entry",
		Doc:     "An entry point has a type parameter, so that its caller could not pass a value.",
		Hint:    "give the parameters types that callers can pass, such as i32",
		Example: "entry f 'a (x: a) = x",
	},
	{
		ID:      "higher-order-entry",
		Doc:     "An entry point takes or returns functions.",
		Hint:    "make an entry point for each function that is wanted",
		Example: "entry f (g: i32 -> i32) = g 1",
	},
	{
		ID:      "size-polymorphic-entry",
		Doc:     "An entry point has a size parameter that no array among its parameters has as its size.",
		Hint:    "take the size as a parameter: (n: i64)",
		Example: "entry f [n]: [n]i32 = replicate n 0",
	},
	{
		ID: "nonconstructive-entry",
		Doc: "An entry point has a size parameter that is in no parameter's type by itself the size of an " +
			"array, so that its value cannot be read off.",
		Hint:    "use the size alone as that of a parameter, or take it as a parameter: (n: i64)",
		Example: "entry f [n] (xs: [n + 1]i32) = xs",
	},
	{
		ID:      "nested-entry",
		Doc:     "Only the file itself can have entry points, not the modules in it.",
		Hint:    "define the entry point in the file itself, in terms of what the module defines",
		Example: "module m = { entry f (x: i32) = x }",
	},
	{
		ID:   "cannot-read",
		Doc:  "The file that is to be checked cannot be read.",
		Hint: "name a file that is there and may be read",
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
		ID: "literal-wraps", Severity: diag.Warning,
		Doc:     "An integer literal has a suffix whose type does not have its value: the value wraps around.",
		Example: "def main : u8 = 256u8",
	},
	{
		ID: "unused-assertion", Severity: diag.Warning,
		Doc: "The value that an assertion guards is bound to no name, so that the assertion is left out. To keep it, bind a name " +
			"to a value that it guards, and use that.",
		Example: "def main (n: i64) = let _ = assert (n > 0) () in n",
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
		ID: "unknown-attribute", Severity: diag.Warning,
		Doc: "There is no attribute of that name, or not with such arguments: it is ignored. A misspelt one changes nothing but how fast " +
			"the program runs.",
		Example: "def main (xs: []i32) = #[flattening(only_intr)] map (+ 1) xs",
	},
	{
		ID: "unused-attribute", Severity: diag.Warning,
		Doc: "An attribute has no effect on what it is on. It reaches what its expression computes itself or through calls, but not what is " +
			"inside of functions that are given to parallel operations, of branches and of loops: there it is written in front of what it " +
			"is meant for.",
		Example: "def main (xs: []i32) = #[unroll] map (+ 1) xs",
	},
	{
		ID: "intrinsics-use", Severity: diag.Warning,
		Doc:     "Something built in is used by its internal name, which is not meant for programs and may change.",
		Example: "def main [n] (xs: [n]f32) = intrinsics.map (\\x -> intrinsics.sqrt_f32 x) xs",
	},
	{
		ID: "inclusion-shadows", Severity: diag.Warning,
		Doc:     "A module type includes another that has a type of the same name as one it has already.",
		Hint:    "leave one of the two types out, or rename it",
		Example: "module type a = { type t }\nmodule type b = { type t include a }",
	},
}
