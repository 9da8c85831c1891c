package media

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-audio/wav"

	"skald/runtime/prim"
	"skald/runtime/value"
	"skald/tooling/artifact"
)

// The formats of samples in WAV.
const (
	wavInteger = 1
	wavFloat   = 3
)

// WriteAudio writes a sound: an array of samples, or of channels. wav is written here, other codecs by ffmpeg.
func WriteAudio(ctx context.Context, path string, v value.Value, codec string, frequency int) error {
	if v.Rank() != 1 && v.Rank() != 2 || v.Elem() == prim.Bool || v.Elem() == prim.F16 || v.Elem().IsInt() && v.Elem().Size() > 4 {
		return fmt.Errorf("a sound is an array of samples, or of channels, of 8, 16 or 32 bits or f32 or f64, not a value of type %s", v.Type())
	}
	if codec == "wav" {
		return artifact.Write(path, func(w io.Writer) error { return writeWAV(w, v, frequency) })
	}
	dir, err := os.MkdirTemp("", "skald-audio")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a temporary folder
	raw := filepath.Join(dir, "in.wav")
	if err := artifact.Write(raw, func(w io.Writer) error { return writeWAV(w, v, frequency) }); err != nil {
		return err
	}
	return ffmpeg(ctx, "audio in "+codec, path, nil, "-i", raw)
}

// writeWAV writes samples, channel beside channel. WAV's integers of 8 bits have no sign and all others have one.
func writeWAV(w io.Writer, v value.Value, frequency int) error {
	channels, samples := 1, v.Len()
	if v.Rank() == 2 {
		channels, samples = v.Shape()[0], v.Shape()[1]
	}
	format := wavInteger
	if v.Elem().IsFloat() {
		format = wavFloat
	}
	out, ok := w.(io.WriteSeeker)
	if !ok {
		return errors.New("a sound is written to a file")
	}
	enc := wav.NewEncoder(out, frequency, 8*v.Elem().Size(), channels, format)
	for i := range samples {
		for c := range channels {
			if err := enc.WriteFrame(sample(v.At(c*samples + i))); err != nil {
				return err
			}
		}
	}
	return enc.Close()
}

// sample is a number as WAV has it.
func sample(x prim.Value) any {
	switch x.Type() {
	case prim.I8:
		return uint8(x.Int() + 1<<7)
	case prim.U8:
		return uint8(x.Word())
	case prim.I16:
		return int16(x.Int())
	case prim.U16:
		return int16(int64(x.Word()) - 1<<15)
	case prim.I32:
		return int32(x.Int())
	case prim.U32:
		return int32(int64(x.Word()) - 1<<31)
	case prim.F32:
		return float32(x.Float())
	default:
		return x.Float()
	}
}

// LoadAudio reads a sound as a [][]f64 with a row for each channel. What is no WAV file is converted by ffmpeg.
func LoadAudio(path string) (value.Value, error) {
	f, err := os.Open(path)
	if err != nil {
		return value.Value{}, err
	}
	defer f.Close() //nolint:errcheck // it was only read
	if v, err := readWAV(f); err == nil || strings.EqualFold(filepath.Ext(path), ".wav") {
		return v, err
	}
	dir, err := os.MkdirTemp("", "skald-audio")
	if err != nil {
		return value.Value{}, err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a temporary folder
	converted := filepath.Join(dir, "out.wav")
	if err := ffmpeg(context.Background(), "sounds other than WAV", converted, nil, "-i", path, "-c:a", "pcm_s32le"); err != nil {
		return value.Value{}, err
	}
	return LoadAudio(converted)
}

func readWAV(f *os.File) (value.Value, error) {
	dec := wav.NewDecoder(f)
	if !dec.IsValidFile() {
		return value.Value{}, fmt.Errorf("%s is no WAV file", f.Name())
	}
	buf, err := dec.FullPCMBuffer()
	if err != nil {
		return value.Value{}, fmt.Errorf("%s: %w", f.Name(), err)
	}
	channels := int(dec.NumChans)
	if channels == 0 || dec.WavAudioFormat == wavFloat && dec.BitDepth != 32 {
		return value.Value{}, fmt.Errorf("%s: samples of %d bits in format %d cannot be read", f.Name(), dec.BitDepth, dec.WavAudioFormat)
	}
	samples := len(buf.Data) / channels
	out := make([]float64, channels*samples)
	for i, x := range buf.Data[:channels*samples] {
		y := float64(x) / float64(int64(1)<<(dec.BitDepth-1))
		switch {
		case dec.WavAudioFormat == wavFloat:
			y = float64(math.Float32frombits(uint32(int32(x))))
		case dec.BitDepth == 8:
			y--
		}
		out[i%channels*samples+i/channels] = y
	}
	return value.FromSlice(out, channels, samples), nil
}
