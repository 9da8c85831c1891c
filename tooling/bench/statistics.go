package bench

import (
	"math"
	"math/rand/v2"
	"slices"
)

// Mean is the arithmetic mean of some times.
func Mean(times []float64) float64 {
	sum := 0.0
	for _, t := range times {
		sum += t
	}
	return sum / float64(len(times))
}

// Deviation is the standard deviation that a sample estimates; 0 of one time.
func Deviation(times []float64) float64 {
	if len(times) < 2 {
		return 0
	}
	mean, sum := Mean(times), 0.0
	for _, t := range times {
		sum += (t - mean) * (t - mean)
	}
	return math.Sqrt(sum / float64(len(times)-1))
}

// relativeError is the standard error of the mean over the mean.
func relativeError(times []float64) float64 {
	return Deviation(times) / math.Sqrt(float64(len(times))) / Mean(times)
}

// autocorrelation is the correlation of each time with the one before: near 1 where times drift. Of times that are all equal it is 1:
// nothing shows that they are independent, and their error of zero says that they are enough.
func autocorrelation(times []float64) float64 {
	mean, same, next := Mean(times), 0.0, 0.0
	for i, t := range times {
		same += (t - mean) * (t - mean)
		if i > 0 {
			next += (t - mean) * (times[i-1] - mean)
		}
	}
	if same == 0 {
		return 1
	}
	return next / same
}

// Note [Convergence]
// ~~~~~~~~~~~~~~~~~~
// The error of a mean says little when times are not independent: a clock that rises, or a neighbour that comes and goes, makes runs
// resemble the ones before. So the more successive times are correlated, the smaller the relative error of their mean has to be. The
// pairs are those of Futhark's bench, so that both tools stop alike.

// criteria are pairs of an autocorrelation and the relative error that is allowed above it.
var criteria = []struct{ correlation, allowed float64 }{
	{0.95, 0.0010}, {0.75, 0.0015}, {0.65, 0.0025}, {0.45, 0.0050}, {0, 0.0100},
}

// converged reports whether times are good enough. See Note [Convergence].
func converged(times []float64) bool {
	correlation, e := autocorrelation(times), relativeError(times)
	for _, c := range criteria {
		if correlation > c.correlation && e > c.allowed {
			return false
		}
	}
	return true
}

// resamples is how many means the bootstrap takes.
const resamples = 2000

// Interval is the 95 % confidence interval of the mean, by bootstrap: the percentiles of means of samples drawn with replacement.
// Equal times give equal intervals.
func Interval(times []float64) (low, high float64) {
	const tail = 0.025
	random := rand.New(rand.NewPCG(uint64(len(times)), 1)) //nolint:gosec // no secret
	means := make([]float64, resamples)
	for i := range means {
		sum := 0.0
		for range times {
			sum += times[random.IntN(len(times))]
		}
		means[i] = sum / float64(len(times))
	}
	slices.Sort(means)
	return means[int(tail*resamples)], means[resamples-1-int(tail*resamples)]
}
