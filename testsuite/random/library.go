package random

import "strings"

// definition is something that programs may use. Those that a program does not mention are left out of it.
type definition struct{ name, text string }

// library holds a definition before those that use it.
var library = []definition{
	{"opt", "type opt 'a = #none | #some a"},
	{"choice", "type choice 'a 'b = #left a | #right b | #both a b | #neither"},
	{"twice", "def twice '^a (f: a -> a) (x: a) : a = f (f x)"},
	{"compose", "def compose '^a '^b '^c (f: a -> b) (g: b -> c) (x: a) : c = g (f x)"},
	{"call", "def call 'a '^b (f: a -> b) (x: a) : b = f x"},
	{"swap", "def swap '^a '^b (x: a, y: b) : (b, a) = (y, x)"},
	{"both", "def both 'a '^b (f: a -> b) (x: a) (y: a) : (b, b) = (f x, f y)"},
	{"or_else", "def or_else 'a (o: opt a) (x: a) : a = match o case #none -> x case #some y -> y"},
	{"with_opt", "def with_opt 'a 'b (f: a -> b) (o: opt a) : opt b = match o case #none -> #none case #some x -> #some (f x)"},
	{"last_some", "def last_some 'a (x: opt a) (y: opt a) : opt a = match y case #none -> x case _ -> y"},
	{"merge", `def merge 'a (op: a -> a -> a) (x: opt a) (y: opt a) : opt a =
  match (x, y)
  case (#some a, #some b) -> #some (op a b)
  case (#none, _) -> y
  case (_, #none) -> x`},
	{"segmented", `def segmented 'a (op: a -> a -> a) (f: bool, x: a) (g: bool, y: a) : (bool, a) =
  (f || g, if g then y else op x y)`},
	{"at", "def at [k] 'a (i: i64) (ne: a) (xs: [k]a) : a = if k == 0 then ne else xs[i % k]"},
	{"bump", "def bump [k] 'a (i: i64) (v: a) (xs: *[k]a) : *[k]a = xs with [i % k] = v"},
	{"table", "def table [k] 'a (f: i64 -> a) : [k]a = map f (iota k)"},
	// The sizes of these are known to nobody: branches of different sizes make them so.
	{"few", "def few (i: i64) : []i64 = if i == 0 then [] else iota (i % 9)"},
	{"prefix", "def prefix [k] 'a (i: i64) (xs: [k]a) : []a = if i == 0 then [] else xs[0:i % (k + 1)]"},
	{"suffix", "def suffix [k] 'a (i: i64) (xs: [k]a) : []a = if i == 0 then xs else xs[i % (k + 1):]"},
	{"window", `def window [k] 'a (i: i64) (j: i64) (xs: [k]a) : []a =
  let from = i % (k + 1)
  in if i == j then [] else xs[from:from + j % (k + 1 - from)]`},
	{"upto", "def upto [k] 'a (i: i64) (xs: [k]a) : []a = xs[0:i % (k + 1)]"},
	{"put", "def put [k] 'a (i: i64) (v: a) (xs: [k]a) : [k]a = scatter (copy xs) [i % (k + 1)] [v]"},
	{"overlay", `def overlay [k] 'a (xs: [k]a) : [k]a =
  let h = k / 2
  in copy xs with [0:h] = (xs[k - h:] :> [h - 0]a)`},
	{"tally", `def tally [k] [b] 'a (bins: [b]a) (op: a -> a -> a) (ne: a) (xs: [k]a) : [b]a =
  reduce_by_index (copy bins) op ne (map (\i -> i * 3 % (b + 1)) (iota k)) xs`},
	{"evens", "def evens [k] 'a (xs: [k]a) : []a = xs[::2]"},
	{"strided", `def strided [k] 'a (i: i64) (s: i64) (xs: [k]a) : []a =
  if k == 0 then [] else if s < 0 then xs[i % k::s % 3 - 3] else xs[i % k::s % 3 + 1]`},
	{"stepped", `def stepped [k] 'a (i: i64) (j: i64) (s: i64) (xs: [k]a) : []a =
  let (a, b) = (i % (k + 1), j % (k + 1))
  in xs[i64.min a b:i64.max a b:s % 4 + 1]`},
	{"adder", "def adder (k: i32) : i32 -> i32 = \\x -> x + k"},
	{"lifted", "type^ lifted '~a = #many a | #few i32"},
	{"lifted_map", `def lifted_map '~a '~b (f: a -> b) (l: lifted a) : lifted b =
  match l case #many x -> #many (f x) case #few k -> #few k`},
	{"repeat", `def repeat '~a (k: i32) (f: (() -> a) -> a) (x: () -> a) : a =
  loop y = x () for _i < k do f (\() -> y)`},
	{"step", "type^ step 'a = #const (() -> []a) | #make (i32 -> []a)"},
	{"run_step", `def run_step 'a (s: step a) (x: i32) : []a =
  match s case #const xs -> xs () ++ xs () case #make f -> f x`},
	{"boxes", `module type boxes = {
  type~ t 'a
  val pack [n] 'a : [n]a -> t a
  val grow 'a : a -> t a -> t a
  val unpack 'a : t a -> []a
}`},
	{"box", `module box : boxes = {
  type~ t 'a = []a
  def pack xs = xs
  def grow 'a (x: a) (xs: []a) = xs ++ [x]
  def unpack xs = xs
}`},
	{"fit_f16", "def fit_f16 (x: f16) : f16 = f16.max (-16) (f16.min 16 x)"},
	{"fit_f32", "def fit_f32 (x: f32) : f32 = f32.max (-16) (f32.min 16 x)"},
	{"fit_f64", "def fit_f64 (x: f64) : f64 = f64.max (-16) (f64.min 16 x)"},
}

// used returns the definitions of the library that a text needs.
func used(text string) string {
	var out []string
	for i := len(library) - 1; i >= 0; i-- {
		if mentions(text, library[i].name) {
			out = append([]string{library[i].text}, out...)
			text = library[i].text + "\n" + text
		}
	}
	if out == nil {
		return ""
	}
	return strings.Join(out, "\n") + "\n\n"
}

// mentions reports whether a name is in a text as a word of its own.
func mentions(text, name string) bool {
	for {
		i := strings.Index(text, name)
		if i < 0 {
			return false
		}
		before := i == 0 || !isWord(text[i-1])
		text = text[i+len(name):]
		if before && (text == "" || !isWord(text[0])) {
			return true
		}
	}
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
