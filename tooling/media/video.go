package media

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color/palette"
	"image/draw"
	"image/gif"
	"image/png"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"skald/tooling/artifact"
)

// Video says how frames become a video.
type Video struct {
	FPS    int
	Repeat bool
}

// Write writes a video, in the format that the file's name says. next returns the frames, and io.EOF after the last. GIF is written
// here, others by ffmpeg.
func (o Video) Write(ctx context.Context, path string, next func() (image.Image, error)) error {
	if strings.EqualFold(filepath.Ext(path), ".gif") {
		return o.writeGIF(path, next)
	}
	in, feed := io.Pipe()
	go func() {
		var frame bytes.Buffer
		for {
			img, err := next()
			if err == nil {
				frame.Reset()
				if err = png.Encode(&frame, img); err == nil {
					_, err = feed.Write(frame.Bytes())
				}
			}
			if err != nil {
				feed.CloseWithError(eofIsEnd(err))
				return
			}
		}
	}()
	failing := &remembered{in: in}
	err := ffmpeg(ctx, "video", path, failing, "-f", "image2pipe", "-framerate", strconv.Itoa(o.FPS), "-c:v", "png", "-i", "-",
		"-pix_fmt", "yuv420p")
	in.CloseWithError(errors.New("the video has ended"))
	if failing.err != nil {
		return failing.err
	}
	return err
}

// eofIsEnd makes the end of the frames the end of the pipe.
func eofIsEnd(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// remembered keeps the error that reading frames ended with: ffmpeg's complaint about it says less.
type remembered struct {
	in  io.Reader
	err error
}

func (r *remembered) Read(p []byte) (int, error) {
	n, err := r.in.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		r.err = err
	}
	return n, err
}

// hundredths is the unit of delays in GIF, of a second.
const hundredths = 100

func (o Video) writeGIF(path string, next func() (image.Image, error)) error {
	out := &gif.GIF{LoopCount: -1}
	if o.Repeat {
		out.LoopCount = 0
	}
	for {
		img, err := next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		frame := image.NewPaletted(img.Bounds(), palette.Plan9)
		draw.FloydSteinberg.Draw(frame, img.Bounds(), img, image.Point{})
		out.Image = append(out.Image, frame)
		out.Delay = append(out.Delay, max(hundredths/o.FPS, 1))
	}
	if len(out.Image) == 0 {
		return errors.New("a video without frames")
	}
	return artifact.Write(path, func(w io.Writer) error { return gif.EncodeAll(w, out) })
}

// ffmpeg makes a file by ffmpeg. what says what for, should there be none.
func ffmpeg(ctx context.Context, what, path string, in io.Reader, args ...string) error {
	tool, err := exec.LookPath("ffmpeg")
	if err != nil {
		return fmt.Errorf("%s needs ffmpeg, which is not installed", what)
	}
	half := filepath.Join(filepath.Dir(path), ".half-"+filepath.Base(path))
	defer os.Remove(half) //nolint:errcheck // it has another name by now, or failed
	args = append([]string{"-y", "-loglevel", "error"}, append(args, half)...)
	cmd := exec.CommandContext(ctx, tool, args...) //nolint:gosec // the tool that the user installed
	cmd.Stdin = in
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("ffmpeg: %w: %s", err, bytes.TrimSpace(out))
	}
	return os.Rename(half, path)
}
