package webgpu

import (
	"math"
	"testing"

	"skald/runtime/device"
)

func TestProbeReportsFloatingPoint(t *testing.T) {
	onEach(t, nil, func(t *testing.T, d *Device) {
		f, err := d.observeF32()
		if err != nil {
			t.Fatal(err)
		}
		excuses := f.Excuses
		f.Excuses = nil
		t.Logf("%+v", f)
		for _, e := range excuses {
			t.Log(e)
		}
		if !f.Probed || !f.AddExact || !f.MulExact {
			t.Errorf("f32 addition and multiplication do not round to nearest even")
		}
		if again, err := d.ProbeFloats(); err != nil || again.AddExact != f.AddExact || !d.Facts().Floats.Probed {
			t.Errorf("the probe's result did not reach the facts: %v", err)
		}
		e, err := d.observeExact()
		if f := d.Facts(); err != nil || f.F64 && !e.F64 || f.Floats.F64Exact != e.F64 || f.Floats.F16Exact != e.F16 {
			t.Errorf("f64 and f16: %+v, facts %+v, %v", e, f.Floats, err)
		}
	})
}

// TestJudgeSeesEachHabit feeds the judge devices that deviate in one way.
func TestJudgeSeesEachHabit(t *testing.T) {
	all := make([]int, floatOps)
	for op := range all {
		all[op] = op
	}
	judge := func(rounds int, ops []int, change func(t [3]float32, r *[floatOps]uint32)) *floatJudge {
		j := newFloatJudge()
		for _, x := range floatTriples(rounds) {
			r := expected(x)
			if change != nil {
				change(x, &r)
			}
			j.judge(x, r, ops)
		}
		return j
	}
	run := func(change func(t [3]float32, r *[floatOps]uint32)) *floatJudge {
		j := judge(floatRounds, all, change)
		// The small probe sees of fma what the whole one does.
		if small, whole := judge(fmaRounds, []int{opFma, opWhole}, change).verdict(), j.verdict(); small.FmaFused != whole.FmaFused ||
			small.FmaExact != whole.FmaExact {
			t.Errorf("the small probe sees %+v, the whole one %+v", small, whole)
		}
		return j
	}
	ieee := run(nil).verdict()
	if !ieee.AddExact || !ieee.FmaFused || ieee.Contracts || !ieee.KeepsNaN || ieee.FlushesInputs ||
		len(ieee.Excuses) > 0 {
		t.Errorf("an IEEE device is excused: %+v", ieee)
	}
	flush := run(func(_ [3]float32, r *[floatOps]uint32) {
		for op := range opIsNaN {
			if isSub(r[op]) {
				r[op] &= signBit
			}
		}
	}).verdict()
	if !flush.FlushesResults || !flush.AddExact || !flush.MulExact {
		t.Errorf("flushing is not seen for what it is: %+v", flush)
	}
	contracts := run(func(_ [3]float32, r *[floatOps]uint32) { r[opMulAdd] = r[opFma] }).verdict()
	if !contracts.Contracts || !contracts.FmaFused {
		t.Errorf("contraction is not seen: %+v", contracts)
	}
	unfused := run(func(_ [3]float32, r *[floatOps]uint32) { r[opFma] = r[opMulAdd] }).verdict()
	if unfused.FmaFused {
		t.Errorf("an unfused fma is taken for fused")
	}
	reassociates := run(func(x [3]float32, r *[floatOps]uint32) { r[opWhole] = math.Float32bits(x[0] * x[1]) }).verdict()
	if reassociates.FmaFused {
		t.Errorf("a device that cancels a sum and a difference is taken for one whose fma counts")
	}
	blind := run(func(_ [3]float32, r *[floatOps]uint32) { r[opIsNaN] = 0 }).verdict()
	if blind.ComparesNaN {
		t.Errorf("a device that does not see NaN is not noticed")
	}
	sloppy := run(func(x [3]float32, r *[floatOps]uint32) {
		if x[0] == 1 && ordinary(r[opDiv]) {
			r[opDiv]++
		}
	}).verdict()
	if sloppy.DivExact || !sloppy.MulExact {
		t.Errorf("an inexact division is not noticed: %+v", sloppy)
	}
}

func TestBothProbesOfAFirstStartRunAtOnce(t *testing.T) {
	onEach(t, nil, func(t *testing.T, d *Device) {
		t.Setenv("SKALD_CACHE", t.TempDir())
		layout := subgroupLayout{d.facts.SubgroupSize, d.facts.SubgroupLinear}
		kind := d.facts.Kind
		d.facts.Kind, d.facts.BadFma = device.Discrete, false
		d.facts.SubgroupSize, d.facts.SubgroupLinear = 0, false
		if err := d.probeAtOpen(); err != nil {
			t.Fatal(err)
		}
		d.facts.Kind = kind
		if again := (subgroupLayout{d.facts.SubgroupSize, d.facts.SubgroupLinear}); again != layout {
			t.Errorf("subgroups are %+v, were %+v", again, layout)
		}
		if f, err := d.ProbeFloats(); err != nil || d.facts.BadFma == (f.FmaFused && f.FmaExact) {
			t.Errorf("fma is bad: %v; all of floats: %+v, %v", d.facts.BadFma, f, err)
		}
	})
}
