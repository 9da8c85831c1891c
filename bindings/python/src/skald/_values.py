"""Values: their types, and arrays that stay on the device."""

import struct

import numpy as np

PRIMITIVES = {
    "i8": np.dtype("int8"),
    "i16": np.dtype("int16"),
    "i32": np.dtype("int32"),
    "i64": np.dtype("int64"),
    "u8": np.dtype("uint8"),
    "u16": np.dtype("uint16"),
    "u32": np.dtype("uint32"),
    "u64": np.dtype("uint64"),
    "f16": np.dtype("float16"),
    "f32": np.dtype("float32"),
    "f64": np.dtype("float64"),
    "bool": np.dtype("bool"),
}


def to_bytes(array, elem):
    """The parts of an array in Futhark's binary format: a header, and the elements."""
    header = b"b\x02" + bytes([array.ndim]) + elem.rjust(4).encode() + struct.pack(f"<{array.ndim}q", *array.shape)
    return [header, np.ascontiguousarray(array).tobytes()]


def from_bytes(data):
    """The array in Futhark's binary format."""
    rank, elem = data[2], data[3:7].decode().strip()
    shape = struct.unpack_from(f"<{rank}q", data, 7)
    return np.frombuffer(data, PRIMITIVES[elem], offset=7 + 8 * rank).reshape(shape)


class Variable:
    """A variable of a server. It is freed when nobody refers to it any more."""

    def __init__(self, program, type_name, name):
        self.program, self.type, self.name = program, type_name, name

    def __del__(self):
        self.program._server.unuse(self.name)


class Array:
    """An array on the device. numpy.asarray(xs), or xs.numpy(), brings an array of scalars to the host."""

    def __init__(self, variable, rank, elem):
        self._variable, self._elem, self._shape, self.ndim = variable, elem, None, rank

    @property
    def type(self):
        """The type, as Futhark writes it without sizes."""
        return self._variable.type

    @property
    def dtype(self):
        """The dtype of the elements; None if they are not scalars."""
        return PRIMITIVES.get(self._elem)

    @property
    def shape(self):
        """The extents."""
        if self._shape is None:
            lines = self._variable.program._server.command("shape", self._variable.name)
            self._shape = tuple(int(n) for n in lines)
        return self._shape

    def __len__(self):
        return self.shape[0]

    def __getitem__(self, index):
        """One element, of an array of more than one dimension by a tuple of indices. To take many, use numpy()."""
        indices = index if isinstance(index, tuple) else (index,)
        places = []
        if len(indices) != self.ndim:
            raise IndexError(f"{self.ndim} indices are needed, but {len(indices)} are given")
        for i, n in zip(indices, self.shape):
            i = i.__index__()
            if not -n <= i < n:
                raise IndexError(f"index {i} is out of bounds for an array of shape {self.shape}")
            places.append(str(i % n))
        return self._variable.program._make(self._elem, "index", None, self._variable.name, *places)

    def __iter__(self):
        if self.ndim != 1:
            raise TypeError("only arrays of one dimension are gone through; use numpy()")
        return iter(self.numpy()) if self.dtype is not None else (self[i] for i in range(len(self)))

    def numpy(self):
        """The array as one of numpy, which is a copy."""
        if self.dtype is None:
            raise TypeError(f"an array of type {self.type} is none of numpy; its elements and fields are")
        return from_bytes(self._variable.program._server.store(self._variable.name))

    def __array__(self, dtype=None, copy=None):
        if copy is False:
            raise ValueError("an array on the device cannot be used without a copy")
        array = self.numpy()
        return array if dtype is None else array.astype(dtype)

    def __getattr__(self, name):
        """A field of an array of records, as an array."""
        if name.startswith("__"):
            raise AttributeError(name)
        return self._variable.program._field(self._variable, name)

    def __repr__(self):
        return f"<skald.Array {self.type} of shape {self.shape}>"
