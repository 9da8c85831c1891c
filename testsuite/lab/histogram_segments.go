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
//   - in storage: one atomic operation an element, for bins that workgroup memory does not hold.
//
// Offsets say where segments begin; they may be empty.

// teamsSource combines segments by teams. It reads keys and values once and writes each bin once; three barriers for as many
// segments as a workgroup has teams.
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

// segmentPiecesSource combines segments by several workgroups each, or in storage. It reads keys and values once; two barriers,
// or none in storage.
func segmentPiecesSource(o *atomicOp, bins, threads int, shared bool) *Source {
	s := &Source{
		Name: fmt.Sprintf("segment-pieces-%s-%v", o.name, shared), Threads: threads,
		Consts:  map[string]any{"BINS": fmt.Sprintf("%du", bins), "ZERO": o.zero},
		Buffers: []string{"keys vec2<u32>", "vals u32", "at u32", "out atomic<u32>"}, Params: []string{"n", "pieces"},
	}
	place, before, after := "out[segment * $BINS + key.x]", "", ""
	if shared {
		s.Shared = []string{"s atomic<u32> $BINS"}
		place = "s[key.x]"
		before = "  for (var k = tid; k < $BINS; k += $W) { atomicStore(&s[k], $ZERO); }\n  workgroupBarrier();\n"
		after = `
  workgroupBarrier();
  for (var k = tid; k < $BINS; k += $W) {
    let x = atomicLoad(&s[k]);
    if (x != $ZERO) { ` + o.apply("out[segment * $BINS + k]", "x") + ` }
  }
`
	}
	s.Body = `
  let segment = group / params.pieces;
  if (segment >= params.n) { return; }
` + before + `
  let last = at[segment + 1u];
  for (var i = at[segment] + group % params.pieces * $W + tid; i < last; i += params.pieces * $W) {
    let key = keys[i];
    if (key.y == 0u && key.x < $BINS) { ` + o.apply(place, o.value("vals[i]")) + ` }
  }
` + after
	return s
}

// segmentedCase counts about n keys in segments of some length, regular or of any length, by a team of so many threads;
// with team 0 by pieces, with -1 in storage.
func segmentedCase(o *atomicOp, kind, lengths string, n, length, bins, team int) Case {
	who := map[int]string{0: "pieces", -1: "storage"}[team]
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
		count := max(1, n/length)
		at := make([]uint32, count+1)
		for i := range count {
			at[i+1] = at[i] + uint32(segmentLength(lengths, length, i))
		}
		total := int(at[count])
		ks := keys(kind, total, bins)
		vals := make([]uint32, max(1, total))
		for i := range vals {
			vals[i] = mix(uint32(i)) >> 12
		}
		threads := min(f.MaxThreads, 256)
		p := &Plan{Kernels: []*Source{beginSource()}}
		initial := contents(true, count*bins)
		in := p.give(ks.words, vals, at)
		first := append(p.give(initial), p.reserve(1, count*bins)...)
		begin := Step{Groups: (len(initial) + 255) / 256, Buffers: first, Params: []uint32{uint32(len(initial)), 1}}
		if team > 0 {
			team := min(team, threads)
			p.Kernels = []*Source{teamsSource(o, bins, team, threads)}
			groups := min(16*f.Units, (count*team+threads-1)/threads)
			p.Steps = []Step{{Groups: groups, Buffers: append(in, first...), Params: []uint32{uint32(count)}}}
		} else {
			pieces := max(1, min(8*f.Units/count, (length+4*threads-1)/(4*threads)))
			p.Kernels = append(p.Kernels, segmentPiecesSource(o, bins, threads, team == 0))
			p.Steps = []Step{begin, {
				Kernel: 1, Groups: count * pieces, Buffers: append(in, first[1]), Params: []uint32{uint32(count), uint32(pieces)},
			}}
		}
		p.Check = func(read func(int) []uint32) error {
			want := slices.Clone(initial)
			for s := range count {
				for i := at[s]; i < at[s+1]; i++ {
					if b := ks.bins[i]; b >= 0 {
						w := &want[s*bins+int(b)]
						*w = o.fold(*w, vals[i])
					}
				}
			}
			return same("segments' bins", read(first[1]), func(i int) uint32 { return want[i] })
		}
		return p, ""
	}
	return c
}
