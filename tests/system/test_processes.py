"""A process lives or it does not, and a reused id is another process."""

import os
import subprocess
from datetime import UTC, datetime, timedelta

from hookd.system.processes import lives


def test_a_process_lives_until_it_is_gone() -> None:
    now = datetime.now(UTC)
    with subprocess.Popen(["sleep", "60"]) as process:
        assert lives(process.pid, now)
        process.kill()
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        assert not lives(process.pid, now), "nobody has waited for it, but it runs no more"
    assert not lives(process.pid, now)


def test_a_number_that_was_given_out_anew_is_another_process() -> None:
    with subprocess.Popen(["sleep", "60"]) as process:
        assert not lives(process.pid, datetime.now(UTC) - timedelta(hours=1))
        process.kill()


def test_a_number_that_no_process_can_have_is_nobody_s() -> None:
    assert not lives(2**40, datetime.now(UTC))
