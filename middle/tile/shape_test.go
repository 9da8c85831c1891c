package tile

import (
	"fmt"
	"testing"

	"skald/middle/core"
)

func TestShapesAreMadeOfTheSidesThatAreSet(t *testing.T) {
	for _, c := range []struct {
		set   sides
		words int
		want  []core.TileShape
	}{
		{sides{16, 4}, 1, []core.TileShape{Square(16, 4)}},
		{sides{16, 8}, 2, []core.TileShape{Square(16, 4)}}, // 128 words of accumulators do not fit
		{sides{4, 2}, 100, []core.TileShape{Square(4, 1)}},
		{sides{32, 0}, 1, []core.TileShape{Square(32, 8), Square(32, 4), Square(32, 2), Square(32, 1)}},
		{sides{32, 0}, 5, []core.TileShape{Square(32, 2), Square(32, 1)}},
		{sides{0, 2}, 1, []core.TileShape{Square(16, 2), Square(8, 2)}},
	} {
		if got := c.set.shapes(c.words); fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%+v with %d words: %v, want %v", c.set, c.words, got, c.want)
		}
	}
}
