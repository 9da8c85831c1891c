"""Drives a library by futhark-ffi of PyPI, which compiled it as the module _ffi."""

import sys

import numpy as np

sys.path.insert(0, ".")
import _ffi
from futhark_ffi import Futhark

futhark = Futhark(_ffi, device=b"cpu")
xs = np.arange(6, dtype=np.float32).reshape(2, 3)
ys = futhark.scale(2, xs)
assert np.array_equal(futhark.from_futhark(ys), xs * 2)
assert np.array_equal(futhark.from_futhark(futhark.scale(2, ys)), xs * 4)
assert futhark.total(np.array([1, 2, 3], dtype=np.float32)) == 6
try:
    futhark.at(np.array([1, 2, 3], dtype=np.int64), 3)
except ValueError as error:
    assert "Index [3] out of bounds" in str(error), error
else:
    raise AssertionError("an index out of bounds is no error")
point = futhark.mk(3, 4)
stored = bytes(futhark.store_point(point))
assert futhark.norm(futhark.restore_point(stored)) == 7
assert "events" in futhark.report()
print("good")
