package media_test

import (
	"context"
	"errors"
	"image"
	"image/gif"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skald/runtime/value"
	"skald/tooling/media"
)

// A picture keeps its pixels in the formats that lose nothing.
func TestPicturesAreReadAsTheyWereWritten(t *testing.T) {
	pixels := value.FromSlice([]uint32{0xff0000, 0x00ff00, 0x0000ff, 0x123456, 0, 0xffffff}, 2, 3)
	img, err := media.Image(pixels)
	if err != nil {
		t.Fatal(err)
	}
	for _, ending := range []string{".png", ".bmp", ".tiff"} {
		path := filepath.Join(t.TempDir(), "a"+ending)
		if err := media.WriteImage(path, img); err != nil {
			t.Fatal(err)
		}
		back, err := media.LoadImage(path)
		if err != nil {
			t.Fatal(err)
		}
		want := "[[4294901760u32, 4278255360u32, 4278190335u32], [4279383126u32, 4278190080u32, 4294967295u32]]"
		if back.String() != want {
			t.Errorf("%s: got %s", ending, back)
		}
	}
}

func TestGreyIsClampedAndBoolsAreBlackAndWhite(t *testing.T) {
	for _, c := range []struct {
		v    value.Value
		want []uint8
	}{
		{value.FromSlice([]float32{-1, 0, 0.5, 2, float32(math.NaN())}, 1, 5), []uint8{0, 0, 128, 255}},
		{value.FromSlice([]float64{0, 1}, 1, 2), []uint8{0, 255}},
		{value.FromSlice([]uint8{3, 200}, 1, 2), []uint8{3, 200}},
		{value.FromSlice([]bool{false, true}, 1, 2), []uint8{0, 255}},
	} {
		img, err := media.Image(c.v)
		if err != nil {
			t.Fatal(err)
		}
		for x, want := range c.want {
			if got := img.NRGBAAt(x, 0); got.R != want || got.G != want || got.B != want || got.A != 255 {
				t.Errorf("%s: pixel %d is %v, want %d", c.v, x, got, want)
			}
		}
	}
}

func TestWhatIsNoPictureIsRefused(t *testing.T) {
	for _, v := range []value.Value{value.FromSlice([]int64{1}, 1, 1), value.FromSlice([]uint32{1}, 1), value.FromSlice([]uint32{}, 0, 3)} {
		if _, err := media.Image(v); err == nil {
			t.Errorf("%s is a picture", v.Type())
		}
	}
	img := image.NewNRGBA(image.Rect(0, 0, 1, 1))
	if err := media.WriteImage("a.xyz", img); err == nil || !strings.Contains(err.Error(), "the end of its name") {
		t.Errorf("got %v", err)
	}
}

// A sound that is written and read again is the same but for the bits that its format has.
func TestSoundsAreReadAsTheyWereWritten(t *testing.T) {
	for _, c := range []struct {
		v    value.Value
		want []float64
	}{
		{value.FromSlice([]float32{0, 0.5, -1}, 3), []float64{0, 0.5, -1}},
		{value.FromSlice([]int16{0, 16384, -32768}, 3), []float64{0, 0.5, -1}},
		{value.FromSlice([]uint16{32768, 49152, 0}, 3), []float64{0, 0.5, -1}},
		{value.FromSlice([]int8{0, 64, -128}, 3), []float64{0, 0.5, -1}},
		{value.FromSlice([]uint8{128, 192, 0}, 3), []float64{0, 0.5, -1}},
		{value.FromSlice([]int32{0, 1 << 30, -1 << 31}, 3), []float64{0, 0.5, -1}},
		{value.FromSlice([]float32{0, 1, -0.5, 0.25}, 2, 2), []float64{0, 1, -0.5, 0.25}},
	} {
		path := filepath.Join(t.TempDir(), "a.wav")
		if err := media.WriteAudio(context.Background(), path, c.v, "wav", 8000); err != nil {
			t.Fatal(err)
		}
		back, err := media.LoadAudio(path)
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range c.want {
			if got := back.At(i).Float(); got != want {
				t.Errorf("%s: sample %d is %v, want %v", c.v.Type(), i, got, want)
			}
		}
	}
	if err := media.WriteAudio(context.Background(), "a.wav", value.FromSlice([]int64{1}, 1), "wav", 8000); err == nil {
		t.Error("a sound of 64-bit integers is written")
	}
}

func TestFramesBecomeAnAnimation(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.gif")
	n := 0
	next := func() (image.Image, error) {
		if n++; n > 3 {
			return nil, io.EOF
		}
		return image.NewNRGBA(image.Rect(0, 0, 4, 2)), nil
	}
	if err := (media.Video{FPS: 20, Repeat: true}).Write(context.Background(), path, next); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	got, err := gif.DecodeAll(f)
	if err != nil || len(got.Image) != 3 || got.Delay[0] != 5 || got.LoopCount != 0 {
		t.Errorf("got %+v, %v", got, err)
	}
	broken := errors.New("broken")
	err = media.Video{FPS: 1}.Write(context.Background(), path, func() (image.Image, error) { return nil, broken })
	if !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}

// Without ffmpeg, the error says so; what there was of the file is gone.
func TestWithoutFfmpegThatIsWhatTheErrorSays(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	dir := t.TempDir()
	frame := func() (image.Image, error) { return image.NewNRGBA(image.Rect(0, 0, 4, 2)), nil }
	err := media.Video{FPS: 1}.Write(context.Background(), filepath.Join(dir, "a.webm"), frame)
	if err == nil || err.Error() != "video needs ffmpeg, which is not installed" {
		t.Errorf("got %v", err)
	}
	err = media.WriteAudio(context.Background(), filepath.Join(dir, "a.mp3"), value.FromSlice([]float32{0}, 1), "mp3", 8000)
	if err == nil || err.Error() != "audio in mp3 needs ffmpeg, which is not installed" {
		t.Errorf("got %v", err)
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("there is %v", left)
	}
}

func TestPlotsAreDrawnInBothFormats(t *testing.T) {
	lines := []media.Series{{Name: "a", X: []float64{0, 1, 2}, Y: []float64{1, math.NaN(), 4}}}
	bars := [][]media.Bar{{{Value: 10, Low: 9, High: 11}, {}}, {{Value: 0.5, Low: 0.4, High: 0.6}, {Value: 1000}}}
	for ending, want := range map[string]string{".svg": "<?xml", ".png": "\x89PNG"} {
		for name, draw := range map[string]func(path string) error{
			"lines": func(path string) error { return media.PlotLines(path, 320, 240, lines) },
			"bars": func(path string) error {
				return media.PlotBars(path, "µs", []string{"one", "two"}, []string{"x", "y"}, bars)
			},
		} {
			path := filepath.Join(t.TempDir(), name+ending)
			if err := draw(path); err != nil {
				t.Fatal(err)
			}
			if data, _ := os.ReadFile(path); !strings.HasPrefix(string(data), want) {
				t.Errorf("%s begins with %q", path, data[:min(len(data), 10)])
			}
		}
	}
	if err := media.PlotLines("a.svg", 10, 10, []media.Series{{X: []float64{1}, Y: nil}}); err == nil {
		t.Error("a line with x and no y is drawn")
	}
	if err := media.PlotLines("a.pdf", 10, 10, lines); err == nil || !strings.Contains(err.Error(), ".svg or .png") {
		t.Errorf("got %v", err)
	}
}
