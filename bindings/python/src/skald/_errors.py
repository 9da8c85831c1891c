"""The exceptions of this package."""


class Error(Exception):
    """What all errors of this package are."""


class CompileError(Error):
    """The program could not be compiled; the message is the compiler's."""


class ProgramError(Error):
    """The program failed, or an argument does not fit."""


class ServerError(Error):
    """The process of the program could not be started, or has ended."""
