"""Build hook of hatchling: a wheel for one platform has the native shim, which must exist already.

`HOOKD_NATIVE_SHIM` is the program's path, `HOOKD_WHEEL_PLATFORM` the platform's tag. Without them
the wheel is for all platforms, and has only the source. Nothing is compiled here.
"""

import os
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PLACE = "hookd/shims/native/hookd-hook.native"


class NativeShimHook(BuildHookInterface[Any]):
    """Puts the program into the wheel, and sets the wheel's tag."""

    PLUGIN_NAME = "custom"

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
        build_data["force_include"][program] = PLACE
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{platform}"
