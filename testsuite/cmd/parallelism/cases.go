package main

// tableCase is a row of the table: a program of ours, or of futhark-benchmarks, an entry point, and its arguments.
type tableCase struct {
	program, entry string
	// args are arguments one by one, each a value, or a type with sizes that is filled at random, with bounds behind it or not; or a file
	// beside the suite's programs.
	args []string
	file string
	// size says how large the input is, and full what the suite uses where that is more than the evaluator can be asked to do.
	size, full string
	// sequential says which code is sequential in the source, so that few threads are no fault; "" is none.
	sequential string
}

// ours are programs of this repository, suite those of futhark-benchmarks.
var (
	ours = []tableCase{
		{program: "examples/histogram.fut", entry: "histogram", args: []string{"[2000000]u8"}, size: "2M", full: "100M"},
		{program: "examples/life.fut", entry: "main", args: []string{"4i32", "[512][512]u8 0:1"}, size: "512^2, 4 steps", full: "4096^2"},
		{program: "examples/mandelbrot.fut", entry: "main", args: []string{"400i64", "400i64", "64i32"}, size: "400^2", full: "4000^2"},
		{program: "examples/matmul.fut", entry: "main", args: []string{"[128][128]f32 0:1", "[128][128]f32 0:1"}, size: "128^2", full: "4096^2"},
		{program: "examples/mean_variance.fut", entry: "main", args: []string{"[2000000]f32 0:1"}, size: "2M", full: "100M"},
		{program: "examples/mss.fut", entry: "main", args: []string{"[2000000]i32 -9:9"}, size: "2M", full: "100M"},
	}
	suite = []tableCase{
		{
			program: "accelerate/fft/fft.fut", entry: "main", args: []string{"100i32", "[256][256][3]u8"},
			size: "256^2", full: "512^2",
		},
		{
			program: "accelerate/kmeans/kmeans.fut", entry: "main", args: []string{"5i32", "[200000][2]f32 -10:10"},
			size: "200k",
		},
		{
			program: "accelerate/nbody/nbody.fut", entry: "main", args: []string{
				"1i32", "50f32", "0.1f32", "[1000]f32 0:1", "[1000]f32 0:1", "[1000]f32 0:1", "[1000]f32 1:2",
				"[1000]f32 0:1", "[1000]f32 0:1", "[1000]f32 0:1",
			}, size: "1k", full: "10k",
		},
		{
			program: "accelerate/canny/canny.fut", entry: "main", args: []string{"50f32", "100f32", "[512][512]i32"},
			size: "512^2", full: "2048^2",
		},
		{program: "finpar/OptionPricing.fut", entry: "main", file: "finpar/OptionPricing-data/small.in", size: "small", full: "medium"},
		{program: "finpar/LocVolCalib.fut", entry: "main", file: "finpar/LocVolCalib-data/small.in", size: "small", full: "medium"},
		{
			program: "misc/bfast/bfast.fut", entry: "main", args: []string{
				"3i32", "57i32", "12f32", "0.25f32", "1.736126f32", "[2000][103]f32 0:10000",
			}, size: "2000x103", full: "67968x414",
		},
		{
			program: "parboil/histo/histo.fut", entry: "main", args: []string{"1024i32", "1024i32", "[1024][1024]i32 0:1048575"},
			size: "1M", full: "10M",
		},
		{
			program: "parboil/mri-q/mri-q.fut", entry: "main", args: []string{
				"[64]f32 0:1", "[64]f32 0:1", "[64]f32 0:1", "[4096]f32 0:1", "[4096]f32 0:1", "[4096]f32 0:1", "[64]f32 0:1", "[64]f32 0:1",
			}, size: "64x4096", full: "2048x262144",
		},
		{
			program: "parboil/sgemm/sgemm.fut", entry: "main", args: []string{
				"[256][256]f32 0:1", "[256][256]f32 0:1", "[256][256]f32 0:1", "1f32", "0f32",
			}, size: "256", full: "1024",
		},
		{
			program: "parboil/stencil/stencil.fut", entry: "main", args: []string{"4i32", "16i32", "[128][128]f32 0:1"},
			size: "128x16x128, 4 steps", full: "512x64x512, 100 steps",
		},
		{
			program: "parboil/tpacf/tpacf.fut", entry: "main", args: []string{
				"[128]f64 0:360", "[128]f64 -90:90", "[16][128]f64 0:360", "[16][128]f64 -90:90",
			}, size: "128x16", full: "4096x100",
		},
		{program: "pbbs/integerSort/radix_sort.fut", entry: "sort_i32", args: []string{"32i32", "[500000]i32"}, size: "500k", full: "10M"},
		{
			program: "rodinia/cfd/cfd.fut", entry: "main", args: []string{"[96]f32 1:2", "[4][96]i32 0:95", "[3][4][96]f32 -1:1"},
			size: "96", full: "193k",
		},
		{
			program: "rodinia/hotspot/hotspot.fut", entry: "main", args: []string{"4i32", "[512][512]f32 320:340", "[512][512]f32 0:1"},
			size: "512^2, 4 steps", full: "1024^2, 360 steps",
		},
		{program: "rodinia/lud/lud.fut", entry: "main", args: []string{"[256][256]f32 1:2"}, size: "256", full: "2048"},
		{
			program: "rodinia/nn/nn.fut", entry: "main", args: []string{"10i32", "30f32", "90f32", "[855000]f32 0:60", "[855000]f32 0:180"},
			size: "855k, 10 nearest", full: "855k, 100 nearest",
		},
		{
			program: "rodinia/nw/nw.fut", entry: "main", args: []string{"10i32", "[513][513]i32 -10:10", "[513][513]i32 -10:10"},
			size: "512", full: "2048", sequential: "the cells of a block, diagonal by diagonal",
		},
		{
			program: "rodinia/pathfinder/pathfinder.fut", entry: "main", args: []string{"20000i64", "100i64"},
			size: "20k x 100", full: "100k x 100",
		},
		{program: "rodinia/srad/srad.fut", entry: "main", args: []string{"[64][64]u8"}, size: "64^2", full: "502x458"},
	}
)

// trafficSuite are programs that the table of structure does not have, for the table of traffic.
var trafficSuite = []tableCase{
	{program: "rodinia/kmeans/kmeans.fut", entry: "main", args: []string{"0i32", "5i32", "2i32", "[10000][35]f32 0:1"}, size: "10k x 35"},
	{program: "jgf/series/series.fut", entry: "main", args: []string{"64i64"}, size: "64"},
	{program: "rodinia/myocyte/myocyte.fut", entry: "main", file: "rodinia/myocyte/data/small.in", size: "small"},
	{program: "rodinia/backprop/backprop.fut", entry: "main", file: "rodinia/backprop/data/small.in", size: "small"},
	{
		program: "misc/ocean-sim/tridiag-test.fut", entry: "tridagNested", args: []string{
			"[2000][115]f32 1:2", "[2000][115]f32 9:10", "[2000][115]f32 1:2", "[2000][115]f32 1:2",
		}, size: "2000x115",
	},
	{
		program: "misc/ocean-sim/tridiag-test.fut", entry: "tridagNestedSeq", args: []string{
			"[2000][115]f32 1:2", "[2000][115]f32 9:10", "[2000][115]f32 1:2", "[2000][115]f32 1:2",
		}, size: "2000x115",
	},
	{program: "accelerate/pagerank/pagerank.fut", entry: "main", file: "accelerate/pagerank/data/small.in", size: "small"},
	{program: "accelerate/crystal/crystal.fut", entry: "main", args: []string{"64i32", "30f32", "10i32", "1i32", "1f32"}, size: "64"},
	{
		program: "micro/mmm/sgemm.fut", entry: "main", args: []string{
			"1f32", "1f32", "[128][128]f32 0:1", "[128][128]f32 0:1", "[128][128]f32 0:1",
		}, size: "128",
	},
	{program: "micro/mmm/mmm.fut", entry: "main", args: []string{"[128][256]f32 0:1", "[256][128]f32 0:1"}, size: "128x256"},
	{
		program: "micro/mmm/mmm-batch.fut", entry: "main", args: []string{"[2][16][32][32]f32 0:1", "[2][16][32][32]f32 0:1"},
		size: "2x16x32",
	},
	{
		program: "micro/mmm/lud-internal.fut", entry: "main", args: []string{
			"[8][32][32]f32 0:1", "[8][32][32]f32 0:1", "[8][8][32][32]f32 0:1",
		}, size: "8x32",
	},
	{program: "micro/intra.fut", entry: "scan_reduce", args: []string{"[20000][6]f32 0:1"}, size: "20k x 6"},
	{program: "pbbs/histogram/histogram.fut", entry: "main", args: []string{"256i64", "[200000]i32 0:255"}, size: "200k"},
	{program: "pbbs/comparisonSort/quick_sort.fut", entry: "sort_f64", args: []string{"[4000]f64 0:1"}, size: "4k"},
	{
		program: "jgf/crypt/crypt.fut", entry: "main", args: []string{"[52]u16", "[52]u16", "[200000]u8"}, size: "200k",
	},
	{
		program: "accelerate/ray/trace.fut", entry: "main", args: []string{
			"80i32", "60i32", "100i32", "50f32", "-100f32", "-700f32", "1.5707f32", "0f32", "4i32", "0f32",
		}, size: "80x60",
	},
}

// bindingsSuite are programs that neither of the other tables has, for the table of bindings.
var bindingsSuite = []tableCase{
	{program: "accelerate/fluid/fluid.fut", entry: "main", file: "accelerate/fluid/benchmarking/medium.in", size: "medium"},
	{
		program: "accelerate/mandelbrot/mandelbrot.fut", entry: "main", args: []string{
			"80i32", "60i32", "-0.7f32", "0f32", "3.067f32", "20i32", "16f32",
		}, size: "80x60",
	},
	{program: "rodinia/bfs/bfs_iter_work_ok.fut", entry: "main", file: "rodinia/bfs/data/4096nodes.in", size: "4096 nodes"},
	{program: "rodinia/bfs/bfs_filt_padded_fused.fut", entry: "main", file: "rodinia/bfs/data/4096nodes.in", size: "4096 nodes"},
	{
		program: "rodinia/lavaMD/lavaMD.fut", entry: "main", args: []string{
			"0.5f32", "[27]i32 0:2", "[27]i32 0:2", "[27]i32 0:2", "[27]i32 0:26", "[26][27]i32 0:2", "[26][27]i32 0:2",
			"[26][27]i32 0:2", "[26][27]i32 0:26", "[27]i32 7:26", "[27][100]f32 0:1", "[27][100]f32 0:1", "[27][100]f32 0:1",
			"[27][100]f32 0:1", "[27][100]f32 0:1",
		}, size: "27 boxes",
	},
	{
		program: "babelstream/babelstream.fut", entry: "f32_triad", args: []string{"[200000]f32 0:1", "[200000]f32 0:1"}, size: "200k",
	},
	{
		program: "babelstream/babelstream.fut", entry: "f64_dot", args: []string{"[200000]f64 0:1", "[200000]f64 0:1"}, size: "200k",
	},
	{program: "misc/poseidon/poseidon-bench.fut", entry: "arity8", args: []string{"[800]u64 0:1000000"}, size: "100"},
}
