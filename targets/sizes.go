package targets

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"skald/middle/choose"
)

// Sizes are what people may set of how a GPU's work is divided; zeros leave it to the device's facts.
type Sizes struct {
	// GroupSize is the number of threads of a workgroup, Groups how many workgroups saturate the device, and Threshold what thresholds of
	// versions are.
	GroupSize, Groups, Threshold int
	// Tile is how many threads a side tiles of rows and columns have, RegTile how many points a side a thread of them has, and SeqFactor
	// how many elements a thread of a workgroup takes of each operation where something is reduced or scanned.
	Tile, RegTile, SeqFactor int
}

// Note [Sizes as parameters]
//
// Thresholds are read at each run, but sizes are part of kernels: passes and lowering read them as facts (facts.Tile and so on), so they
// are in the key of what is kept (Model.Key), and kernels with others are other ones. They are set before the device is opened: by options
// (--default-tile-size), or as tuning parameters are, by --param and files. Names are those of the options with underscores, as in Futhark.

// SizeParam is a size as a tuning parameter, and as an option.
type SizeParam struct {
	// Names are those of the parameter: the usual one first.
	Names []string
	// Doc says what it is, with the word for its value in backquotes.
	Doc string
	of  func(*Sizes) *int
}

// Of is the size that the parameter sets.
func (p SizeParam) Of(s *Sizes) *int { return p.of(s) }

// SizeParams are all sizes.
var SizeParams = []SizeParam{
	{
		[]string{"default_thread_block_size", "default_group_size"},
		"how many `threads` a workgroup has on a GPU: a power of two up to that, and what the device allows",
		func(s *Sizes) *int { return &s.GroupSize },
	},
	{
		[]string{"default_num_thread_blocks", "default_num_groups"},
		"how `many` workgroups the work of a GPU is divided among where there is a choice",
		func(s *Sizes) *int { return &s.Groups },
	},
	{
		[]string{"default_threshold"},
		"what thresholds of versions are that nothing else sets: how `many` points are enough",
		func(s *Sizes) *int { return &s.Threshold },
	},
	{
		[]string{"default_tile_size"},
		"how many `threads` a side tiles have on a GPU: a power of two up to that",
		func(s *Sizes) *int { return &s.Tile },
	},
	{
		[]string{"default_reg_tile_size"},
		"how many `points` a side a thread has of a tile on a GPU: a power of two up to that",
		func(s *Sizes) *int { return &s.RegTile },
	},
	{
		[]string{"default_seq_factor"},
		"how many `elements` a thread of a workgroup takes of operations inside of maps that reduce or scan, on a GPU",
		func(s *Sizes) *int { return &s.SeqFactor },
	},
}

// SizeNames are the names of all sizes as tuning parameters.
func SizeNames() []string {
	var names []string
	for _, p := range SizeParams {
		names = append(names, p.Names...)
	}
	return names
}

// Set carries out one assignment, NAME=INT, if it is one of a size.
func (s *Sizes) Set(assignment string) (ok bool, err error) {
	name, value, _ := strings.Cut(assignment, "=")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	p := slices.IndexFunc(SizeParams, func(p SizeParam) bool { return slices.Contains(p.Names, name) })
	if p < 0 {
		return false, nil
	}
	n, err := strconv.Atoi(value)
	if err != nil || n < 1 {
		return true, fmt.Errorf("%s is a positive number, not %q", name, value)
	}
	*SizeParams[p].Of(s) = n
	return true, nil
}

// Take carries out the assignments of sizes in a text, NAME=INT a line, and returns the text without them: their lines are empty then. An
// error begins with the number of its line.
func (s *Sizes) Take(text string) (rest string, err error) {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		ok, err := s.Set(line)
		if err != nil {
			return "", fmt.Errorf("%d: %w", i+1, err)
		}
		if ok {
			lines[i] = ""
		}
	}
	return strings.Join(lines, "\n"), nil
}

// Or are the sizes, and others where they say nothing.
func (s Sizes) Or(others Sizes) Sizes {
	for _, p := range SizeParams {
		*p.Of(&s) = cmp.Or(*p.Of(&s), *p.Of(&others))
	}
	return s
}

// sized is a device that goes by the sizes of options.
func (o Options) sized(d *Device) (*Device, error) {
	d, err := d.with(o.Sizes)
	if err != nil {
		return nil, err
	}
	return d.Tuned(o.Tuned)
}

// Tuned is the device, or one that goes by sizes, too, where nobody has set others. They are from a file beside a program, which may be for
// another device: processors pass over what they do not have, and GPUs tiles and factors that do not fit them.
func (d *Device) Tuned(s Sizes) (*Device, error) {
	if d.Model.Lowering.Tasks > 0 {
		s = Sizes{Threshold: s.Threshold}
	}
	out, err := d.with(d.Model.Sizes.Or(s))
	if errors.As(err, new(SizeError)) {
		s.Tile, s.RegTile, s.SeqFactor = 0, 0, 0
		return d.with(d.Model.Sizes.Or(s))
	}
	return out, err
}

// with is the device, or one that goes by sizes.
func (d *Device) with(s Sizes) (*Device, error) {
	if s == (Sizes{}) {
		return d, nil
	}
	m := *d.Model
	if err := s.set(&m); err != nil {
		return nil, err
	}
	return &Device{d.Device, &m}, nil
}

// set has a model go by sizes that somebody has set. Workgroups have as many threads as a power of two has that the device allows.
func (s Sizes) set(m *Model) error {
	for _, p := range SizeParams {
		if n := *p.Of(&s); n < 0 {
			return SizeError(fmt.Sprintf("%s is a positive number, not %d", p.Names[0], n))
		}
	}
	m.Sizes = s
	f := &m.Lowering
	f.Threshold = cmp.Or(s.Threshold, f.Threshold)
	if s == (Sizes{Threshold: s.Threshold}) {
		return nil
	}
	if f.Tasks > 0 {
		return SizeError("there are no workgroups on the processor whose size, number or tiles could be set")
	}
	if s.GroupSize > 0 {
		f.GroupSize = powerUpTo(s.GroupSize, m.Facts.MaxThreads)
		f.WideGroup = max(f.WideGroup, f.GroupSize)
	}
	f.Groups = cmp.Or(s.Groups, f.Groups)
	if s.Tile > 0 {
		f.Tile = powerUpTo(s.Tile, 0)
	}
	if s.RegTile > 0 {
		f.RegTile = powerUpTo(s.RegTile, 0)
	}
	f.SeqFactor = s.SeqFactor
	if why := choose.Refuses(*f); why != "" {
		return SizeError(why)
	}
	return nil
}

// SizeError says why a device cannot have the sizes that somebody has set.
type SizeError string

func (e SizeError) Error() string { return string(e) }

// powerUpTo is the largest power of two up to n and what a device allows; zero says that it has no limit.
func powerUpTo(n, allowed int) int {
	power := 1
	for 2*power <= n && (allowed <= 0 || 2*power <= allowed) {
		power *= 2
	}
	return power
}
