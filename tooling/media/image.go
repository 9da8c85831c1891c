package media

import (
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/image/bmp"
	"golang.org/x/image/tiff"
	_ "golang.org/x/image/webp" // decoded, like the formats that can be written

	"skald/runtime/prim"
	"skald/runtime/value"
	"skald/tooling/artifact"
)

// LoadImage reads a picture as a [][]u32 of ARGB.
func LoadImage(path string) (value.Value, error) {
	f, err := os.Open(path)
	if err != nil {
		return value.Value{}, err
	}
	defer f.Close() //nolint:errcheck // it was only read
	img, _, err := image.Decode(f)
	if err != nil {
		return value.Value{}, fmt.Errorf("%s: %w (PNG, JPEG, GIF, BMP, TIFF and WebP are read)", path, err)
	}
	size := img.Bounds().Size()
	pixels := make([]uint32, 0, size.X*size.Y)
	for y := img.Bounds().Min.Y; y < img.Bounds().Max.Y; y++ {
		for x := img.Bounds().Min.X; x < img.Bounds().Max.X; x++ {
			c := color.NRGBAModel.Convert(img.At(x, y)).(color.NRGBA)
			pixels = append(pixels, uint32(c.A)<<24|uint32(c.R)<<16|uint32(c.G)<<8|uint32(c.B))
		}
	}
	return value.FromSlice(pixels, size.Y, size.X), nil
}

// IsImage reports whether a value can be shown as a picture.
func IsImage(v value.Value) bool { return v.Rank() == 2 && pixel(v.Elem()) != nil }

// pixel says what colour a word of an array stands for; nil if arrays of the type are no pictures.
func pixel(t prim.Type) func(word uint64) color.NRGBA {
	grey := func(x float64) color.NRGBA {
		g := uint8(0) // also of what is no number
		if x > 0 {
			g = uint8(min(x, 1)*255 + 0.5)
		}
		return color.NRGBA{g, g, g, 255}
	}
	switch t {
	case prim.I32, prim.U32:
		return func(w uint64) color.NRGBA {
			// The upper byte is no opacity: Futhark's programs leave it zero.
			return color.NRGBA{uint8(w >> 16), uint8(w >> 8), uint8(w), 255}
		}
	case prim.F32, prim.F64:
		return func(w uint64) color.NRGBA { return grey(prim.FromWord(t, w).Float()) }
	case prim.U8:
		return func(w uint64) color.NRGBA { return color.NRGBA{uint8(w), uint8(w), uint8(w), 255} }
	case prim.Bool:
		return func(w uint64) color.NRGBA { return grey(float64(w & 1)) }
	default:
		return nil
	}
}

// Image makes a picture of a two-dimensional array.
func Image(v value.Value) (*image.NRGBA, error) {
	if !IsImage(v) {
		return nil, fmt.Errorf("a picture is a [][]u32, [][]i32, [][]f32, [][]f64, [][]u8 or [][]bool, not a value of type %s", v.Type())
	}
	height, width := v.Shape()[0], v.Shape()[1]
	if height == 0 || width == 0 {
		return nil, fmt.Errorf("a picture of %d by %d pixels has none", height, width)
	}
	img, colour := image.NewNRGBA(image.Rect(0, 0, width, height)), pixel(v.Elem())
	for i := range height * width {
		img.SetNRGBA(i%width, i/width, colour(v.Word(i)))
	}
	return img, nil
}

// WriteImage writes a picture, in the format that the file's name says.
func WriteImage(path string, img image.Image) error {
	encode, err := encoder(path)
	if err != nil {
		return err
	}
	return artifact.Write(path, func(w io.Writer) error { return encode(w, img) })
}

func encoder(path string) (func(w io.Writer, img image.Image) error, error) {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".png":
		return png.Encode, nil
	case ".jpg", ".jpeg":
		return func(w io.Writer, img image.Image) error { return jpeg.Encode(w, img, &jpeg.Options{Quality: 90}) }, nil
	case ".gif":
		return func(w io.Writer, img image.Image) error { return gif.Encode(w, img, nil) }, nil
	case ".bmp":
		return bmp.Encode, nil
	case ".tif", ".tiff":
		return func(w io.Writer, img image.Image) error { return tiff.Encode(w, img, nil) }, nil
	default:
		return nil, fmt.Errorf("%s: the format of a picture is the end of its name: .png, .jpg, .gif, .bmp or .tiff", path)
	}
}
