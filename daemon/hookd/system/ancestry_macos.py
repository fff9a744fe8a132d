"""Process table of macOS, by libproc and sysctl; hookd.system.ancestry uses it there."""

import ctypes
import os
import struct
from contextlib import suppress
from typing import Any

from hookd.core.model.client_process import Process

_ENVIRONMENT = 1 << 20
"""Bytes of arguments and environment that are read: macOS allows no more."""

# From <sys/proc_info.h> and <sys/sysctl.h>.
_BSD_INFO = 3
_BSDINFO = struct.Struct("=12I16s32s5IiQQ")
_NO_DEVICE = 0xFFFFFFFF
_KERN, _PROC_ARGS = 1, 49


def read(pid: int) -> Process | None:
    """Return a process, None if it cannot be read."""
    info, program = _bsd_info(pid), _arguments(pid)
    if info is None:
        return None
    path, args, _ = program or ("", (), b"")
    with suppress(OSError):
        return Process(pid, *info, path, _name(pid), args, os.getsid(pid), os.getpgid(pid))
    return None


def terminal_device(pid: int) -> int | None:
    """Return the device number of a process's controlling terminal, None without one."""
    fields = _bsd_fields(pid)
    device = int(fields[17]) if fields else _NO_DEVICE
    return None if device == _NO_DEVICE else device


def _bsd_info(pid: int) -> tuple[int, int] | None:
    """Return a process's parent and start."""
    fields = _bsd_fields(pid)
    return (int(fields[4]), int(fields[20]) * 1_000_000 + int(fields[21])) if fields else None


def _bsd_fields(pid: int) -> tuple[Any, ...] | None:
    block = ctypes.create_string_buffer(_BSDINFO.size)
    size = _libc().proc_pidinfo(pid, _BSD_INFO, ctypes.c_uint64(0), block, _BSDINFO.size)
    if size != _BSDINFO.size:
        return None
    return _BSDINFO.unpack(block.raw)


def _name(pid: int) -> str:
    block = ctypes.create_string_buffer(256)
    size = _libc().proc_name(pid, block, 256)
    return block.raw[: max(size, 0)].decode("utf-8", "replace")


def _arguments(pid: int) -> tuple[str, tuple[str, ...], bytes] | None:
    names = (ctypes.c_int * 3)(_KERN, _PROC_ARGS, pid)
    size = ctypes.c_size_t(_ENVIRONMENT)
    block = ctypes.create_string_buffer(_ENVIRONMENT)
    if _libc().sysctl(names, 3, block, ctypes.byref(size), None, ctypes.c_size_t(0)) != 0:
        return None
    return parse_procargs(block.raw[: size.value])


def parse_procargs(said: bytes) -> tuple[str, tuple[str, ...], bytes] | None:
    """Return the program, arguments and environment block of macOS's KERN_PROCARGS2; None if short.

    It holds the number of arguments, the program's path, NULs up to a boundary, then all texts.
    """
    if len(said) < struct.calcsize("@i"):
        return None
    count = struct.unpack_from("@i", said)[0]
    path, _, rest = said[struct.calcsize("@i") :].partition(b"\0")
    texts = rest.lstrip(b"\0").split(b"\0", max(count, 0))
    args = tuple(text.decode("utf-8", "replace") for text in texts[:count])
    return path.decode("utf-8", "replace"), args, b"".join(texts[count:])


def environment(pid: int) -> bytes:
    """Return the environment a process started with, NUL between entries; b"" if unknown."""
    found = _arguments(pid)
    return found[2] if found else b""


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None)
