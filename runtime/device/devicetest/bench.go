package devicetest

import (
	"errors"
	"testing"

	"skald/runtime/device"
)

// Bench measures what a host program pays for a device: launches in a batch, a
// launch that is waited for, reading one word back, and moving data. The text is
// that of Scale.
func Bench(b *testing.B, d device.Device, text string) {
	ks, err := d.Compile([]device.KernelSpec{Scale(text)})
	if err != nil {
		b.Fatal(err)
	}
	word, err := d.Alloc(4)
	if err != nil {
		b.Fatal(err)
	}
	defer d.Free(word)
	launch := device.Launch{
		Kernel: ks[0], Groups: [3]uint32{1, 1, 1}, Buffers: []device.Binding{{Buffer: word}}, Params: Words(1, 3),
	}
	loop := func(name string, bytes int64, each func() error) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(bytes)
			b.ReportAllocs()
			for b.Loop() {
				if err := each(); err != nil {
					b.Fatal(err)
				}
			}
			if err := d.Sync(); err != nil {
				b.Fatal(err)
			}
		})
	}
	loop("launch", 0, func() error { return d.Launch(launch) })
	loop("launch and wait", 0, func() error { return errors.Join(d.Launch(launch), d.Sync()) })
	one := make([]byte, 4)
	loop("read a word", 0, func() error { return d.Download(device.Region{Buffer: word, Data: one}) })

	const n = 64 << 20
	data := make([]byte, n)
	from, err := d.Alloc(n)
	if err != nil {
		b.Fatal(err)
	}
	defer d.Free(from)
	to, err := d.Alloc(n)
	if err != nil {
		b.Fatal(err)
	}
	defer d.Free(to)
	loop("upload", n, func() error { return errors.Join(d.Upload(from, 0, data), d.Sync()) })
	loop("download", n, func() error { return d.Download(device.Region{Buffer: from, Data: data}) })
	loop("copy", n, func() error { return errors.Join(d.Copy(to, 0, from, 0, n), d.Sync()) })
	loop("copy bytes", n-5, func() error { return errors.Join(d.Copy(to, 1, from, 2, n-5), d.Sync()) })
	loop("alloc and free", 0, func() error {
		x, err := d.Alloc(1 << 20)
		if err == nil {
			d.Free(x)
		}
		return err
	})
}
