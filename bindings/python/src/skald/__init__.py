"""Call Futhark programs, compiled by skald, with numpy arrays.

compile() compiles a program and open() opens a compiled one; both give a Program, whose methods are the program's entry points.
"""

from ._errors import CompileError, Error, ProgramError, ServerError
from ._program import Program, compile, open
from ._values import Array

__all__ = ["Array", "CompileError", "Error", "Program", "ProgramError", "ServerError", "compile", "open"]
__version__ = "0.1.0"
