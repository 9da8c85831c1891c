-- Values of a size-lifted type may differ in size, so that no array can hold them.
-- ==
-- error: lifted

module rows (p: { type~ t val make : i64 -> t }) = { def all (n: i64) = map p.make (iota n) }
module triangle = rows { type~ t = ?[k].[k]i64 def make = iota }
def main (n: i64) = length (triangle.all n)
