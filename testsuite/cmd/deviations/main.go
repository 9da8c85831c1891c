// Command deviations runs small kernels that some device or library computes wrongly or never finishes, each in a process of
// its own, and prints what came of each: "right", "wrong" with the first wrong words, "time-out" or the error.
//
//	usage: deviations [-library NAME] [-driver NAME] [-portable] [-timeout DURATION] [-only REGEXP]
//
// A kernel is in a .wgsl file beside this one, with words in capitals that variants replace: what separates a variant
// that is right from one that is wrong is the cause.
package main

import (
	"bufio"
	"encoding/binary"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"skald/runtime/device"
	"skald/runtime/webgpu"
)

func main() {
	var o webgpu.Options
	flag.StringVar(&o.Library, "library", "", "wgpu-native, dawn, or a file")
	flag.StringVar(&o.Driver, "driver", "", "lavapipe or swiftshader")
	flag.BoolVar(&o.Portable, "portable", false, "ask for nothing beyond the standard")
	flag.BoolVar(&o.Checked, "checked", false, "keep the library's bounds checks")
	flag.DurationVar(&o.Timeout, "timeout", 5*time.Second, "how long a kernel may take")
	only := flag.String("only", "", "run the variants that a regular expression matches")
	from := flag.Int("from", -1, "for the program's own use: the first variant to run in this process")
	flag.Parse()
	pattern, err := regexp.Compile(*only)
	switch {
	case err != nil:
	case *from >= 0:
		err = runFrom(o, pattern, *from)
		if err == nil {
			os.Exit(0) // an endless kernel would keep the device from closing
		}
	default:
		err = runAll(pattern, o.Timeout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "deviations:", err)
		os.Exit(1)
	}
}

// chosen are the variants that a pattern matches.
func chosen(pattern *regexp.Regexp, lanes int) []variant {
	return slices.DeleteFunc(variants(lanes), func(v variant) bool { return !pattern.MatchString(v.name) })
}

// runAll runs the variants in a process, and in another one those after one with which the process ended.
func runAll(pattern *regexp.Regexp, limit time.Duration) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	all := chosen(pattern, 0)
	for done := 0; done < len(all); {
		n, err := part(exec.Command(self, append(os.Args[1:], "-from", strconv.Itoa(done))...), limit+5*time.Second)
		done += n
		if err != nil && done < len(all) {
			fmt.Printf("%-50s %v\n", all[done].name, err)
			done++
		}
	}
	return nil
}

// part runs a process and counts the lines that it prints; it is ended when it prints nothing for too long.
func part(cmd *exec.Cmd, silence time.Duration) (lines int, err error) {
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return 0, err
	}
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	timer := time.AfterFunc(silence, func() { _ = cmd.Process.Kill() })
	for s := bufio.NewScanner(out); s.Scan(); lines++ {
		timer.Reset(silence)
		fmt.Println(s.Text())
	}
	timer.Stop()
	return lines, cmd.Wait()
}

// runFrom runs variants from one on, up to one that ends the device.
func runFrom(o webgpu.Options, pattern *regexp.Regexp, from int) error {
	d, err := webgpu.Open(o)
	if err != nil {
		return err
	}
	lanes := d.Facts().SubgroupSize
	for _, v := range chosen(pattern, lanes)[from:] {
		start := time.Now()
		said := v.outcome(d)
		fmt.Printf("%-50s %s (%v)\n", v.name, said, time.Since(start).Round(time.Millisecond))
		if d.Sync() != nil {
			break
		}
	}
	return nil
}

// outcome runs a variant and says what came of it, in a line.
func (v *variant) outcome(d *webgpu.Device) string {
	f := d.Facts()
	switch {
	case v.lanes > f.SubgroupSize || f.SubgroupSize > 32:
		return "not run: no subgroups, or too large ones"
	case v.progress && !f.ForwardProgress && f.Kind != device.CPU:
		return "not run: workgroups that wait may keep others from running"
	}
	got, err := v.run(d)
	if err != nil {
		return strings.ReplaceAll(err.Error(), "\n", " | ")
	}
	return v.judge(got)
}

// run runs a variant's kernel and returns the words of the buffer that is judged.
func (v *variant) run(d *webgpu.Device) ([]uint32, error) {
	enable := ""
	for _, e := range d.Facts().Enables {
		enable += "enable " + e + ";\n"
		if e == "subgroups" {
			enable += "diagnostic(off, subgroup_uniformity);\n"
		}
	}
	ks, err := d.Compile([]device.KernelSpec{{
		Name: v.name, Source: enable + strings.ReplaceAll(v.source, "ENABLE", ""), Entry: "main", Buffers: len(v.buffers),
		Workgroup: [3]uint32{uint32(v.threads), 1, 1},
	}})
	if err != nil {
		return nil, err
	}
	l := device.Launch{Kernel: ks[0], Groups: [3]uint32{uint32(v.groups), 1, 1}}
	for _, words := range v.buffers {
		b, err := d.Alloc(int64(4 * len(words)))
		if err != nil {
			return nil, err
		}
		defer d.Free(b)
		data := make([]byte, 4*len(words))
		for i, x := range words {
			binary.LittleEndian.PutUint32(data[4*i:], x)
		}
		if err := d.Upload(b, 0, data); err != nil {
			return nil, err
		}
		l.Buffers = append(l.Buffers, device.Binding{Buffer: b})
	}
	if err := d.Launch(l); err != nil {
		return nil, err
	}
	data := make([]byte, 4*len(v.buffers[v.result]))
	if err := d.Download(device.Region{Buffer: l.Buffers[v.result].Buffer, Data: data}); err != nil {
		return nil, err
	}
	got := make([]uint32, len(data)/4)
	for i := range got {
		got[i] = binary.LittleEndian.Uint32(data[4*i:])
	}
	return got, nil
}

// judge compares with what should have come out.
func (v *variant) judge(got []uint32) string {
	bad, first := 0, ""
	for i, want := range v.want {
		if got[i] != want {
			if bad++; bad <= 4 {
				first += fmt.Sprintf("; [%d] is %d, not %d", i, got[i], want)
			}
		}
	}
	if bad == 0 {
		return "right"
	}
	if len(v.want) <= 256 {
		first += "; all: "
		for i := range v.want {
			first += fmt.Sprint(got[i])
		}
	}
	return fmt.Sprintf("WRONG: %d of %d%s", bad, len(v.want), first)
}
