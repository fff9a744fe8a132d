"""A daemon of another version than the installed one."""

import subprocess
import sys
from contextlib import AbstractContextManager
from pathlib import Path

from support.home import Home, serving

ELSEWHERE = """
import sys
from contextlib import AbstractContextManager, closing
from pathlib import Path
from sqlite3 import connect
import hookd
hookd.__version__ = sys.argv[1]
hookd.__file__ = sys.argv[2]
from hookd.cli import main
sys.argv = ["hookd", "serve"]
main()
"""


def of_version(
    home: Home, version: str, program: Path
) -> AbstractContextManager[subprocess.Popen[str]]:
    """Run a daemon that says another version, and was installed elsewhere."""
    program.touch()
    return serving(home, sys.executable, "-P", "-c", ELSEWHERE, version, program)
