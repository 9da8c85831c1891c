"""Programs: compiling and opening them, and calling their entry points."""

import dataclasses
import keyword
import os
import pathlib
import shutil
import subprocess
import tempfile
import types

import numpy as np

from ._errors import CompileError, Error, ProgramError
from ._server import Server
from ._values import PRIMITIVES, Array, Variable, from_bytes, to_bytes


def compile(path=None, *, source=None, device=None, options=(), compiler=None):
    """Compiles a program, from a file or a text, and opens it.

    The compiler is the argument, or what the environment variable SKALD names, or skald on the PATH. The other arguments are those of open().
    """
    if (path is None) == (source is None):
        raise TypeError("compile takes a path or a source")
    compiler = compiler or os.environ.get("SKALD") or shutil.which("skald")
    if not compiler:
        raise CompileError("skald is not found: pass compiler=…, set SKALD, or put it on the PATH")
    folder = tempfile.TemporaryDirectory(prefix="skald-")
    try:
        if source is not None:
            path = pathlib.Path(folder.name, "program.fut")
            path.write_text(source, encoding="utf-8")
        executable = os.path.join(folder.name, "prog.exe" if os.name == "nt" else "prog")
        try:
            command = [compiler, "build", "--server", os.fspath(path), "-o", executable]
            result = subprocess.run(command, capture_output=True, text=True, check=False)
        except OSError as error:
            raise CompileError(f"cannot run {compiler}: {error}") from error
        if result.returncode != 0:
            raise CompileError(result.stderr.strip())
        program = open(executable, device=device, options=options)
    except BaseException:
        folder.cleanup()
        raise
    program._folder = folder
    return program


def open(executable, *, device=None, options=()):
    """Opens an executable that `skald build --server` made. options are further options of it, such as --param."""
    chosen = ["-d", device] if device else []
    return Program(os.fspath(executable), [*chosen, *options])


class Program:
    """A program. Its entry points are its methods, and types has the dataclasses of its records and sums, by their names in Futhark."""

    def __init__(self, executable, options=()):
        self._folder = None
        self._server = Server(executable, options)
        self._known = {}
        self.entry_points = tuple(self._server.command("entry_points"))
        self.types = {}
        for name in self._server.command("types"):
            kind = self._type(name)
            if kind.make is not None:
                self.types[name] = kind.make
        for name in self.entry_points:
            method = self._entry(name)
            if not hasattr(self, name):
                setattr(self, name, method)

    def call(self, entry, *args):
        """Calls an entry point whose name is not one in Python, or that of a method."""
        return self._entry(entry)(*args)

    def close(self):
        """Ends the program. What it returned cannot be used any more, but for what was brought to the host."""
        self._server.close()
        if self._folder is not None:
            self._folder.cleanup()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        if "_server" in self.__dict__ and not isinstance(self._server, Exception):
            try:
                self.close()
            except (OSError, Error, AttributeError):
                pass

    def _entry(self, name):
        inputs = self._server.command("inputs", name)
        output = self._server.command("output", name)[0]

        def method(*args):
            if len(args) != len(inputs):
                raise TypeError(f"{name} takes {len(inputs)} arguments, but {len(args)} are given")
            variables = self._variables(list(zip(args, (i.removeprefix("*") for i in inputs))))
            return self._make(output.removeprefix("*"), "call " + name, None, *(v.name for v in variables))

        method.__name__ = name
        method.__doc__ = f"{name}: {' -> '.join([*inputs, output])}"
        return method

    # Types.

    def _type(self, name):
        if name not in self._known:
            self._known[name] = _Type(self, name)
        return self._known[name]

    # Values into variables.

    def _variables(self, values):
        """Makes variables of values with their types. What is not on the device yet goes there in one file."""
        out, parts, pairs = [None] * len(values), [], []
        for i, (value, type_name) in enumerate(values):
            known = self._type(type_name)
            if isinstance(value, Array):
                if value._variable.program is not self:
                    raise ProgramError("an array belongs to another program")
                out[i] = value._variable
            elif known.kind == "primitive" or known.kind == "array" and known.elem in PRIMITIVES:
                array = known.to_numpy(value)
                out[i] = Variable(self, type_name, self._server.new_name())
                parts += to_bytes(array, known.elem or type_name)
                pairs.append((out[i].name, type_name))
        if pairs:
            self._server.restore(parts, pairs)
        for i, (value, type_name) in enumerate(values):
            if out[i] is None:
                out[i] = self._type(type_name).to_variable(value)
        return out

    def _run(self, type_name, head, *words):
        """Carries out a command that makes a variable. head is the command with what comes before the new name."""
        made = self._server.new_name()
        self._server.command(*head.split(" "), made, *words)
        return Variable(self, type_name, made)

    # Variables into values.

    def _make(self, type_name, head, middle, *words):
        """Carries out a command that makes a variable, and returns its value."""
        return self._value(self._run(type_name, head, *([middle] if middle else []), *words))

    def _value(self, variable):
        return self._type(variable.type).from_variable(variable)

    def _field(self, variable, name):
        field = self._type(variable.type).fields.get(name.removeprefix("_") if name[1:].isdigit() else name)
        if field is None:
            raise AttributeError(f"{variable.type} has no field {name}")
        made = self._server.new_name()
        key = name.removeprefix("_") if name[1:].isdigit() else name
        self._server.command("project", made, variable.name, key)
        return self._value(Variable(self, field, made))


class _Type:
    """What is known of a type: its kind, its parts, and the class of its values."""

    def __init__(self, program, name):
        ask = program._server.command
        self.program, self.name, self.kind = program, name, ask("kind", name)[0]
        self.elem, self.rank, self.fields, self.variants, self.make = None, 0, {}, {}, None
        if self.kind == "array":
            self.elem, self.rank = ask("elemtype", name)[0], int(ask("rank", name)[0])
        if self.kind == "record" or self.kind == "array" and self.elem not in PRIMITIVES:
            try:
                self.fields = dict(line.split(" ", 1) for line in ask("fields", name))
            except ProgramError:
                pass  # an array of sums
        if self.kind == "record" and not self.is_tuple():
            self.make = _dataclass(_class_name(name), self.fields)
        if self.kind == "sum":
            self._read_variants(ask("variants", name))

    def is_tuple(self):
        return self.kind == "record" and (not self.fields or next(iter(self.fields)) == "0")

    def _read_variants(self, lines):
        for line in lines:
            if line.startswith("- "):
                payload.append(line[2:])
            else:
                payload = self.variants[line] = []
        made = {v: _dataclass(v, {str(i): t for i, t in enumerate(ts)}) for v, ts in self.variants.items()}
        self.make = types.SimpleNamespace(**made)

    def to_numpy(self, value):
        dtype = PRIMITIVES[self.elem or self.name]
        array = np.asarray(value)
        if array.ndim != self.rank:
            raise ProgramError(f"a value of type {self.name} has {self.rank} dimensions, not {array.ndim}")
        if array.dtype != dtype:
            fits = np.can_cast(array.dtype, dtype, "same_kind") or array.size == 0 or not isinstance(value, np.ndarray)
            if not fits:
                raise ProgramError(f"an array of {array.dtype} is no value of type {self.name}; convert it with astype({str(dtype)!r})")
            exact = array.astype(dtype)
            if dtype.kind in "iu" and array.dtype.kind in "iuf" and not np.array_equal(exact, array):
                raise ProgramError(f"a number is no value of type {self.name}")
            array = exact
        return array

    def to_variable(self, value):
        program = self.program
        if self.kind == "record":
            parts = value if self.is_tuple() else [getattr(value, _attribute(f), None) for f in self.fields]
            if not self.is_tuple() and not isinstance(value, self.make):
                raise ProgramError(f"a value of type {self.name} is wanted: an instance of types[{self.name!r}]")
            if len(parts) != len(self.fields):
                raise ProgramError(f"a tuple of {len(self.fields)} values is wanted, not of {len(parts)}")
            made = program._variables(list(zip(parts, self.fields.values())))
            return program._run(self.name, "new", self.name, *(v.name for v in made))
        if self.kind == "sum":
            variant = type(value).__name__
            if variant not in self.variants or not isinstance(value, getattr(self.make, variant)):
                raise ProgramError(f"a value of type {self.name} is wanted: an instance of a class in types[{self.name!r}]")
            parts = [getattr(value, f.name) for f in dataclasses.fields(value)]
            made = program._variables(list(zip(parts, self.variants[variant])))
            return program._run(self.name, "construct", self.name, variant, *(v.name for v in made))
        if self.kind == "array" and self.rank == 1:
            made = program._variables([(x, self.elem) for x in value])
            return program._run(self.name, "new_array", self.name, str(len(made)), *(v.name for v in made))
        raise ProgramError(f"a value of type {self.name} cannot be made from {type(value).__name__}")

    def from_variable(self, variable):
        program = self.program
        if self.kind == "primitive":
            return from_bytes(program._server.store(variable.name))[()]
        if self.kind == "array":
            return Array(variable, self.rank, self.elem)
        if self.kind == "record":
            values = [program._field(variable, f) for f in self.fields]
            return tuple(values) if self.is_tuple() else self.make(*values)
        if self.kind == "sum":
            variant = program._server.command("variant", variable.name)[0]
            made = [Variable(program, t, program._server.new_name()) for t in self.variants[variant]]
            program._server.command("destruct", variable.name, *(v.name for v in made))
            return getattr(self.make, variant)(*(program._value(v) for v in made))
        return variable


def _attribute(field):
    """The name of a field in Python."""
    name = field.replace("'", "_prime")
    return "_" + name if name[0].isdigit() or keyword.iskeyword(name) else name


def _class_name(type_name):
    return type_name if type_name.isidentifier() else "record"


def _dataclass(name, fields):
    return dataclasses.make_dataclass(name, [_attribute(f) for f in fields], frozen=True)
