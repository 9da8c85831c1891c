package check

import "skald/frontend/diag"

// sizeCodes are about sizes.
var sizeCodes = []diag.Code{
	{
		ID: "size-mismatch",
		Doc: "Two arrays must have the same size, but their types have different ones. If they are the same " +
			"when the program runs, a coercion (:>) says so.",
		Hint:    "if they are the same when the program runs, say so with a coercion: xs :> [n]t",
		Example: "def main [n] [m] (xs: [n]i32) (ys: [m]i32) = zip xs ys",
	},
	{
		ID:      "occurs-check",
		Doc:     "A size would have to contain itself.",
		Hint:    "give one of the arrays a size of its own, or take a part of the larger one",
		Example: "def main xs = zip xs (xs ++ xs)",
	},
	{
		ID:      "ambiguous-size",
		Doc:     "Nothing determines a size that is needed when the program runs.",
		Hint:    "write the size, as in (e : [n]t)",
		Example: "def main (x: i32) = let f (xs: []i32) = length xs in f ???",
	},
	{
		ID: "causality-check",
		Doc: "A value is made before a size in its type is computed. Binding the expression that computes " +
			"the size with let first helps.",
		Hint: "bind the expression that computes the size with let, before this one",
		Example: "def main (b: bool) (xs: []i32) =\n  let a = [] : [][]i32\n  let b = [filter (> 0) xs]\n  in " +
			"a[0] == b[0]",
	},
	{
		ID: "existential-param-ret",
		Doc: "A function would have to take an array of a size that nobody can know, because it is that of " +
			"another function's result.",
		Hint:    "write the functions out with a parameter: \\x -> g (f x)",
		Example: "def main (xs: []i32) = (filter (> 0) >-> filter (> 1)) xs",
	},
	{
		ID:      "unknown-param-def",
		Doc:     "A parameter of a function would have a size that is computed inside the function.",
		Hint:    "take the size as a parameter of the outer function, or coerce the array: xs :> [n]t",
		Example: "def f (xs: []i32) = let ys = filter (> 0) xs in \\zs -> zip ys zs",
	},
	{
		ID: "size-expression-bind",
		Doc: "A size cannot be an expression that binds variables. Where one stands for the size of a " +
			"result, that is taken as unknown.",
		Hint:    "bind the size with let, or take it as a parameter, and name it here",
		Example: "def f (xs: [let x = 1i64 in x]i32) = xs",
	},
	{
		ID: "inaccessible-size",
		Doc: "The type of a parameter or result mentions a variable that is bound inside a pattern, which " +
			"the caller does not see.",
		Hint:    "make the size a parameter of its own: (n: i64)",
		Example: "def f (n: i64, x: i32): [n]i32 = replicate n x",
	},
	{
		ID:      "unused-size",
		Doc:     "A size parameter is not the size of anything, so that it can have no value.",
		Hint:    "leave it out, or give a parameter an array of that size; a plain number is a parameter (n: i64)",
		Example: "def f [n] (x: i32) = x",
	},
	{
		ID:      "unused-existential",
		Doc:     "An existential size is not the size of an array in its type.",
		Hint:    "leave it out, or use it as the size of an array",
		Example: "def f (x: ?[n].i32) = x",
	},
	{
		ID: "anonymous-size",
		Doc: "A size is left out where it must be given: in a type that is not declared with type~, or in a " +
			"parameter of a specified function.",
		Hint:    "give the size a name: [n], as a parameter of the type or function; a type may be declared with type~ instead",
		Example: "type t = []i32",
	},
	{
		ID:      "anonymous-nonconstructive",
		Doc:     "A size is left out in a type at a place where no value shows it.",
		Hint:    "give the size a name: [n], as a parameter of the type",
		Example: "type^ t = []i32 -> i32",
	},
	{
		ID: "not-constructive",
		Doc: "A size parameter of a type occurs only inside larger size expressions or functions, where a " +
			"value does not show it.",
		Hint:    "use the parameter alone as the size of an array, too",
		Example: "type t [n] = [n + 1]i32",
	},
	{
		ID:      "size-polymorphic-value",
		Doc:     "A value that is not a function has both size parameters and a size that it computes itself.",
		Hint:    "make two definitions of it",
		Example: "def x [n]: ([n]i32 -> i64, []i32) = (\\(xs: [n]i32) -> length xs, filter (> 0) [1])",
	},
	{
		ID:      "loop-existential",
		Doc:     "A loop's parameter would have a size that is computed inside the loop.",
		Hint:    "coerce the result to the size that the loop began with: xs :> [n]t",
		Example: "def main (xs: []i32) = loop ys = xs for i < 10 do let zs = filter (> 0) ys in map2 (+) ys zs",
	},
	{
		ID:   "loop-variant-escape",
		Doc:  "A size that changes from one iteration of a loop to the next would have to be that of something outside.",
		Hint: "coerce the result to a size that is known outside: xs :> [n]t",
	},
}
