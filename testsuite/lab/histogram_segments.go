package main

import (
	"fmt"
	"slices"

	"skald/runtime/device"
)

// Note [Histograms of segments]
//
// Every segment of the keys has bins of its own. Who takes a segment depends on how many there are and how long they are:
//
//   - a team of threads of a workgroup takes one segment after the other: its bins lie in workgroup memory, beside those of the
//     workgroup's other teams, and are stored without atomics when the segment is done. Teams go in step, as they share
//     barriers;
//   - pieces: several workgroups take a segment, each has a copy of its bins and adds them to the result. That is for few
//     large segments;
//   - parts: bins that workgroup memory does not hold are those of one histogram of all segments. A launch makes one number of
//     segment and key, then elements are brought to parts of the bins: Note [Partition by high bits].
//
// Offsets say where segments begin; they may be empty.

// teamsSource combines segments by teams. It reads keys and values once and writes each bin once; three barriers for as many
// segments as a workgroup has teams. See Note [Histograms of segments].
func teamsSource(o *atomicOp, bins, team, threads int) *Source {
	return &Source{
		Name: fmt.Sprintf("segment-teams-%s-%d", o.name, team), Threads: threads,
		Consts: map[string]any{
			"BINS": fmt.Sprintf("%du", bins), "TEAM": fmt.Sprintf("%du", team), "TEAMS": fmt.Sprintf("%du", threads/team),
			"WORDS": fmt.Sprintf("%du", bins*threads/team), "ZERO": o.zero,
		},
		Buffers: []string{"keys vec2<u32>", "vals u32", "at u32", "initial u32", "out u32"}, Params: []string{"n"},
		Shared: []string{"s atomic<u32> $WORDS"},
		Body: `
  let mine = tid / $TEAM * $BINS;
  for (var first = group * $TEAMS; first < params.n; first += groups * $TEAMS) {
    let segment = first + tid / $TEAM;
    for (var k = tid; k < $WORDS; k += $W) { atomicStore(&s[k], $ZERO); }
    workgroupBarrier();
    if (segment < params.n) {
      let last = at[segment + 1u];
      for (var i = at[segment] + tid % $TEAM; i < last; i += $TEAM) {
        let key = keys[i];
        if (key.y == 0u && key.x < $BINS) { ` + o.apply("s[mine + key.x]", o.value("vals[i]")) + ` }
      }
    }
    workgroupBarrier();
    let room = min($TEAMS, params.n - first) * $BINS;
    for (var k = tid; k < room; k += $W) {
      out[first * $BINS + k] = join(initial[first * $BINS + k], atomicLoad(&s[k]));
    }
    workgroupBarrier();
  }
`,
		Funcs: []Func{{Result: "u32", Name: "join", Params: []string{"a u32", "b u32"}, Body: o.join}},
	}
}

// segmentPiecesSource combines segments by several workgroups each. It reads keys and values once, adds a word for each bin and
// workgroup to the result, and has two barriers.
func segmentPiecesSource(o *atomicOp, bins, threads int) *Source {
	return &Source{
		Name: fmt.Sprintf("segment-pieces-%s", o.name), Threads: threads,
		Consts:  map[string]any{"BINS": fmt.Sprintf("%du", bins), "ZERO": o.zero},
		Buffers: []string{"keys vec2<u32>", "vals u32", "at u32", "out atomic<u32>"}, Params: []string{"n", "pieces"},
		Shared: []string{"s atomic<u32> $BINS"},
		Body: `
  let segment = group / params.pieces;
  if (segment >= params.n) { return; }
  for (var k = tid; k < $BINS; k += $W) { atomicStore(&s[k], $ZERO); }
  workgroupBarrier();
  let last = at[segment + 1u];
  for (var i = at[segment] + group % params.pieces * $W + tid; i < last; i += params.pieces * $W) {
    let key = keys[i];
    if (key.y == 0u && key.x < $BINS) { ` + o.apply("s[key.x]", o.value("vals[i]")) + ` }
  }
  workgroupBarrier();
  for (var k = tid; k < $BINS; k += $W) {
    let x = atomicLoad(&s[k]);
    if (x != $ZERO) { ` + o.apply("out[segment * $BINS + k]", "x") + ` }
  }
`,
	}
}

// segmentFlatSource makes one number of segment and key, and marks those out of bounds by their high word. It moves 16 bytes an
// element.
func segmentFlatSource(bins, threads int) *Source {
	return &Source{
		Name: "segment-flat", Threads: threads, Consts: map[string]any{"BINS": fmt.Sprintf("%du", bins)},
		Buffers: []string{"keys vec2<u32>", "at u32", "flat vec2<u32>"}, Params: []string{"n", "pieces"},
		Body: `
  let segment = group / params.pieces;
  if (segment >= params.n) { return; }
  let last = at[segment + 1u];
  for (var i = at[segment] + group % params.pieces * $W + tid; i < last; i += params.pieces * $W) {
    let key = keys[i];
    flat[i] = vec2<u32>(segment * $BINS + key.x, select(1u, 0u, key.y == 0u && key.x < $BINS));
  }
`,
	}
}

// segmentedRun is a histogram of about n elements in segments of some length, regular or of any length: see Note [Histograms of segments].
type segmentedRun struct {
	o               *atomicOp
	kind, lengths   string
	n, length, bins int
	team            int // Threads that take a segment; 0 is by pieces, -1 by parts.

	at, vals []uint32
	ks       keySet
}

// segmentedCase is such a histogram.
func segmentedCase(o *atomicOp, kind, lengths string, n, length, bins, team int) Case {
	who := map[int]string{0: "pieces", -1: "parts"}[team]
	if team > 0 {
		who = fmt.Sprintf("team%d", team)
	}
	c := Case{
		Name:  fmt.Sprintf("segmented/%s/%s/%dof%d/%d/%s/%s", o.name, lengths, n/length, length, bins, kind, who),
		Bytes: 8*int64(n) + 8*int64(n/length*bins),
	}
	if o.reads {
		c.Bytes += 4 * int64(n)
	}
	c.Plan = func(f *device.Facts) (*Plan, string) {
		r := segmentedRun{o: o, kind: kind, lengths: lengths, n: n, length: length, bins: bins, team: team}
		count := max(1, n/length)
		r.at = make([]uint32, count+1)
		for i := range count {
			r.at[i+1] = r.at[i] + uint32(segmentLength(lengths, length, i))
		}
		total := int(r.at[count])
		r.ks, r.vals = keys(kind, total, bins), smallValues(total)
		if team < 0 {
			return r.byParts(f), ""
		}
		return r.inMemory(f), ""
	}
	return c
}

// pieces is how many workgroups take a segment.
func (r *segmentedRun) pieces(threads int, f *device.Facts) int {
	return max(1, min(8*f.Units/(len(r.at)-1), (r.length+4*threads-1)/(4*threads)))
}

// inMemory plans it by teams or pieces.
func (r *segmentedRun) inMemory(f *device.Facts) *Plan {
	threads, count := min(f.MaxThreads, 256), len(r.at)-1
	p := &Plan{Kernels: []*Source{beginSource()}}
	initial := contents(alreadyBegun, count*r.bins)
	in := p.give(r.ks.words, r.vals, r.at)
	first := append(p.give(initial), p.reserve(1, count*r.bins)...)
	if r.team > 0 {
		team := min(r.team, threads)
		p.Kernels = []*Source{teamsSource(r.o, r.bins, team, threads)}
		groups := min(16*f.Units, (count*team+threads-1)/threads)
		p.Steps = []Step{{Groups: groups, Buffers: append(in, first...), Params: []uint32{uint32(count)}}}
	} else {
		pieces := r.pieces(threads, f)
		p.Kernels = append(p.Kernels, segmentPiecesSource(r.o, r.bins, threads))
		p.Steps = []Step{
			{Groups: (len(initial) + 255) / 256, Buffers: first, Params: []uint32{uint32(len(initial)), 1}},
			{Kernel: 1, Groups: count * pieces, Buffers: append(in, first[1]), Params: []uint32{uint32(count), uint32(pieces)}},
		}
	}
	p.Check = func(read func(int) []uint32) error {
		want := slices.Clone(initial)
		for s := range count {
			for i := r.at[s]; i < r.at[s+1]; i++ {
				if b := r.ks.bins[i]; b >= 0 {
					w := &want[s*r.bins+int(b)]
					*w = r.o.fold(*w, r.vals[i])
				}
			}
		}
		return same("segments' bins", read(first[1]), func(i int) uint32 { return want[i] })
	}
	return p
}

// byParts plans it as one histogram of the bins of all segments.
func (r *segmentedRun) byParts(f *device.Facts) *Plan {
	threads, count := min(f.MaxThreads, 256), len(r.at)-1
	total := len(r.ks.bins)
	v := &vectorInput{o: r.o, length: 1, ks: keySet{bins: make([]int32, total)}, vals: r.vals}
	for s := range count {
		for i := r.at[s]; i < r.at[s+1]; i++ {
			if v.ks.bins[i] = -1; r.ks.bins[i] >= 0 {
				v.ks.bins[i] = int32(s*r.bins) + r.ks.bins[i]
			}
		}
	}
	p := v.byParts(total, count*r.bins, f)
	pieces := r.pieces(threads, f)
	p.Steps = slices.Insert(p.Steps, 0, Step{
		Kernel: len(p.Kernels), Groups: count * pieces,
		Buffers: append(p.give(r.ks.words, r.at), p.Steps[1].Buffers[0]), Params: []uint32{uint32(count), uint32(pieces)},
	})
	p.Kernels = append(p.Kernels, segmentFlatSource(r.bins, threads))
	return p
}
