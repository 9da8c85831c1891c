// Package media makes pictures, sounds, videos and plots of arrays, and arrays of pictures and sounds, for FutharkScript and literate
// programs. It imports values and tooling/artifact, and nothing else of ours.
//
// Pictures are read and written by Go's image packages, sounds in WAV by go-audio, plots drawn by gonum/plot. Other sounds and videos
// other than GIF need ffmpeg: without it that is what the error says.
//
//	[[0xff0000ff, 0x00ff00ff]] : [1][2]u32  →  a picture of two pixels, ARGB
package media
