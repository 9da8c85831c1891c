package core

import (
	"slices"
	"strconv"
	"strings"
)

// Tiling says that the workgroups of a SegMap work in tiles. Its body is straight code around one loop, and what this loop reads
// depends on part of the space only, so that the threads of a workgroup read it together, into workgroup memory:
// Note [Tiles] in package tile.
//
// Cols are the dimensions of the space, in order, that together are the columns of a tile; Rows, which may be none, those that are its
// rows. A workgroup has one index of each other dimension.
//
// The meaning of the operation is the same with and without. Of Shapes, the first is taken whose tiles suit the sizes at run time and the
// device; when there is none, the operation runs without tiles.
type Tiling struct {
	Rows, Cols []int
	Shapes     []TileShape
}

// TileShape is the shape of tiles: Rows x Cols points, of which each thread has RegRows x RegCols, and Depth iterations of
// the loop at a time.
type TileShape struct{ Rows, Cols, Depth, RegRows, RegCols int }

// Threads is the number of threads of a workgroup.
func (s TileShape) Threads() int { return s.Rows / s.RegRows * (s.Cols / s.RegCols) }

func (p *printer) tiling(t *Tiling) {
	if t == nil {
		return
	}
	p.writef("tiled (%s) (%s) (", numbers(t.Rows), numbers(t.Cols))
	for i, s := range t.Shapes {
		if i > 0 {
			p.out.WriteString(", ")
		}
		p.writef("%d %d %d by %d %d", s.Rows, s.Cols, s.Depth, s.RegRows, s.RegCols)
	}
	p.out.WriteString(") ")
}

func numbers(ns []int) string {
	words := make([]string, len(ns))
	for i, n := range ns {
		words[i] = strconv.Itoa(n)
	}
	return strings.Join(words, ", ")
}

// tiling reads how a segmented map is tiled, if it is.
func (p *parser) tiling() *Tiling {
	if !p.accept("tiled") {
		return nil
	}
	t := &Tiling{Rows: p.ints(), Cols: p.ints()}
	t.Shapes = list(p, "(", ")", func() TileShape {
		s := TileShape{Rows: p.int(), Cols: p.int(), Depth: p.int()}
		p.expect("by")
		s.RegRows, s.RegCols = p.int(), p.int()
		return s
	})
	return t
}

// tiling checks that the dimensions exist and that threads share tiles evenly.
func (v *verifier) tiling(t *Tiling, s Space) {
	if t == nil {
		return
	}
	seen := make([]bool, len(s.Ids))
	for _, d := range slices.Concat(t.Rows, t.Cols) {
		if d < 0 || d >= len(seen) || seen[d] {
			v.fail("tiles along dimension %d of %d", d, len(seen))
			return
		}
		seen[d] = true
	}
	if len(t.Cols) == 0 || s.Slot != 0 {
		v.fail("tiles without columns, or of points that share memory")
	}
	for _, sh := range t.Shapes {
		if !sh.even() {
			v.fail("a tile of %d x %d points by %d x %d", sh.Rows, sh.Cols, sh.RegRows, sh.RegCols)
		}
	}
}

// even reports whether threads can share a tile evenly.
func (s TileShape) even() bool {
	return min(s.RegRows, s.RegCols, s.Depth, s.Rows, s.Cols) > 0 && s.Rows%s.RegRows == 0 && s.Cols%s.RegCols == 0
}
