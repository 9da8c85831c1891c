package interp

// isScalar reports whether values of the type are words.
func (t *rtype) isScalar() bool { return t.kind == primType }

// mapArray is map: its arguments are the function and the array, its types those of argument and result.
func (m *machine) mapArray(o operands) Value {
	xs := o.array(1)
	n := xs.len()
	if n == 0 {
		return Value{ref: newArray([]int{0}, o.elem(1))}
	}
	f := m.newCaller(o.args[0], 1, o.site)
	defer f.done()
	first := f.element(xs, 0)
	out := newArrayOf(n, o.elem(1), first)
	m.store(out, 0, first, o.site)
	if xs.buf != nil && len(xs.shape) == 1 && o.elem(1).isScalar() {
		in, off, to := xs.buf, xs.off, out.buf
		for i := 1; i < n; i++ {
			to.put(i, f.call1(in.get(off+i)))
		}
		return Value{ref: out}
	}
	for i := 1; i < n; i++ {
		m.store(out, i, f.element(xs, i), o.site)
	}
	return Value{ref: out}
}

// reduce folds from the left, beginning with the neutral element.
func (m *machine) reduce(o operands) Value {
	acc, xs := o.args[1], o.array(2)
	if xs.len() == 0 {
		return copyValue(acc)
	}
	op := m.newCaller(o.args[0], 2, o.site)
	defer op.done()
	for i := range xs.len() {
		acc = op.call2(acc, xs.at(i))
	}
	return copyValue(acc)
}

func (m *machine) scan(o operands) Value {
	acc, xs := o.args[1], o.array(2)
	out := xs.fresh(nil, 0)
	op := m.newCaller(o.args[0], 2, o.site)
	defer op.done()
	for i := range xs.len() {
		acc = op.call2(acc, xs.at(i))
		m.store(out, i, acc, o.site)
	}
	return Value{ref: out}
}

// place reads an index of one or more dimensions, and finds it in an array; ok is false if it lies outside.
func place(a *array, ix Value) (row *array, i int, ok bool) {
	r, isTuple := ix.ref.(*record)
	if !isTuple {
		i = ix.int()
		return a, i, i >= 0 && i < a.len()
	}
	row = a
	for k, field := range r.fields {
		i = field.int()
		if i < 0 || i >= row.shape[0] {
			return nil, 0, false
		}
		if k < len(r.fields)-1 {
			row = row.row(i)
		}
	}
	return row, i, true
}

// hist updates its destination in place.
func (m *machine) hist(o operands) Value {
	dest, is, xs := o.array(1), o.array(4), o.array(5)
	op := m.newCaller(o.args[2], 2, o.site)
	defer op.done()
	for j := range xs.len() {
		if row, i, ok := place(dest, is.at(j)); ok {
			m.store(row, i, op.call2(row.at(i), xs.at(j)), o.site)
		}
	}
	return m.consume(o.args[1])
}

// scatter updates its destination in place.
func (m *machine) scatter(o operands) Value {
	dest, is, xs := o.array(0), o.array(1), o.array(2)
	for j := range xs.len() {
		if row, i, ok := place(dest, is.at(j)); ok {
			m.store(row, i, xs.at(j), o.site)
		}
	}
	return m.consume(o.args[0])
}

// flatMap concatenates results of different sizes. It returns the sizes, a flag at the first element of each segment,
// where each begins, the data, and the other results.
func (m *machine) flatMap(o operands) Value {
	xs := o.array(1)
	n := xs.len()
	f := m.newCaller(o.args[0], 1, o.site)
	defer f.done()
	sizes, starts := newArray([]int{n}, int64Type), newArray([]int{n}, int64Type)
	var segments []*array
	var rest *array
	total := 0
	for i := range n {
		fields := f.element(xs, i).record().fields
		seg := fields[0].array()
		if rest == nil {
			rest = newArrayOf(n, o.elem(2), fields[1])
		}
		m.store(rest, i, fields[1], o.site)
		sizes.set(i, intValue(int64(seg.len())))
		starts.set(i, intValue(int64(total)))
		segments = append(segments, seg.clone())
		total += seg.len()
	}
	if n == 0 {
		rest = newArray([]int{0}, o.elem(2))
	}
	flags := newArray([]int{total}, boolType)
	data := newArray([]int{total}, o.elem(1))
	if n > 0 {
		data = segments[0].fresh([]int{total}, 1)
	}
	next := 0
	for _, seg := range segments {
		if seg.len() > 0 {
			flags.set(next, boolValue(true))
			data.slice(next, seg.len()).assign(seg)
		}
		next += seg.len()
	}
	return tuple(Value{ref: sizes}, Value{ref: flags}, Value{ref: starts}, Value{ref: data}, Value{ref: rest})
}
