"""Live: a daemon that hangs is ended by its watchdog, and the next hook starts another."""

import json
import os
import signal
import subprocess
import sys
from contextlib import AbstractContextManager

import pytest

from support.bad_payloads import of
from support.home import Home, serving

pytestmark = pytest.mark.gate

HANGS = """
import re, sys, threading
from hookd.daemon import watchdog
watchdog.HANG_TIMEOUT_S, watchdog._RESET_INTERVAL_S = 2, 0.1
from hookd.pipeline import transaction
from hookd.cli import main
judge, how = transaction.evaluate_event, sys.argv.pop(1)

def hung(house, event, *more):
    if "hang" in str(getattr(event, "tool_input", "")):
        if how == "by a pattern":
            re.match("(a+)+$", "a" * 60 + "!")
        threading.Event().wait(600)
    return judge(house, event, *more)

transaction.evaluate_event = hung
main()
"""


def daemon_that_hangs(home: Home, how: str) -> AbstractContextManager[subprocess.Popen[str]]:
    """A daemon that hangs at one command, and has two seconds of patience with itself."""
    return serving(home, sys.executable, "-P", "-c", HANGS, how, "serve")


@pytest.mark.parametrize(
    "how", [pytest.param("by a pattern", marks=pytest.mark.slow), "in its writer's thread"]
)
def test_it_is_ended_and_what_hung_stands_in_the_log(home: Home, how: str) -> None:
    with daemon_that_hangs(home, how) as process:
        assert home.said(of()) is None
        done = home.hook(of(tool_input={"command": "hang"}), "--deadline", "20")
        assert (done.returncode, done.stdout) == (0, b"")
        # The stacks are read while threads run on: who falls over that has ended it, too.
        code = process.wait(30)
    assert code in {1, -signal.SIGSEGV}
    assert home.said(of()) is None
    lines = home.logged("the last daemon hung and was ended")
    assert code != 1 or "in hung" in lines[0]["stacks"]
    # The call itself: unjudged, or sent to the next daemon, which is a sound one here.
    assert home.rows("SELECT count(*) FROM events")[0][0] in {2, 3}


def test_one_that_is_well_is_left_alone_and_leaves_nothing(home: Home) -> None:
    with daemon_that_hangs(home, "never") as process:
        hung = home.path / "hookd.hung"
        wound = (hung.exists(), process.poll())
        with home.link() as link, link.makefile("rb") as answers:
            for _ in range(4):
                link.sendall(b'{"jsonrpc": "2.0", "id": 1, "method": "daemon.status"}\n')
                assert json.loads(answers.readline())["result"]["pid"] == process.pid
                with pytest.raises(subprocess.TimeoutExpired):
                    process.wait(1)
        os.kill(process.pid, signal.SIGTERM)
        assert process.wait(30) == 0
        assert (wound, hung.exists()) == ((True, None), False)
    home.serves()
    assert home.logged("the last daemon hung and was ended") == []
