package main

// widthCases are movements of elements of all widths, and of three dimensions.
func widthCases(of sizes) []Case {
	orders := [][3]int{{0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}
	if of == testSizes {
		return widthTests(append(orders, [3]int{0, 1, 2}))
	}
	n, side := 100_000_000, 10_000
	if of == guaranteedSizes {
		n, side = 30_000_000, 5_000
	}
	var cs []Case
	for _, o := range orders {
		cs = append(cs, permuteCase([3]int{n / 100_000, 200, 500}, o))
	}
	cs = append(cs, permuteCase([3]int{n / 100_793, 201, 501}, [3]int{2, 1, 0}),
		permuteCase([3]int{100, n / 400, 4}, [3]int{1, 0, 2}))
	for i := range numerics {
		t := &numerics[i]
		if t.name != "i8" && t.name != "i16" && t.name != "i32" && t.name != "i64" {
			continue
		}
		elements := n / t.bits * 4 // 50 MB of any type.
		for k := range moves {
			cs = append(cs, widthCase(&moves[k], t, elements, 1_000))
		}
		cs = append(cs, widthTransposeCase(t, side, side))
		if t.bits < 32 {
			cs = append(cs, widthTransposeCase(t, side-1, side+1))
		}
	}
	return cs
}

// widthTests are small: odd sizes, nothing, one element.
func widthTests(orders [][3]int) []Case {
	var cs []Case
	for _, o := range orders {
		cs = append(cs, permuteCase([3]int{5, 33, 70}, o), permuteCase([3]int{12, 40, 36}, o))
	}
	cs = append(cs, permuteCase([3]int{1, 1, 1}, [3]int{2, 1, 0}), permuteCase([3]int{3, 0, 4}, [3]int{2, 1, 0}))
	for i := range numerics {
		t := &numerics[i]
		if t.name != "i8" && t.name != "i16" && t.name != "i32" && t.name != "i64" {
			continue
		}
		for k := range moves {
			cs = append(cs, widthCase(&moves[k], t, 3_003, 77))
		}
		cs = append(cs, widthTransposeCase(t, 68, 132), widthTransposeCase(t, 33, 71), widthTransposeCase(t, 197, 99))
	}
	gather, flip := &moves[0], &moves[1]
	return append(cs, widthCase(gather, &numerics[0], 0, 1), widthCase(flip, &numerics[0], 1, 1),
		widthTransposeCase(&numerics[0], 1, 1), widthTransposeCase(&numerics[0], 5, 1), widthTransposeCase(&numerics[0], 1, 70))
}
