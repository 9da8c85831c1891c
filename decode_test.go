package skald_test

import (
	"context"
	"testing"

	"skald"
	"skald/runtime/value"
)

// Generated packages of Go carry what Encode returns.
func TestAProgramIsReadFromItsBytes(t *testing.T) {
	p, messages := skald.Compile("a.fut", skald.Options{ReadFile: func(string) (string, error) {
		return "entry sum (xs: []i32) : i32 = i32.sum xs\n", nil
	}})
	if p == nil {
		t.Fatal(messages)
	}
	data := p.Encode()
	read, err := skald.Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	dev, _, err := skald.OpenDevice(skald.DeviceOptions{Name: "cpu"})
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close() //nolint:errcheck // nothing depends on it
	got, err := read.Run(context.Background(), dev, "sum", value.FromSlice([]int32{1, 2, 3}))
	if err != nil || len(got) != 1 || got[0].String() != "6i32" {
		t.Errorf("sum: %v, %v", got, err)
	}
	data[len(data)/2] ^= 1
	if _, err := skald.Decode(data); err == nil {
		t.Error("damaged bytes are read")
	}
}
