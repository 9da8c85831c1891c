"""A histogram, a mean and a variance of a sample in chunks, by several workers of Dask.

    python distributed_statistics.py --workers 2 --devices cpu
    python distributed_statistics.py --workers 2 --devices cuda:0 cuda:1

Each worker is a process with a compiled program of its own, on its device. A chunk stays where it was made: results of chunks are
small, and are joined two by two by the program's own operators.
"""

import argparse
import os
import subprocess
import tempfile
from pathlib import Path

import numpy as np
from distributed import Client, LocalCluster, get_worker

import skald

BINS, LOW, HIGH = 16, -4.0, 4.0


def program(executable, devices):
    """The program of the worker that this runs in: opened once, on the worker's device."""
    worker = get_worker()
    if not hasattr(worker, "skald_program"):
        worker.skald_program = skald.open(executable, device=devices[int(worker.name) % len(devices)])
    return worker.skald_program


def chunk(index, size):
    """A chunk of the sample. Real ones would be read from files that the worker reaches."""
    return np.random.default_rng(index).normal(1.0, 2.0, size).astype(np.float32)


def measure(executable, devices, index, size):
    prog = program(executable, devices)
    xs = chunk(index, size)
    return np.asarray(prog.histogram(BINS, LOW, HIGH, xs)), prog.moments(xs)


def join(executable, devices, a, b):
    prog = program(executable, devices)
    return np.asarray(prog.join_histograms(a[0], b[0])), prog.join_moments(*a[1], *b[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--devices", nargs="+", default=["cpu"], help="what the workers run on, in turn")
    parser.add_argument("--chunks", type=int, default=8)
    parser.add_argument("--size", type=int, default=100_000, help="elements of a chunk")
    parser.add_argument("--check", action="store_true", help="compute the same by numpy, and compare")
    args = parser.parse_args()

    with tempfile.TemporaryDirectory() as folder:
        executable = os.path.join(folder, "parts")
        source = Path(__file__).with_name("parts.fut")
        subprocess.run([os.environ.get("SKALD", "skald"), "build", "--server", str(source), "-o", executable], check=True)
        with LocalCluster(n_workers=args.workers, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
            parts = [client.submit(measure, executable, args.devices, i, args.size) for i in range(args.chunks)]
            while len(parts) > 1:
                pairs = [client.submit(join, executable, args.devices, a, b) for a, b in zip(parts[::2], parts[1::2])]
                parts = pairs + parts[len(pairs) * 2 :]
            histogram, (n, mean, m2) = parts[0].result()
    print("n", int(n), "mean", round(float(mean), 4), "variance", round(float(m2 / n), 4))
    print(histogram)

    if args.check:
        xs = np.concatenate([chunk(i, args.size) for i in range(args.chunks)])
        place = np.clip(((xs - np.float32(LOW)) / np.float32(HIGH - LOW) * np.float32(BINS)).astype(np.int64), 0, BINS - 1)
        np.testing.assert_array_equal(histogram, np.bincount(place, minlength=BINS))
        np.testing.assert_allclose([mean, m2 / n], [xs.astype(np.float64).mean(), xs.astype(np.float64).var()], rtol=1e-9)
        assert int(n) == xs.size
        print("as numpy says")


if __name__ == "__main__":
    main()
