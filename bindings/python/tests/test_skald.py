"""Tests of the package. SKALD names the compiler. Run them by: python -m unittest discover -s tests"""

import gc
import os
import pathlib
import signal
import tempfile
import threading
import unittest

import numpy as np

import skald

SOURCE = """
type point = {x: f32, y: f32}
type shape = #circle point f32 | #empty
entry add (a: i32) (b: i32) : i32 = a + b
entry scale (k: f32) (xs: [][]f32) : [][]f32 = map (map (* k)) xs
entry sum (xs: []f32) : f32 = f32.sum xs
entry at (xs: []i64) (i: i64) : i64 = xs[i]
entry eat (xs: *[]i32) : *[]i32 = xs with [0] = 9
entry pair (x: i32) (b: bool) = (b, [x, x])
entry unpair (p: (i32, []f32)) : f32 = f32.i32 p.0 + f32.sum p.1
entry centre (ps: []point) : point =
  let n = f32.i64 (length ps)
  in {x = f32.sum (map (.x) ps) / n, y = f32.sum (map (.y) ps) / n}
entry points (n: i64) : []point = tabulate n (\\i -> {x = f32.i64 i, y = 1})
entry area (s: shape) : f32 = match s case #circle _ r -> 3 * r * r case #empty -> 0
entry circle (p: point) (r: f32) : shape = #circle p r
entry halve (x: f16) : f16 = x / 2
entry step' (x: i32) : i32 = x + 1
entry close (x: i32) : i32 = x - 1
"""


class ProgramTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.prog = skald.compile(source=SOURCE, device="cpu")

    @classmethod
    def tearDownClass(cls):
        cls.prog.close()

    def test_scalars(self):
        self.assertEqual(self.prog.add(40, 2), 42)
        self.assertIsInstance(self.prog.add(np.int32(1), 2), np.int32)
        self.assertEqual(self.prog.halve(3.0), np.float16(1.5))
        for wrong in (2**40, 1.5):
            with self.assertRaises(skald.ProgramError):
                self.prog.add(wrong, 1)
        with self.assertRaises(TypeError):
            self.prog.add(1)

    def test_arrays_stay_on_the_device(self):
        xs = np.arange(6, dtype=np.float32).reshape(2, 3)
        ys = self.prog.scale(2, xs)
        self.assertIsInstance(ys, skald.Array)
        self.assertEqual((ys.shape, ys.ndim, ys.dtype, len(ys)), ((2, 3), 2, np.float32, 2))
        np.testing.assert_array_equal(self.prog.scale(2, ys), xs * 4)
        np.testing.assert_array_equal(np.asarray(ys, dtype=np.int64), xs * 2)
        self.assertEqual(ys[1, 2], 10)
        self.assertEqual(ys[-1, -1], 10)
        for wrong in ((2, 0), (0,), (0, -4)):
            with self.assertRaises(IndexError):
                ys[wrong]
        empty = np.zeros((0, 3), dtype=np.float32)
        self.assertEqual(self.prog.scale(2, empty).numpy().shape, (0, 3))
        self.assertEqual(self.prog.sum([1, 2, 3.5]), 6.5)
        self.assertEqual(self.prog.sum(np.arange(10, dtype=np.float32)[::3]), 18)

    def test_wrong_arguments(self):
        for wrong in (np.zeros(3, dtype=np.float32), np.zeros((2, 2), dtype=np.complex64), "text"):
            with self.assertRaises((skald.ProgramError, ValueError)):
                self.prog.scale(1, wrong)
        with self.assertRaises(skald.ProgramError):
            self.prog.at(np.array([1.5]), 0)

    def test_failures_of_the_program(self):
        with self.assertRaisesRegex(skald.ProgramError, r"Index \[3\] out of bounds"):
            self.prog.at([1, 2, 3], 3)
        self.assertEqual(self.prog.at([1, 2, 3], 2), 3)

    def test_consumption(self):
        xs = self.prog.eat([1, 2])
        ys = self.prog.eat(xs)
        np.testing.assert_array_equal(ys, [9, 2])
        with self.assertRaisesRegex(skald.ProgramError, "consumed"):
            xs.numpy()

    def test_tuples(self):
        flag, xs = self.prog.pair(7, True)
        self.assertTrue(flag)
        np.testing.assert_array_equal(xs, [7, 7])
        self.assertEqual(self.prog.unpair((1, np.array([2, 3], dtype=np.float32))), 6)

    def test_records(self):
        point = self.prog.types["point"]
        centre = self.prog.centre([point(1, 2), point(3, 4)])
        self.assertEqual(centre, point(2, 3))
        ps = self.prog.points(3)
        self.assertEqual(ps.shape, (3,))
        self.assertEqual(ps[2], point(2, 1))
        np.testing.assert_array_equal(ps.x, [0, 1, 2])
        self.assertEqual([p.y for p in ps], [1, 1, 1])
        self.assertEqual(self.prog.centre(ps), point(1, 1))
        for wrong in (3, [(1, 2)], [1]):
            with self.assertRaises((skald.ProgramError, TypeError)):
                self.prog.centre(wrong)
        with self.assertRaises(AttributeError):
            _ = ps.z
        with self.assertRaises(TypeError):
            ps.numpy()

    def test_sums(self):
        point, shape = self.prog.types["point"], self.prog.types["shape"]
        self.assertEqual(self.prog.area(shape.circle(point(0, 0), 2)), 12)
        self.assertEqual(self.prog.area(shape.empty()), 0)
        self.assertEqual(self.prog.circle(point(1, 2), 3), shape.circle(point(1, 2), 3))
        with self.assertRaises(skald.ProgramError):
            self.prog.area(3)

    def test_names_that_python_does_not_have(self):
        self.assertEqual(self.prog.call("step'", 1), 2)
        self.assertEqual(self.prog.call("close", 1), 0)

    def test_variables_are_freed(self):
        for _ in range(100):
            self.prog.scale(1, [[1.0]])
        gc.collect()
        self.prog.add(1, 2)
        with self.assertRaises(skald.ProgramError):
            self.prog._server.command("type", "v1")

    def test_threads(self):
        results = []

        def work(n):
            for i in range(20):
                results.append(self.prog.add(n, i) == n + i)

        threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(results, [True] * 80)


class OpeningTest(unittest.TestCase):
    def test_compile_errors(self):
        with self.assertRaisesRegex(skald.CompileError, "nothing"):
            skald.compile(source="entry main (x: i32) = nothing")
        with self.assertRaises(skald.CompileError):
            skald.compile("nowhere.fut")
        with self.assertRaisesRegex(skald.CompileError, "cannot run"):
            skald.compile(source="entry main (x: i32) = x", compiler="/nowhere/skald")
        with self.assertRaises(TypeError):
            skald.compile()

    def test_the_compiler_is_looked_for(self):
        kept, path = os.environ.pop("SKALD", None), os.environ["PATH"]
        try:
            os.environ["PATH"] = "/nowhere"
            with self.assertRaisesRegex(skald.CompileError, "not found"):
                skald.compile(source="entry main (x: i32) = x")
            os.environ["PATH"] = os.path.dirname(kept) + os.pathsep + path
            with skald.compile(source="entry main (x: i32) = x", device="cpu") as prog:
                self.assertEqual(prog.main(1), 1)
        finally:
            os.environ["PATH"] = path
            if kept:
                os.environ["SKALD"] = kept

    def test_a_file_is_compiled_and_opened(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "a.fut")
            path.write_text("entry main (x: i32) : i32 = x * 2")
            with skald.compile(path, device="cpu") as prog:
                self.assertEqual(prog.main(21), 42)
            with self.assertRaises(skald.Error):
                prog.main(21)

    def test_what_cannot_be_opened(self):
        with self.assertRaises(skald.ServerError):
            skald.open("/nowhere/prog")
        with self.assertRaisesRegex(skald.ServerError, "no device is called"):
            skald.compile(source="entry main (x: i32) = x", device="nothing")
        with self.assertRaisesRegex(skald.ServerError, r"Index \[6\] out of bounds"):
            skald.compile(
                source="def bad : i32 = ([1, 2, 3])[i64.i32 (i32.sum [1, 2, 3])]\nentry main (x: i32) : i32 = x + bad", device="cpu"
            )

    def test_a_process_that_ends(self):
        prog = skald.compile(source="entry main (x: i32) : i32 = x", device="cpu")
        os.kill(prog._server._process.pid, signal.SIGKILL)
        with self.assertRaisesRegex(skald.ServerError, "ended"):
            prog.main(1)
        prog.close()


if __name__ == "__main__":
    unittest.main()
