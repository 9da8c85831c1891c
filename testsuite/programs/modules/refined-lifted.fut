-- A type that a module type declares as unlifted may be refined to a size-lifted one; other modules can rename it still.

module type key = { type~ ctx  type key  val hash : ctx -> key -> i64 }
module type hm = { type key  type ctx  type m 'ctx [n]  val ctx [n] : m ctx [n] -> ctx
  val mk [n] : ctx -> [n]key -> m ctx [n]
  val count [n] : ctx -> m ctx [n] -> key -> i64 }
module mk_low (K: key) : hm with key = K.key with ctx = K.ctx = {
  type key = K.key
  type~ ctx = K.ctx
  type m 'ctx [n] = {ctx: ctx, hs: [n]i64}
  def ctx [n] (m: m ctx [n]) : ctx = m.ctx
  def mk [n] (c: ctx) (ks: [n]key) : m ctx [n] = {ctx = c, hs = map (K.hash c) ks}
  def count [n] (c: ctx) (m: m ctx [n]) (k: key) = reduce (+) 0 (map (\h -> i64.bool (h == K.hash c k)) m.hs)
}
module mk_high (K: key) : hm with key = K.key with ctx = K.ctx = {
  module low = mk_low K
  type key = low.key
  type ctx = low.ctx
  type m 'ctx [n] = low.m ctx [n]
  def ctx [n] (m: m ctx [n]) : ctx = low.ctx m
  def mk [n] (c: ctx) (ks: [n]key) : m ctx [n] = low.mk c ks
  def count [n] (c: ctx) (m: m ctx [n]) (k: key) = low.count c m k
}
module simple = mk_high { type ctx = ()  type key = i64  def hash () k = k % 3i64 }
module arr = mk_high { type~ ctx = []i64  type key = i64  def hash (c: []i64) (k: i64) = c[k % length c] }

-- ==
-- entry: simple_count
-- input { [1i64,2i64,4i64,7i64] } output { 3i64 }
entry simple_count (xs: []i64) = simple.count () (simple.mk () xs) 1
-- ==
-- entry: arr_count
-- input { [1i64,2i64,4i64,7i64] } output { 2i64 }
entry arr_count (xs: []i64) = let m = arr.mk [3,4] xs in arr.count (arr.ctx m) m 2
