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
	least, most := bounds(v)
	if err := agree("least element", least, f.Min); err != nil {
		return err
	}
	if err := agree("greatest element", most, f.Max); err != nil {
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
	return f.checkSum(v)
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
func (f figures) checkSum(v value.Value) error {
	if !v.Elem().IsFloat() {
		whole := new(big.Int)
		for i := range v.Len() {
			whole.Add(whole, big.NewInt(v.At(i).Int()))
		}
		if whole.String() != f.Sum.String() {
			return fmt.Errorf("the sum is %v, but %s is expected", whole, f.Sum)
		}
		return nil
	}
	sum := 0.0
	for i := range v.Len() {
		sum += v.At(i).Float()
	}
	want, bad := f.Sum.Float64()
	least, _ := f.Min.Float64()
	most, _ := f.Max.Float64()
	one := value.DefaultTolerance * max(1, math.Abs(least), math.Abs(most))
	if bad != nil || math.Abs(sum-want) > one*float64(v.Len()) {
		return fmt.Errorf("the sum is %v, but %s is expected", sum, f.Sum)
	}
	return nil
}

// bounds returns the least and the greatest element; of no elements, zero.
func bounds(v value.Value) (least, most prim.Value) {
	less := func(x, y prim.Value) bool { return x.Int() < y.Int() }
	if v.Elem().IsFloat() {
		less = func(x, y prim.Value) bool { return x.Float() < y.Float() }
	}
	if v.Len() == 0 {
		return prim.Zero(v.Elem()), prim.Zero(v.Elem())
	}
	least, most = v.At(0), v.At(0)
	for i := range v.Len() {
		if x := v.At(i); less(x, least) {
			least = x
		} else if less(most, x) {
			most = x
		}
	}
	return least, most
}
