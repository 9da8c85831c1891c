"""Drives a server by futhark-server of PyPI: numpy arrays in and out, and records and sums through cmd()."""

import sys

import futhark_server
import numpy as np

with futhark_server.Server(sys.argv[1], "-d", "cpu") as server:
    # Arrays go in and out, of each type that numpy shares with Futhark.
    assert set(server.cmd_entry_points()) >= {"scale", "total", "centre", "area"}
    assert server.cmd_inputs("scale") == ["f32", "[][]f32"]
    assert server.cmd_output("scale") == ["[][]f32"]
    xs = np.arange(6, dtype=np.float32).reshape(2, 3)
    server.put_value("xs", xs)
    server.put_value("k", np.float32(2))
    # Two calls, with the value between them on the device.
    server.cmd_call("scale", "ys", "k", "xs")
    server.cmd_call("scale", "zs", "k", "ys")
    assert np.array_equal(server.get_value("zs"), xs * 4)
    for dtype in ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64", "bool"]:
        value = np.array([[0, 1, 1], [1, 0, 1]], dtype=dtype)
        server.put_value("v", value)
        got = server.get_value("v")
        assert got.dtype == value.dtype and np.array_equal(got, value), dtype
        server.cmd_rename("v", "w")
        server.cmd_free("w")
    # Large enough to be moved in several pieces.
    large = np.arange(5_000_000, dtype=np.int64)
    server.put_value("large", large)
    assert np.array_equal(server.get_value("large"), large)

    # Records, arrays of them, and sums.
    assert server.cmd_fields("point") == ["x f32", "y f32"]
    server.put_value("x", np.float32(3))
    server.put_value("y", np.float32(4))
    server.cmd("new", "p", "point", "x", "y")
    server.cmd_project("px", "p", "x")
    assert server.get_value("px") == 3
    assert server.get_value("p") == (3, 4)
    server.cmd("new_array", "ps", "[]point", "2", "p", "p")
    server.cmd_call("centre", "c", "ps")
    assert server.get_value("c") == (3, 4)
    assert server.cmd("variants", "shape") == ["circle", "- point", "- f32", "empty"]
    server.cmd("construct", "s", "shape", "circle", "c", "k")
    assert server.cmd("variant", "s") == ["circle"]
    server.cmd_call("area", "a", "s")
    assert server.get_value("a") == 12
    server.cmd("destruct", "s", "c2", "r2")
    assert server.get_value("r2") == 2

    # Failures are exceptions, and the server goes on.
    for command in [["call", "nothing", "o"], ["call", "total", "o", "k"], ["restore", "/nowhere", "o", "i32"], ["nonsense"]]:
        try:
            server.cmd(*command)
        except futhark_server.Failure as failure:
            assert str(failure), command
        else:
            raise AssertionError(f"{command} succeeded")
    server.put_value("i", np.int64(100))
    try:
        server.cmd_call("at", "o", "large", "i")
        server.cmd_free("o")
        server.put_value("far", np.int64(5_000_000))
        server.cmd_call("at", "o", "large", "far")
    except futhark_server.Failure as failure:
        assert "Index [5000000] out of bounds" in str(failure), failure
    else:
        raise AssertionError("an index out of bounds is no failure")
    assert server.cmd_tuning_params("total") is not None
    assert '"events"' in server.cmd_report()[0]
    server.cmd_clear()
print("good")
