"""Build hook of hatchling: a wheel for one platform has the native shim, which must exist already.

`HOOKD_NATIVE_SHIM` is the program's path, `HOOKD_WHEEL_PLATFORM` the platform's tag. Without them
the wheel is for all platforms, and has only the source. Nothing is compiled here. A record beside
the program has what `hookd install` compares: the digests of program and source, and the machine.
"""

import hashlib
import json
import os
import re
import shutil
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PLACE = "hookd/shims/native/hookd-hook.native"
SOURCE = "daemon/hookd/shims/native/hookd-hook.c"


class NativeShimHook(BuildHookInterface[Any]):
    """Puts the program and its record into the wheel, and sets the wheel's tag."""

    PLUGIN_NAME = "custom"
    made: Path | None = None
    """The folder of the record, until the wheel is written."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Change what is built. Raise ValueError if only one of the variables is usable."""
        program = os.environ.get("HOOKD_NATIVE_SHIM", "")
        platform = os.environ.get("HOOKD_WHEEL_PLATFORM", "")
        if version == "editable" or not (program or platform):
            return
        if not (platform and Path(program).is_file()):
            raise ValueError(
                "HOOKD_NATIVE_SHIM must be the path of a program, and HOOKD_WHEEL_PLATFORM the tag"
                f" of its platform, but they are {program!r} and {platform!r}"
            )
        record = {
            "how": "prebuilt",
            "source": _digest(Path(self.root, SOURCE)),
            "program": _digest(Path(program)),
            "machine": machine(platform),
            "version": self.metadata.version,
        }
        self.made = Path(tempfile.mkdtemp())
        written = self.made / "record.json"
        written.write_text(json.dumps(record, indent=1) + "\n", "ascii")
        build_data["force_include"] |= {program: PLACE, str(written): f"{PLACE}.json"}
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{platform}"

    def finalize(self, _version: str, _build_data: dict[str, Any], _artifact_path: str) -> None:
        """Remove the record, which is in the wheel now."""
        if self.made:
            shutil.rmtree(self.made)


def machine(platform: str) -> str:
    """Return the system and architecture of a platform's tag, as `uname` names them.

    Raise ValueError if the tag is not of Linux or macOS.

    >>> machine("manylinux_2_17_x86_64.musllinux_1_1_x86_64")
    'Linux x86_64'
    """
    found = re.fullmatch(
        r"(manylinux|musllinux|macosx)_\w+?_(x86_64|aarch64|arm64)(\..*)?", platform
    )
    if not found:
        raise ValueError(f"HOOKD_WHEEL_PLATFORM {platform!r} is no tag of Linux or macOS")
    return f"{'Darwin' if found[1] == 'macosx' else 'Linux'} {found[2]}"


def _digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()
