package literate

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"skald/runtime/prim"
	"skald/runtime/value"
	"skald/tooling/artifact"
	"skald/tooling/evaluate"
	"skald/tooling/media"
)

// picture is the Markdown of a picture.
func picture(name string) string { return "![](" + name + ")\n" }

// image shows an array as a picture.
func (p *Page) image(d *Directive) (string, error) {
	params, err := d.params("file")
	if err != nil {
		return "", err
	}
	file, err := p.file(d, params, "img.png")
	if err != nil {
		return "", err
	}
	name, err := p.made(file, func(path string) error {
		_, v, err := p.eval(d)
		if err != nil {
			return err
		}
		img, err := toImage(v)
		if err != nil {
			return err
		}
		return media.WriteImage(path, img)
	})
	return picture(name), err
}

func toImage(v evaluate.Value) (image.Image, error) {
	if !v.IsPlain() {
		return nil, fmt.Errorf("a picture is an array of pixels, not a value of type %s", v.Describe())
	}
	return media.Image(v.Parts[0])
}

// The size of a plot in pixels unless it says another.
const plotWidth, plotHeight = 640, 480

// plot shows arrays of numbers as lines.
func (p *Page) plot(d *Directive) (string, error) {
	params, err := d.params("size")
	if err != nil {
		return "", err
	}
	width, height := plotWidth, plotHeight
	if size, ok := params["size"]; ok {
		if _, err := fmt.Sscanf(strings.ReplaceAll(size, " ", ""), "(%d,%d)", &width, &height); err != nil || width < 1 || height < 1 {
			return "", fmt.Errorf("size: %q: (WIDTH,HEIGHT) is wanted, in pixels", size)
		}
	}
	name, err := p.made(p.name(d, "plot.svg"), func(path string) error {
		_, v, err := p.eval(d)
		if err != nil {
			return err
		}
		lines, err := series(v)
		if err != nil {
			return err
		}
		return media.PlotLines(path, width, height, lines)
	})
	return picture(name), err
}

// series makes lines of a pair of arrays, or of a record of such pairs.
func series(v evaluate.Value) ([]media.Series, error) {
	names, parts, ok := v.Fields()
	if _, err := columns(v); err == nil || !ok {
		line, err := oneSeries("", v)
		return []media.Series{line}, err
	}
	var lines []media.Series
	for i, part := range parts {
		line, err := oneSeries(names[i], part)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", names[i], err)
		}
		lines = append(lines, line)
	}
	return lines, nil
}

func oneSeries(name string, v evaluate.Value) (media.Series, error) {
	columns, err := columns(v)
	if err == nil && len(columns) != 2 {
		err = errors.New("a plot has two arrays, of x and of y")
	}
	if err != nil {
		return media.Series{}, err
	}
	if len(columns[0]) != len(columns[1]) {
		return media.Series{}, fmt.Errorf("%d values of x and %d of y", len(columns[0]), len(columns[1]))
	}
	return media.Series{Name: name, X: columns[0], Y: columns[1]}, nil
}

// columns returns the numbers of a tuple of one-dimensional arrays.
func columns(v evaluate.Value) ([][]float64, error) {
	_, parts, ok := v.Fields()
	if !ok {
		parts = []evaluate.Value{v}
	}
	var out [][]float64
	for _, part := range parts {
		if !part.IsPlain() || part.Parts[0].Rank() != 1 || part.Parts[0].Elem() == prim.Bool {
			return nil, fmt.Errorf("a tuple of arrays of numbers is wanted, not a value of type %s", v.Describe())
		}
		out = append(out, floats(part.Parts[0]))
	}
	return out, nil
}

func floats(v value.Value) []float64 {
	out := make([]float64, v.Len())
	for i := range out {
		out[i] = prim.Convert(prim.F64, v.At(i)).Float()
	}
	return out
}

// gnuplot runs a script of the page on the fields of a record.
func (p *Page) gnuplot(d *Directive) (string, error) {
	tool, err := exec.LookPath("gnuplot")
	if err != nil {
		return "", errors.New(":gnuplot needs gnuplot, which is not installed")
	}
	name, err := p.made(p.name(d, "plot.png"), func(path string) error {
		_, v, err := p.eval(d)
		if err != nil {
			return err
		}
		names, parts, ok := v.Fields()
		if !ok {
			return fmt.Errorf("a record of tuples of arrays is wanted, not a value of type %s", v.Describe())
		}
		dir, err := os.MkdirTemp("", "skald-gnuplot")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir) //nolint:errcheck // a temporary folder
		half := filepath.Join(dir, "plot.png")
		text := fmt.Sprintf("set terminal png size %d,%d enhanced\nset output '%s'\nset key outside\n", plotWidth, plotHeight, half)
		for i, name := range names {
			data := filepath.Join(dir, strconv.Itoa(i)+".txt")
			if err := writeColumns(data, parts[i]); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			text += fmt.Sprintf("%s='%s'\n", name, data)
		}
		if err := gnuplot(p.ctx, tool, text+strings.Join(d.Params, "\n")+"\n"); err != nil {
			return err
		}
		return moveFile(half, path)
	})
	return picture(name), err
}

// writeColumns writes a file with a column for each array of a tuple.
func writeColumns(path string, v evaluate.Value) error {
	columns, err := columns(v)
	if err != nil {
		return err
	}
	var b strings.Builder
	for i := range columns[0] {
		for j, c := range columns {
			if i >= len(c) {
				return errors.New("the arrays have different lengths")
			}
			if j > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(strconv.FormatFloat(c[i], 'g', -1, 64))
		}
		b.WriteByte('\n')
	}
	return os.WriteFile(path, []byte(b.String()), 0o600)
}

func gnuplot(ctx context.Context, tool, text string) error {
	cmd := exec.CommandContext(ctx, tool) //nolint:gosec // the tool that the user installed
	cmd.Stdin = strings.NewReader(text)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("gnuplot: %w\n%s", err, strings.TrimSpace(string(out)))
	}
	return nil
}

// moveFile moves a file that may be on another disk.
func moveFile(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return fmt.Errorf("gnuplot made no picture: %w", err)
	}
	return artifact.WriteText(to, string(data))
}

// video shows frames one after the other.
func (p *Page) video(d *Directive) (string, error) {
	params, err := d.params("fps", "repeat", "format", "file")
	if err != nil {
		return "", err
	}
	video := media.Video{FPS: 30, Repeat: true}
	if fps, ok := params["fps"]; ok {
		if video.FPS, err = strconv.Atoi(fps); err != nil || video.FPS < 1 {
			return "", fmt.Errorf("fps: %q: a positive number is wanted", fps)
		}
	}
	if repeat, ok := params["repeat"]; ok {
		if video.Repeat, err = strconv.ParseBool(repeat); err != nil {
			return "", fmt.Errorf("repeat: %q: true or false is wanted", repeat)
		}
	}
	format := params["format"]
	if format == "" {
		format = "webm"
	}
	if format != "webm" && format != "gif" {
		return "", fmt.Errorf("format: %q: webm or gif is wanted", format)
	}
	file, err := p.file(d, params, "video."+format)
	if err != nil {
		return "", err
	}
	name, err := p.made(file, func(path string) error {
		prog, v, err := p.eval(d)
		if err != nil {
			return err
		}
		next, err := frames(prog, v)
		if err != nil {
			return err
		}
		return video.Write(p.ctx, path, next)
	})
	if strings.HasSuffix(file, ".gif") {
		return picture(name), err
	}
	loop := ""
	if video.Repeat {
		loop = " loop"
	}
	return fmt.Sprintf("<video autoplay controls muted%s><source src=\"%s\" type=\"video/webm\"></video>\n", loop, name), err
}

// frames returns the frames of an array of pictures, or of a step function, a state and a number.
func frames(prog *evaluate.Program, v evaluate.Value) (func() (image.Image, error), error) {
	i := int64(0)
	if v.IsPlain() && v.Parts[0].Rank() == 3 {
		all := v.Parts[0]
		return func() (image.Image, error) {
			if i++; i > int64(all.Shape()[0]) {
				return nil, io.EOF
			}
			return media.Image(all.Row(int(i - 1)))
		}, nil
	}
	_, parts, ok := v.Fields()
	if !ok || len(parts) != 3 || !parts[0].IsFunction() || !isInteger(parts[2]) {
		return nil, fmt.Errorf("a video is an array of pictures, or (step, state, n) with step state = (picture, state), not a value of type %s",
			v.Describe())
	}
	step, state, n := parts[0], parts[1], parts[2].Parts[0].Scalar().Int()
	return func() (image.Image, error) {
		if i++; i > n {
			return nil, io.EOF
		}
		v, err := prog.Apply(step, state)
		if err != nil {
			return nil, err
		}
		_, both, ok := v.Fields()
		if !ok || len(both) != 2 {
			return nil, fmt.Errorf("%s returns a value of type %s, not a picture and a state", step.Fun, v.Describe())
		}
		state = both[1]
		return toImage(both[0])
	}, nil
}

// isInteger reports whether a value is an integer.
func isInteger(v evaluate.Value) bool {
	return v.IsPlain() && v.Parts[0].IsScalar() && v.Parts[0].Elem().IsInt()
}

// audio makes a sound.
func (p *Page) audio(d *Directive) (string, error) {
	params, err := d.params("sampling_frequency", "codec", "file")
	if err != nil {
		return "", err
	}
	frequency, codec := 44100, "wav"
	if f, ok := params["sampling_frequency"]; ok {
		if frequency, err = strconv.Atoi(f); err != nil || frequency < 1 {
			return "", fmt.Errorf("sampling_frequency: %q: a positive number is wanted", f)
		}
	}
	if c, ok := params["codec"]; ok {
		codec = c
	}
	if codec == "" || strings.Trim(codec, "abcdefghijklmnopqrstuvwxyz0123456789") != "" {
		return "", fmt.Errorf("codec: %q: wav, or the ending of a file that ffmpeg makes, is wanted", codec)
	}
	file, err := p.file(d, params, "audio."+codec)
	if err != nil {
		return "", err
	}
	name, err := p.made(file, func(path string) error {
		_, v, err := p.eval(d)
		if err != nil {
			return err
		}
		if !v.IsPlain() {
			return fmt.Errorf("a sound is an array of samples, not a value of type %s", v.Describe())
		}
		return media.WriteAudio(p.ctx, path, v.Parts[0], codec, frequency)
	})
	return fmt.Sprintf("<audio controls><source src=\"%s\" type=\"audio/%s\"></audio>\n", name, codec), err
}
