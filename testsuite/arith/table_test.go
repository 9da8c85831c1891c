package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCSVIsSortedByTypeAndHasTodaysBounds(t *testing.T) {
	file := filepath.Join(t.TempDir(), "state.json")
	state := map[string]outcome{
		"a": {
			Function: "exp_f64", Dialect: "native WGSL", Judge: "CUDA's f64", Count: 9, ULP: 0.5, Bound: 77, At: "1.0f64",
			JudgeULP: 0.75, JudgeCount: 3,
		},
		"b": {Function: "add_f64", Dialect: "CUDA C", Judge: "runtime/prim", Count: 4, All: true, Rate: 2.5e12},
		"c": {Function: "sqrt_f32", Dialect: "CUDA C", Count: 2, Wrong: 1, At: "2.0f32, x"},
	}
	data, err := json.Marshal(state)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	if err := printCSV(&got, []string{file}); err != nil {
		t.Fatal(err)
	}
	exp, _ := inexactFunction(swept[0], "exp_f64")
	want := fmt.Sprintf(`%s
sqrt_f32,CUDA C,2,false,,0,0,1,"2.0f32, x",0,,
add_f64,CUDA C,4,true,runtime/prim,0,0,0,,2.5e+12,,
exp_f64,native WGSL,9,false,CUDA's f64,0.5,%g,0,1.0f64,0,0.75,3
`, strings.Join(csvHeader, ","), exp.bound)
	if got.String() != want {
		t.Errorf("\n%s\nwant\n%s", got.String(), want)
	}
}
