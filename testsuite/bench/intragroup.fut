-- One workgroup a row, the inner operator shared out inside it.
-- Each comes plain (_org) and with efficient sequentialization by 4 (_seq).

entry matrix (n: i64) (m: i64) : [n][m]u32 =
  tabulate_2d n m (\i j -> u32.i64 ((i * 7919 + j * 104729) % 1021))

-- ==
-- entry: map_org map_seq reduce_org reduce_seq scan_org scan_seq
-- "[100k][1024]" script input { matrix 100000i64 1024i64 }
-- "[1048576][128]" script input { matrix 1048576i64 128i64 }
-- "[524288][256]" script input { matrix 524288i64 256i64 }
-- "[262144][512]" script input { matrix 262144i64 512i64 }
-- "[131072][1024]" script input { matrix 131072i64 1024i64 }

entry map_org [n][m] (xss: [n][m]u32) : [n][m]u32 =
  #[flattening(only_intra)] map (\xs -> map (+ 2) xs) xss

entry map_seq [n][m] (xss: [n][m]u32) : [n][m]u32 =
  #[flattening(only_intra)] #[seq_factor(4)] map (\xs -> map (+ 2) xs) xss

entry reduce_org [n][m] (xss: [n][m]u32) : [n]u32 =
  #[flattening(only_intra)] map (\xs -> reduce (+) 0 xs) xss

entry reduce_seq [n][m] (xss: [n][m]u32) : [n]u32 =
  #[flattening(only_intra)] #[seq_factor(4)] map (\xs -> reduce (+) 0 xs) xss

entry scan_org [n][m] (xss: [n][m]u32) : [n][m]u32 =
  #[flattening(only_intra)] map (\xs -> scan (+) 0 xs) xss

entry scan_seq [n][m] (xss: [n][m]u32) : [n][m]u32 =
  #[flattening(only_intra)] #[seq_factor(4)] map (\xs -> scan (+) 0 xs) xss

-- ==
-- entry: scatter_org scatter_seq bigadd_org bigadd_seq radix_org radix_seq
-- "[131072][1024]" script input { (matrix 131072i64 1024i64, matrix 131072i64 1024i64) }
-- "[524288][256]" script input { (matrix 524288i64 256i64, matrix 524288i64 256i64) }

def reversed [m] (ds: [m]u32) (vs: [m]u32) : *[m]u32 =
  scatter (copy ds) (map (\i -> m - 1 - i) (iota m)) vs

entry scatter_org [n][m] (dss: [n][m]u32) (vss: [n][m]u32) : [n][m]u32 =
  #[flattening(only_intra)] map2 reversed dss vss

entry scatter_seq [n][m] (dss: [n][m]u32) (vss: [n][m]u32) : [n][m]u32 =
  #[flattening(only_intra)] #[seq_factor(4)] map2 reversed dss vss

-- Big-number addition: digits least significant first; a carry is a scan over (carry out, propagates).
def badd [m] (as: [m]u32) (bs: [m]u32) : [m]u32 =
  let rs = map2 (+) as bs
  let cs = map2 (\r a -> (u8.bool (r < a)) | (u8.bool (r == u32.highest) << 1)) rs as
  let op (c1: u8) (c2: u8) : u8 = (((c1 & (c2 >> 1)) | c2) & 1) | (c1 & c2 & 2)
  let ps = scan op 2 cs
  in map2 (\r i -> r + u32.bool (i > 0 && (ps[i - 1] & 1) == 1)) rs (iota m)

entry bigadd_org [n][m] (ass: [n][m]u32) (bss: [n][m]u32) : [n][m]u32 =
  #[flattening(only_intra)] map2 badd ass bss

entry bigadd_seq [n][m] (ass: [n][m]u32) (bss: [n][m]u32) : [n][m]u32 =
  #[flattening(only_intra)] #[seq_factor(4)] map2 badd ass bss

-- Radix sort of each row by its low 8 bits, one bit a round (partition by scan and scatter).
def bitsplit [m] (b: u32) (xs: [m]u32) : [m]u32 =
  let bits = map (\x -> i32.u32 ((x >> b) & 1)) xs
  let zeros = map (1 -) bits
  let ps0 = scan (+) 0 zeros
  let ps1 = scan (+) 0 bits
  let n0 = ps0[m - 1]
  let is = map3 (\bit p0 p1 -> i64.i32 (if bit == 0 then p0 - 1 else n0 + p1 - 1)) bits ps0 ps1
  in scatter (replicate m 0) is xs

def rsort [m] (xs: [m]u32) (ys: [m]u32) : [m]u32 =
  loop xs = map2 (^) xs ys for b < 8 do bitsplit (u32.i32 b) xs

entry radix_org [n][m] (xss: [n][m]u32) (yss: [n][m]u32) : [n][m]u32 =
  #[flattening(only_intra)] map2 rsort xss yss

entry radix_seq [n][m] (xss: [n][m]u32) (yss: [n][m]u32) : [n][m]u32 =
  #[flattening(only_intra)] #[seq_factor(4)] map2 rsort xss yss
