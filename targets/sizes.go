package targets

import "errors"

// set has a model go by sizes that somebody has set. Workgroups have as many threads as a power of two has that the device allows.
func (s Sizes) set(m *Model) error {
	if s == (Sizes{}) {
		return nil
	}
	if s.GroupSize < 0 || s.Groups < 0 || s.Threshold < 0 {
		return errors.New("sizes of workgroups, their number and thresholds are positive numbers")
	}
	m.Sized = true
	f := &m.Lowering
	if s.Threshold > 0 {
		f.Threshold = s.Threshold
	}
	if s.GroupSize == 0 && s.Groups == 0 {
		return nil
	}
	if f.Tasks > 0 {
		return errors.New("there are no workgroups on the processor whose size or number could be set")
	}
	if s.GroupSize > 0 {
		f.GroupSize = powerUpTo(s.GroupSize, m.Facts.MaxThreads)
		f.WideGroup = max(f.WideGroup, f.GroupSize)
	}
	if s.Groups > 0 {
		f.Groups = s.Groups
	}
	return nil
}

// powerUpTo is the largest power of two up to n and what a device allows; zero says that it has no limit.
func powerUpTo(n, allowed int) int {
	power := 1
	for 2*power <= n && (allowed <= 0 || 2*power <= allowed) {
		power *= 2
	}
	return power
}
