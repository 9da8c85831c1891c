package pass_test

import (
	"sync/atomic"
	"testing"

	"skald/frontend/source"
	"skald/middle/facts"
	"skald/middle/pass"
)

func TestEachKeepsTheOrder(t *testing.T) {
	in := make([]int, 1000)
	for i := range in {
		in[i] = i
	}
	for i, x := range pass.Each(in, func(i int) int { return i * i }) {
		if x != i*i {
			t.Fatalf("element %d is %d", i, x)
		}
	}
	if out := pass.Each(nil, func(i int) int { return i }); len(out) != 0 {
		t.Errorf("of nothing: %v", out)
	}
}

// What a pass says of an element is what Apply returns; where several say something it is the first's.
func TestEachSaysWhatOneOfItsElementsSays(t *testing.T) {
	var done atomic.Int64
	ctx := &pass.Context{}
	p := pass.Pass[[]int, []int]{Name: "each", Run: func(ctx *pass.Context, in []int) []int {
		return pass.Each(in, func(i int) int {
			done.Add(1)
			if i >= 50 {
				ctx.Limit(source.Span{}, "element %d is too much", i)
			}
			return i
		})
	}}
	in := make([]int, 100)
	for i := range in {
		in[i] = i
	}
	_, d := pass.Apply(ctx, p, in, nil)
	if d == nil || d.Message != "element 50 is too much" || done.Load() != 100 {
		t.Errorf("%v after %d", d, done.Load())
	}
}

func TestResultsFitDevicesWithTheSameAnswers(t *testing.T) {
	wide := facts.Facts{GroupSize: 1024}
	ctx := &pass.Context{Device: wide}
	if !ctx.Fits(facts.Facts{Tasks: 3}) || len(ctx.Asked()) > 0 {
		t.Error("nothing was asked")
	}
	if pass.Ask(ctx, func(f facts.Facts) bool { return f.GroupSize > 512 }) != true {
		t.Error("wrong answer")
	}
	if !ctx.Fits(facts.Facts{GroupSize: 2048, Tasks: 3}) || ctx.Fits(facts.Facts{}) || len(ctx.Asked()) == 0 {
		t.Error("only whether groups are wide was asked")
	}
	if ctx.Facts(); !ctx.Fits(wide) || ctx.Fits(facts.Facts{GroupSize: 1024, Tasks: 3}) {
		t.Error("all was asked")
	}
}

func TestResultsAreVoidForADeviceWithOtherAnswers(t *testing.T) {
	ctx := &pass.Context{Device: facts.Facts{GroupSize: 1024}}
	wide := func(f facts.Facts) bool { return f.GroupSize > 512 }
	if pass.Ask(ctx, wide); ctx.Void() {
		t.Error("nobody has said what it is for")
	}
	if ctx.IsFor(facts.Facts{GroupSize: 2048}); ctx.Void() {
		t.Error("the answer is the same")
	}
	if pass.Ask(ctx, func(f facts.Facts) int { return f.GroupSize }); !ctx.Void() {
		t.Error("an answer is another")
	}
}
