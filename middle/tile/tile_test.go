package tile_test

import (
	"testing"

	"skald/middle/core"
	"skald/middle/passtest"
	"skald/middle/tile"
)

func TestMapsGetTiles(t *testing.T) { passtest.Golden(t, "testdata/*.txtar", tile.Pass) }

// A branch that only checks something has no result by which the code behind the tiles would ask for it.
func TestMapsWithChecksThatHaveNoResultsGetNone(t *testing.T) {
	p, err := core.Parse(`stage memory

fun main (n_1: i64, m_2: i64, c_3: bool, xs_mem_4: mem(i32, device), xs_5: [m_2]i32 @xs_mem_4{0; 1}):
  (r_mem_6: mem(i32, device), r_7: [n_1]i32 @r_mem_6{0; 1}) = {
  let (x_mem_8: mem(i32, device)) = alloc i32 n_1 device
  let (x_9: [n_1]i32 @x_mem_8{0; 1}) = segmap.grid (i_10 < n_1) (i32) {
    let () = if c_3 {
      in ()
    } else {
      let (c_11: bool) = ne.i64 n_1 3i64
      let (ok_12: cert) = assert c_11 ("three")
      in ()
    }
    let (r_13: i32) = loop (acc_14: i32 = 0i32) for i_15: i64 < m_2 {
      let (x_16: i32) = index xs_5 [i_15]
      let (t_17: i32) = add.i32 acc_14 x_16
      in (t_17)
    }
    in (r_13)
  }
  in (x_mem_8, x_9)
}
`)
	if err != nil {
		t.Fatal(err)
	}
	if got := core.Print(passtest.Apply(t, tile.Pass, p)); got != core.Print(p) {
		t.Errorf("became\n%s", got)
	}
}
