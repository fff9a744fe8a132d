"""A daemon that finds another world: its clock, its version, its mounts; the real one otherwise.

`turned.py FILE ARGUMENT...` runs `hookd ARGUMENT...`. FILE holds JSON: `off`, the seconds by which
the clock is wrong, is read each time that the clock is; `version`, and `mounts`, the path of a
table of mounts, are read once.
"""

import json
import sys
from datetime import datetime, timedelta
from pathlib import Path

import hookd

_, control, *arguments = sys.argv
world = json.loads(Path(control).read_text())
hookd.__version__ = world.get("version", hookd.__version__)

from hookd.cli import main  # noqa: E402 - so does this
from hookd.daemon import app  # noqa: E402 - it takes the version as it finds it
from hookd.daemon.clock import MonotonicWallClock  # noqa: E402
from hookd.system import mount_table  # noqa: E402

RIGHT = app._clock


def _turned() -> datetime:
    off = json.loads(Path(control).read_text()).get("off", 0)
    return RIGHT() + timedelta(seconds=off)


app.now = MonotonicWallClock(_turned)
if "mounts" in world:
    mount_table.MOUNTINFO = Path(world["mounts"])
sys.argv = ["hookd", *arguments]
main()
