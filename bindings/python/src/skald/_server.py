"""A client of the server protocol: commands to a process, values through a file that both map."""

import mmap
import os
import subprocess
import tempfile
import threading

from ._errors import ProgramError, ServerError


class Server:
    """A running server. Its methods may be called from several threads."""

    def __init__(self, executable, options):
        self._lock = threading.RLock()
        self._unused = []
        self._made = 0
        self._file, self.path, inherited = _transfer_file()
        if os.path.dirname(executable) == "":
            executable = os.path.join(os.curdir, executable)
        self._process = None
        try:
            self._process = subprocess.Popen(
                [executable, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, pass_fds=inherited
            )
            self._answer()
        except OSError as error:
            self._remove_file()
            raise ServerError(f"cannot start {executable}: {error}") from error
        except ServerError:
            self.close()
            raise

    def close(self):
        """Ends the process."""
        with self._lock:
            if self._process is None:
                return
            process, self._process = self._process, None
            try:
                process.stdin.close()
            except BrokenPipeError:
                pass  # it has ended already
            process.wait()
            process.stdout.close()
            self._remove_file()

    def _remove_file(self):
        os.close(self._file)
        if not self.path.startswith("/dev/fd/"):
            os.unlink(self.path)

    def _check_open(self):
        if self._process is None:
            raise ServerError("the program has been closed")

    def new_name(self):
        """A name for a new variable."""
        with self._lock:
            self._made += 1
            return f"v{self._made}"

    def unuse(self, name):
        """Frees a variable, with the next command: this is called when nothing else can be."""
        self._unused.append(name)

    def command(self, *words):
        """Sends a command and returns the lines of the answer."""
        with self._lock:
            unused, self._unused = self._unused, []
            if unused:
                self._send(["free", *unused])
            return self._send(words)

    def _send(self, words):
        self._check_open()
        line = " ".join(f'"{w}"' if " " in w else w for w in words)
        try:
            self._process.stdin.write(line.encode() + b"\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            pass  # what it says last is read below
        return self._answer()

    def _answer(self):
        lines, message = [], None
        while True:
            line = self._process.stdout.readline()
            if not line and message:
                raise ServerError("the program could not start: " + "\n".join(message))
            if not line:
                raise ServerError(f"the program has ended with code {self._process.wait()}; standard error says why")
            text = line.decode(errors="replace").rstrip("\n")
            if text == "%%% OK":
                break
            if text == "%%% FAILURE":
                message = []
            elif message is not None:
                message.append(text)
            else:
                lines.append(text)
        if message is not None:
            raise ProgramError("\n".join(message))
        return lines

    def restore(self, parts, pairs):
        """Makes variables of bytes: parts are put into the file one behind the other, pairs are names and types."""
        with self._lock:
            self._check_open()
            size = sum(len(p) for p in parts)
            os.ftruncate(self._file, size)
            with mmap.mmap(self._file, size) as memory:
                at = 0
                for part in parts:
                    memory[at : at + len(part)] = part
                    at += len(part)
            self.command("restore", self.path, *(word for pair in pairs for word in pair))

    def store(self, name):
        """Returns the bytes of a variable."""
        with self._lock:
            self.command("store", self.path, name)
            size = os.fstat(self._file).st_size
            with mmap.mmap(self._file, size, access=mmap.ACCESS_READ) as memory:
                return bytearray(memory)


def _transfer_file():
    """Makes the file that values go through: one without a name where a process can inherit it, so that none is ever left."""
    folder = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    number, path = tempfile.mkstemp(prefix="skald-", dir=folder)
    if os.name != "posix":
        return number, path, ()
    os.unlink(path)
    return number, f"/dev/fd/{number}", (number,)
