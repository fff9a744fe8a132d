"""Container detection: Docker, Podman or another one, by the files that each leaves."""

from pathlib import Path

from hookd.lazy_pattern import lazy_compile

_FILES = {".dockerenv": "Docker", "run/.containerenv": "Podman"}
_CGROUP = lazy_compile(r"docker|kubepods|containerd|libpod|lxc")


def container(root: Path = Path("/")) -> str:
    """Return the kind of the container that this process is in, "" if there is no sign of one."""
    for name, kind in _FILES.items():
        if (root / name).exists():
            return kind
    try:
        found = _CGROUP.search((root / "proc/1/cgroup").read_text("utf-8", "replace"))
    except OSError:
        return ""
    return found[0] if found else ""
