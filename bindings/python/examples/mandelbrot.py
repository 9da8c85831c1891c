"""Writes the Mandelbrot set, computed by examples/mandelbrot.fut, to mandelbrot.png.

    pip install .. pillow && python mandelbrot.py [SIDE]
"""

import pathlib
import sys

import numpy as np
from PIL import Image

import skald

side = int(sys.argv[1]) if len(sys.argv) > 1 else 1024
source = pathlib.Path(__file__).parents[3] / "examples" / "mandelbrot.fut"
with skald.compile(source) as prog:
    colours = prog.main(side, side, 255).numpy()  # 0xRRGGBB
pixels = np.stack([colours >> 16, colours >> 8 & 255, colours & 255], axis=-1).astype(np.uint8)
Image.fromarray(pixels).save("mandelbrot.png")
print("wrote mandelbrot.png")
