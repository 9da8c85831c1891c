#!/usr/bin/env bash
# Write the Mandelbrot set as an image: usage: examples/mandelbrot.sh [SIDE [STEPS]]. It makes mandelbrot.ppm in this folder.
set -euo pipefail
side=${1:-512} steps=${2:-255}
here=$(cd "$(dirname "$0")" && pwd)
skald=${SKALD:-$here/../skald}
program=$(mktemp)
trap 'rm -f "$program"' EXIT
"$skald" build "$here/mandelbrot.fut" -o "$program"
# The result is text: one number 0xRRGGBB a pixel; a PPM file wants three numbers a pixel.
echo "${side}i64 ${side}i64 ${steps}i32" | "$program" | tr -c '0-9\n' ' ' | sed 's/\([0-9]\) *32/\1/g' |
  awk -v side="$side" 'BEGIN { print "P3", side, side, 255 }
    { for (i = 1; i <= NF; i++) print int($i / 65536), int($i / 256) % 256, $i % 256 }' > mandelbrot.ppm
echo "wrote mandelbrot.ppm ($side x $side)"
