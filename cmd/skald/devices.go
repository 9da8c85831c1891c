package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"skald/runtime/cuda"
	"skald/runtime/device"
	"skald/runtime/webgpu"
)

func newDevices() *cobra.Command {
	var haveGPU bool
	cmd := &cobra.Command{
		Use:   "devices",
		Short: "List the devices that programs can run on, with their limits and features",
		Args:  exactly(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			gpu := listDevices(cmd.OutOrStdout())
			if haveGPU && !gpu {
				return fail(exitUser, "there is no GPU")
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&haveGPU, "have-gpu", false, "fail unless there is a GPU")
	return cmd
}

// listDevices prints every device found and reports whether a GPU is among them.
func listDevices(w io.Writer) (gpu bool) {
	found := webgpu.List(webgpu.Options{})
	if len(found) == 0 {
		fmt.Fprintln(w, "webgpu: no library found (scripts/fetch-webgpu.sh fetches one; SKALD_WEBGPU_LIB names one)")
	}
	for _, l := range found {
		name := fmt.Sprintf("webgpu:%d --webgpu-library %s", l.Adapter, l.Library)
		if l.Driver != "" {
			name += " --webgpu-driver " + l.Driver
		}
		if l.Err != nil {
			fmt.Fprintf(w, "%s\n  cannot be used: %v\n", name, l.Err)
			continue
		}
		gpu = gpu || isGPU(&l.Facts)
		printFacts(w, name, &l.Facts)
	}
	n, err := cuda.Count()
	if err != nil {
		fmt.Fprintf(w, "cuda\n  cannot be used: %v\n", err)
	}
	for i := range n {
		name := fmt.Sprintf("cuda:%d", i)
		facts, err := cuda.Describe(i)
		if err != nil {
			fmt.Fprintf(w, "%s\n  cannot be used: %v\n", name, err)
			continue
		}
		gpu = true
		printFacts(w, name, &facts)
	}
	fmt.Fprintln(w, "cpu\n  the evaluator of the low-level program; always there")
	return gpu
}

func isGPU(f *device.Facts) bool { return f.Kind == device.Discrete || f.Kind == device.Integrated }

func printFacts(w io.Writer, name string, f *device.Facts) {
	fmt.Fprintf(w, "%s\n  %s: %s, %s, %s\n", name, f.Name, f.Kind, f.API, f.Driver)
	fmt.Fprintf(w, "  kernels in %s; types i64 %v, f64 %v, f16 %v; 64-bit atomics %v, f32 atomic add %v\n",
		f.Language, f.I64, f.F64, f.F16, f.Atomics.I64, f.Atomics.F32Add)
	fmt.Fprintf(w, "  workgroups of %d threads, %d bytes of memory; %d buffers a kernel, %d bytes a binding, %d bytes a buffer\n",
		f.MaxThreads, f.WorkgroupMemory, f.MaxBindings, f.MaxBindingSize, f.MaxBufferSize)
	fmt.Fprintf(w, "  subgroups %v (size %d, %d to %d), timestamps %v, waiting workgroups progress %v\n",
		f.Subgroups, f.SubgroupSize, f.SubgroupMin, f.SubgroupMax, f.Timestamps, f.ForwardProgress)
}
