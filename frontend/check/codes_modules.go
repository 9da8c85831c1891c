package check

import "skald/frontend/diag"

// moduleCodes are about modules and files.
var moduleCodes = []diag.Code{
	{
		ID:      "unknown-module",
		Doc:     "A module is mentioned that nothing in scope defines.",
		Hint:    "define the module before this place, or import the file that does",
		Example: "open m",
	},
	{
		ID:      "unknown-module-type",
		Doc:     "A module type is mentioned that nothing in scope defines.",
		Hint:    "define the module type before this place, or import the file that does",
		Example: "module m: S = {}",
	},
	{
		ID:      "module-is-parametric",
		Doc:     "A parametric module is used where a module with contents is wanted; it must be applied first.",
		Hint:    "apply it first: module m = name argument",
		Example: "module f (p: {}) = { def x = 1i32 }\ndef main = f.x",
	},
	{
		ID:      "not-parametric",
		Doc:     "A module without parameters is applied.",
		Hint:    "leave the argument out",
		Example: "module m = {}\nmodule n = m {}",
	},
	{
		ID:      "intrinsics-module",
		Doc:     "The module of what is built in can be used for the names in it, but not as a module.",
		Hint:    "use the functions of the prelude",
		Example: "open intrinsics",
	},
	{
		ID:      "missing-value",
		Doc:     "A module lacks a value that its module type asks for.",
		Hint:    "define it in the module, or leave it out of the module type",
		Example: "module m: { val x: i32 } = {}",
	},
	{
		ID:      "missing-type",
		Doc:     "A module lacks a type that its module type asks for.",
		Hint:    "define it in the module, or leave it out of the module type",
		Example: "module m: { type t } = {}",
	},
	{
		ID:      "missing-module",
		Doc:     "A module lacks a module that its module type asks for.",
		Hint:    "define it in the module, or leave it out of the module type",
		Example: "module m: { module n: {} } = {}",
	},
	{
		ID:      "module-mismatch",
		Doc:     "A parametric module is seen through the type of one without parameters, or the other way round.",
		Hint:    "give both a parameter, or neither",
		Example: "module m: {} = \\(p: {}) -> {}",
	},
	{
		ID:      "module-type-mismatch",
		Doc:     "A type in a module is not what the module type says.",
		Hint:    "define the type as the module type says, or leave it abstract there",
		Example: "module m: { type t = i32 } = { type t = i64 }",
	},
	{
		ID:      "module-type-lifted",
		Doc:     "A module implements an abstract type by one that permits more than the module type says.",
		Hint:    "declare the type in the module type with as much as the module needs: type~ or type^",
		Example: "module m: { type t } = { type^ t = i32 -> i32 }",
	},
	{
		ID:      "module-value-mismatch",
		Doc:     "A value in a module does not have the type that the module type says.",
		Hint:    "change the value or its specification so that they agree",
		Example: "module m: { val x: i32 } = { def x = 1i64 }",
	},
	{
		ID: "refine-type",
		Doc: "A module type is refined at a type that it does not have, that is not abstract, or that has " +
			"other parameters.",
		Hint:    "refine a type that the module type specifies without saying what it is",
		Example: "module type S = {} with t = i32",
	},
	{
		ID:      "top-level-size",
		Doc:     "A value specified with an abstract type would have a size that nothing determines.",
		Hint:    "make a function of the value, or give its type the size as a parameter",
		Example: "module m: { type~ t val x: t } = { type~ t = []i32 def x = [1i32] }",
	},
	{
		ID:   "functor-depth",
		Doc:  "Parametric modules are applied inside each other too deeply.",
		Hint: "apply fewer modules to each other",
	},
	{
		ID:      "unknown-import",
		Doc:     "A file that is imported cannot be read.",
		Hint:    "name a file relative to this one, without .fut",
		Example: "import \"no-such-file\"",
	},
	{
		ID:      "cyclic-import",
		Doc:     "A file imports itself, directly or through others.",
		Hint:    "move what both files need into a third",
		Example: "import \"a\"",
	},
}

// consumptionCodes are about values that are consumed.
var consumptionCodes = []diag.Code{
	{
		ID: "use-after-consume",
		Doc: "A value is used after it was consumed, by an update in place or by a function whose parameter " +
			"is marked with a star.",
		Hint:    "use the value before it is consumed, or consume a copy of it: copy x",
		Example: "def main (xs: *[]i32) = let ys = xs with [0] = 1 in xs[0] + ys[0]",
	},
	{
		ID: "not-consumable",
		Doc: "A value is consumed that others may still use: a parameter without a star, a global value, or " +
			"what a function mentions from outside.",
		Hint:    "declare it with a star where it is a parameter, as in (xs: *[]i32), or consume a copy of it: copy x",
		Example: "def main (xs: []i32) = xs with [0] = 1",
	},
	{
		ID:      "update-aliases",
		Doc:     "An array is updated with a value that may share memory with it.",
		Hint:    "write a copy: copy x",
		Example: "def main (xs: *[][]i32) = xs with [0] = xs[1]",
	},
	{
		ID:      "return-aliased",
		Doc:     "A result declared with a star may share memory with a parameter that the caller keeps.",
		Hint:    "declare the parameter with a star, or return a copy: copy x",
		Example: "def f (xs: []i32): *[]i32 = xs",
	},
	{
		ID:      "unique-return-aliased",
		Doc:     "Two parts of a result may share memory although one of them is declared with a star.",
		Hint:    "return a copy of one of them: copy x",
		Example: "def f (xs: *[]i32): (*[]i32, []i32) = (xs, xs)",
	},
	{
		ID:      "alias-free-variable",
		Doc:     "The result of a function may share memory with a global value.",
		Hint:    "return a copy.",
		Example: "def global = [1i32, 2, 3]\ndef f (x: i32) = global",
	},
	{
		ID:      "self-aliasing-arg",
		Doc:     "An argument is consumed whose parts may share memory with each other.",
		Hint:    "pass a copy of one of the parts: copy x",
		Example: "def f (xs: *[]i32, ys: *[]i32) = 0i32\ndef main (xs: *[]i32) = f (xs, xs)",
	},
	{
		ID:      "argument-aliases",
		Doc:     "An argument is consumed that may share memory with another argument of the same function.",
		Hint:    "pass a copy of one of them: copy x",
		Example: "def f (xs: *[]i32) (ys: []i32) = 0i32\ndef main (xs: *[]i32) = f xs xs",
	},
	{
		ID:   "consuming-argument",
		Doc:  "A function that is passed as an argument would consume something, perhaps several times.",
		Hint: "let the function consume a copy: copy x",
		Example: "def g (f: i32 -> i32) = f 1\n" +
			"def main (xs: *[]i32) = g (let ys = xs with [0] = 1 in \\x -> x + ys[0])",
	},
	{
		ID:      "contains-consumption",
		Doc:     "An expression whose value is a function consumes something.",
		Hint:    "consume it before, and bind the result with let",
		Example: "def main (xs: *[]i32) = let f = (let ys = xs with [0] = 1 in \\(x: i32) -> x + ys[0]) in f 1",
	},
	{
		ID:      "unify-consuming-param",
		Doc:     "A function that consumes its parameter is used where one that does not is wanted.",
		Hint:    "take the star off the parameter, or pass a function that makes a copy first",
		Example: "def f (xs: *[]i32) = xs[0]\ndef main (xss: [][]i32) = map f xss",
	},
	{
		ID: "unify-return-uniqueness",
		Doc: "A function whose result may share memory with other values is used where one with a fresh " +
			"result is wanted.",
		Hint:    "let the function return a copy: copy x",
		Example: "def g (f: []i32 -> *[]i32) = 0i32\ndef id' (xs: []i32): []i32 = xs\ndef main = g id'",
	},
	{
		ID:      "unique-constant",
		Doc:     "A global value cannot be consumed, so its type has no star.",
		Hint:    "take the star off its type",
		Example: "def xs: *[]i32 = [1, 2, 3]",
	},
	{
		ID:      "loop-consumed",
		Doc:     "The body of a loop uses what the initial value of the loop consumes.",
		Hint:    "begin the loop with a copy, or use the loop's own parameter in its body",
		Example: "def main (xs: *[10]i32) = loop ys = xs for i < 10 do ys with [i] = xs[0]",
	},
	{
		ID: "consuming-loop-param-aliases",
		Doc: "A loop consumes its parameter, but its body returns for it something that may share memory " +
			"with a variable outside.",
		Hint: "return a copy: copy x",
		Example: "def main (xs: *[10]i32) (zs: *[10]i32) = loop ys = xs for i < 10 do let _ = ys with [0] = " +
			"i32.i64 i in zs",
	},
	{
		ID:   "loop-parameter-aliases-other",
		Doc:  "The body of a loop returns the same array for two parameters of which one is consumed.",
		Hint: "return a copy for one of them: copy x",
		Example: "def main (xs: *[10]i32) (ys: *[10]i32) =\n  loop (a, b) = (xs, ys) for i < 10 do let c = a " +
			"with [0] = 1 in (c, c)",
	},
	{
		ID:   "aliases-previously-returned",
		Doc:  "The body of a loop returns for a parameter that is consumed what it returns for another one.",
		Hint: "return a copy for one of them: copy x",
		Example: "def main (xs: *[10]i32) (ys: *[10]i32) =\n  loop (a, b) = (xs, ys) for i < 10 do let c = b " +
			"with [0] = i32.i64 i in (a, a)",
	},
}
