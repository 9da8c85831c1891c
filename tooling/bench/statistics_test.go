package bench

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestDeviationAndAutocorrelationOfKnownSeries(t *testing.T) {
	// By hand: mean 3, squares 4+1+0+1+4 = 10, over 4 is 2.5; products of neighbours 2+0+0+2 = 4, over 10.
	times := []float64{1, 2, 3, 4, 5}
	if got := Deviation(times); math.Abs(got-math.Sqrt(2.5)) > 1e-12 {
		t.Errorf("deviation %v", got)
	}
	if got := autocorrelation(times); math.Abs(got-0.4) > 1e-12 {
		t.Errorf("autocorrelation %v", got)
	}
	if got := relativeError(times); math.Abs(got-math.Sqrt(2.5)/math.Sqrt(5)/3) > 1e-12 {
		t.Errorf("relative error %v", got)
	}
	if Deviation([]float64{7}) != 0 {
		t.Error("one time deviates from itself")
	}
}

func TestDriftingTimesHaveNotConvergedAndSteadyOnesHave(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var steady, drifting []float64
	for i := range 100 {
		steady = append(steady, 1000+random.NormFloat64())
		drifting = append(drifting, 1000-5*float64(i))
	}
	if !converged(steady) {
		t.Error("times that differ by 0.1 % have not converged")
	}
	if converged(drifting) {
		t.Error("times that fall by half have converged")
	}
	if !converged([]float64{5, 5, 5}) {
		t.Error("equal times have not converged")
	}
}

// The interval of the mean of normal times is about two standard errors wide on each side.
func TestTheIntervalIsThatOfNormalTimes(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	var times []float64
	for range 400 {
		times = append(times, 1000+20*random.NormFloat64())
	}
	low, high := Interval(times)
	mean, e := Mean(times), Deviation(times)/math.Sqrt(400)
	if math.Abs(low-(mean-1.96*e)) > 0.3 || math.Abs(high-(mean+1.96*e)) > 0.3 {
		t.Errorf("[%v, %v], but normal times have %v ± %v", low, high, mean, 1.96*e)
	}
	if again, _ := Interval(times); again != low {
		t.Error("the same times give another interval")
	}
}
