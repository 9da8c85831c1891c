package describe_test

import (
	"testing"

	"skald/runtime/describe"
	"skald/runtime/prim"
	"skald/runtime/value"
)

func parse(t *testing.T, texts ...string) []value.Value {
	t.Helper()
	var out []value.Value
	for _, s := range texts {
		v, err := value.Parse(s)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, v)
	}
	return out
}

var (
	i32     = describe.Scalar(prim.I32)
	boolean = describe.Scalar(prim.Bool)
	pair    = describe.Record([]string{"0", "1"}, i32, boolean)
	point   = describe.Record([]string{"x", "y"}, i32, describe.Array(describe.Array(i32)))
	unit    = describe.Record(nil)
	// maybe is #none | #some i32 | #two i32 (a pair): the payloads of #some and #two share component 1.
	maybe = &describe.Form{Sum: &describe.Sum{Width: 4, Ctors: []describe.Ctor{
		{Name: "none"},
		{Name: "some", Args: []*describe.Form{i32}, Slots: []int{1}},
		{Name: "two", Args: []*describe.Form{i32, pair}, Slots: []int{1, 2, 3}},
	}}}
	nested = &describe.Form{Sum: &describe.Sum{Width: 5, Ctors: []describe.Ctor{
		{Name: "one", Args: []*describe.Form{maybe}, Slots: []int{1, 2, 3, 4}},
	}}}
)

func TestTexts(t *testing.T) {
	for _, c := range []struct {
		form       *describe.Form
		components []string
		want       string
	}{
		{i32, []string{"3"}, "3i32"},
		{unit, []string{"false"}, "()"},
		{pair, []string{"3", "true"}, "(3i32, true)"},
		{point, []string{"1", "[[2], [3]]"}, "{x = 1i32, y = [[2i32], [3i32]]}"},
		{describe.Record([]string{"0"}, i32), []string{"1"}, "{0 = 1i32}"},
		{describe.Array(pair), []string{"[1, 2]", "[true, false]"}, "[(1i32, true), (2i32, false)]"},
		{describe.Array(pair), []string{"empty([0]i32)", "empty([0]bool)"}, "empty([0](i32, bool))"},
		{describe.Array(describe.Array(i32)), []string{"empty([2][0]i32)"}, "empty([2][0]i32)"},
		{describe.Array(point), []string{"empty([0]i32)", "empty([0][2][3]i32)"}, "empty([0]{x: i32, y: [2][3]i32})"},
		{maybe, []string{"0i8", "7", "8", "true"}, "#none"},
		{maybe, []string{"2i8", "7", "8", "true"}, "#two 7i32 (8i32, true)"},
		{maybe, []string{"9i8", "7", "8", "true"}, "#?"},
		{nested, []string{"0i8", "1i8", "7", "8", "true"}, "#one (#some 7i32)"},
		{describe.Array(maybe), []string{"[0i8, 1i8]", "[5, 6]", "[0, 0]", "[true, true]"}, "[#none, #some 6i32]"},
		{
			describe.Array(maybe),
			[]string{"empty([0]i8)", "empty([0]i32)", "empty([0]i32)", "empty([0]bool)"},
			"empty([0](#none | #some i32 | #two i32 (i32, bool)))",
		},
	} {
		text := c.form.String()
		form, err := describe.Parse(text)
		if err != nil || form.String() != text {
			t.Errorf("%s is read as %v, %v", text, form, err)
			continue
		}
		if got := form.Text(parse(t, c.components...)...); got != c.want {
			t.Errorf("%s, wanted %s", got, c.want)
		}
	}
}

func TestFormsThatDescribeNothing(t *testing.T) {
	for _, text := range []string{
		"", "{}", `{"prim": "i32", "array": {"prim": "i32"}}`, `{"record": [{"name": "a"}]}`, `{"array": {}}`,
		`{"sum": {"width": 2, "constructors": [{"name": "a", "arguments": [{"prim": "i32"}], "slots": [2]}]}}`,
		`{"sum": {"width": 2, "constructors": [{"name": "a", "arguments": [{"prim": "i32"}]}]}}`,
	} {
		if f, err := describe.Parse(text); err == nil {
			t.Errorf("%s is read as %s", text, f)
		}
	}
}
