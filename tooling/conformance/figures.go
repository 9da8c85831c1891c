package conformance

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/big"
	"math/bits"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"skald/runtime/prim"
	"skald/runtime/value"
)

// figures say of a value that is too large for a reference file what it must agree with: its sum and bounds, and some of
// its elements. The index of the reference outputs has a list of them for each case, in JSON.
type figures struct {
	Type          string
	Shape         []int
	Sum, Min, Max json.Number
	At            [][2]json.Number // flat index, element
}

// indexFigures reads the figures of the n-th case of a program from the index in a folder; ok is false when it has none.
func indexFigures(folder, program string, n int) (of []figures, ok bool, err error) {
	rows, err := readIndex(filepath.Join(folder, "index.csv"))
	if err != nil || len(rows) == 0 {
		return nil, false, err
	}
	column := func(name string) int { return slices.Index(rows[0], name) }
	at, number, text := column("program"), column("case"), column("out_stats")
	if at < 0 || number < 0 || text < 0 {
		return nil, false, nil
	}
	for _, row := range rows[1:] {
		if row[at] == program && row[number] == strconv.Itoa(n) && row[text] != "" {
			err := json.Unmarshal([]byte(row[text]), &of)
			return of, err == nil && !slices.ContainsFunc(of, figures.strange), err
		}
	}
	return nil, false, nil
}

// readIndex returns the rows of an index, none if there is no such file.
func readIndex(path string) ([][]string, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return csv.NewReader(bytes.NewReader(data)).ReadAll()
}

// strange reports whether figures are of elements other than signed integers and floats, for which they are not defined.
func (f figures) strange() bool {
	t, ok := prim.ParseType(f.Type)
	return !ok || !t.IsSigned() && !t.IsFloat()
}

// compareFigures describes the first difference of values from figures, or returns "".
func compareFigures(got []value.Value, want []figures) string {
	if len(got) != len(want) {
		return fmt.Sprintf("%d results, but %d are expected", len(got), len(want))
	}
	for i := range want {
		if err := want[i].check(got[i]); err != nil {
			return fmt.Sprintf("result %d: %v", i, err)
		}
	}
	return ""
}

// check compares a value with its figures.
func (f figures) check(v value.Value) error {
	if v.Elem().String() != f.Type || !slices.Equal(v.Shape(), f.Shape) {
		return fmt.Errorf("expected %v%s, got a value of type %v", f.Shape, f.Type, v.Type())
	}
	m := measure(v)
	if err := agree("least element", m.least, f.Min); err != nil {
		return err
	}
	if err := agree("greatest element", m.most, f.Max); err != nil {
		return err
	}
	for _, at := range f.At {
		i, err := at[0].Int64()
		if err != nil || i < 0 || i >= int64(v.Len()) {
			return fmt.Errorf("the reference has an element at %s", at[0])
		}
		if err := agree(fmt.Sprintf("element %d", i), v.At(int(i)), at[1]); err != nil {
			return err
		}
	}
	return f.checkSum(v, m)
}

// agree compares an element with a number, as results are compared.
func agree(what string, got prim.Value, text json.Number) error {
	if text == "" {
		return nil
	}
	want, err := prim.ParseValueAs(text.String(), got.Type())
	if err != nil {
		return err
	}
	one := func(x prim.Value) value.Value {
		v := value.New(x.Type(), 1)
		v.Set(0, x)
		return v
	}
	if value.Compare(one(got), one(want), value.DefaultTolerance) != nil {
		return fmt.Errorf("the %s is %v, but %v is expected", what, got, want)
	}
	return nil
}

// checkSum compares sums: of integers exactly, of floats by what they may differ by if each element does within the
// tolerance.
func (f figures) checkSum(v value.Value, m measures) error {
	if !v.Elem().IsFloat() {
		if whole := m.whole(); whole.String() != f.Sum.String() {
			return fmt.Errorf("the sum is %v, but %s is expected", whole, f.Sum)
		}
		return nil
	}
	want, bad := f.Sum.Float64()
	least, _ := f.Min.Float64()
	most, _ := f.Max.Float64()
	one := value.DefaultTolerance * max(1, math.Abs(least), math.Abs(most))
	if bad != nil || math.Abs(m.sum-want) > one*float64(v.Len()) {
		return fmt.Errorf("the sum is %v, but %s is expected", m.sum, f.Sum)
	}
	return nil
}

// measures are what figures say of an array: its bounds, which are zero if there are no elements, and its sum, of integers in two words.
type measures struct {
	least, most prim.Value
	high        int64
	low         uint64
	sum         float64
}

// whole is the sum of integers.
func (m *measures) whole() *big.Int {
	sum := new(big.Int).Lsh(big.NewInt(m.high), 64)
	return sum.Add(sum, new(big.Int).SetUint64(m.low))
}

// measure looks once at every element of an array of signed integers or floats, which may have 10^8.
func measure(v value.Value) measures {
	switch v.Elem() {
	case prim.I8:
		return ofInts(v, value.Slice[int8](v))
	case prim.I16:
		return ofInts(v, value.Slice[int16](v))
	case prim.I32:
		return ofInts(v, value.Slice[int32](v))
	case prim.I64:
		return ofInts(v, value.Slice[int64](v))
	case prim.F32:
		return ofFloats(v, value.Slice[float32](v))
	case prim.F64:
		return ofFloats(v, value.Slice[float64](v))
	default:
		xs := make([]float64, v.Len())
		for i := range xs {
			xs[i] = v.At(i).Float()
		}
		return ofFloats(v, xs)
	}
}

func ofInts[T int8 | int16 | int32 | int64](v value.Value, xs []T) measures {
	var m measures
	least, most := bounds(xs)
	for _, x := range xs {
		low, carry := bits.Add64(m.low, uint64(int64(x)), 0)
		m.low, m.high = low, m.high+int64(x)>>63+int64(carry)
	}
	m.least, m.most = prim.MakeInt(v.Elem(), int64(least)), prim.MakeInt(v.Elem(), int64(most))
	return m
}

func ofFloats[T float32 | float64](v value.Value, xs []T) measures {
	var m measures
	least, most := bounds(xs)
	for _, x := range xs {
		m.sum += float64(x)
	}
	m.least, m.most = prim.MakeFloat(v.Elem(), float64(least)), prim.MakeFloat(v.Elem(), float64(most))
	return m
}

// bounds returns the least and the greatest element; of no elements, zero. A NaN is neither less nor greater than others.
func bounds[T int8 | int16 | int32 | int64 | float32 | float64](xs []T) (least, most T) {
	if len(xs) == 0 {
		return 0, 0
	}
	least, most = xs[0], xs[0]
	for _, x := range xs {
		if x < least {
			least = x
		} else if most < x {
			most = x
		}
	}
	return least, most
}
